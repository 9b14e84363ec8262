//! Shadow state of launches, blocks and warps.

use super::finding::{Findings, Origin};
use super::gathering::Gathering;
use super::order::Order;
use super::races::{AccessTable, Races, Recent};
use super::registers::Registers;
use super::written::Written;
use flexgrip_machine::sizes::{PARAMETERS_AT, WARP_THREADS};
use flexgrip_machine::{Fence, Launch};
use std::collections::BTreeMap;

/// Shadow state of a memory that threads share.
#[derive(Clone, Debug)]
pub(super) struct SharedShadow {
    pub(super) written: Written,
    pub(super) races: Races,
}

/// Shadow state of a warp.
#[derive(Clone, Debug)]
pub(super) struct WarpShadow {
    pub(super) registers: Registers,
    /// Shadow state of the local memory of each lane; none if the launch has no local memory.
    pub(super) local: Vec<Written>,
    pub(super) recent: Recent,
    /// Lanes that execute the current instruction because of undefined bits, and the origin of the bits.
    pub(super) undecided: u32,
    pub(super) undecided_origin: Origin,
}

/// Shadow state of a block, apart from its warps.
#[derive(Clone, Debug)]
pub(super) struct BlockShadow {
    pub(super) shared: SharedShadow,
    /// True after a store to the header or the parameters.
    pub(super) parameters_changed: bool,
    /// The order of accesses to global and to shared memory.
    pub(super) order: [Order; 2],
    pub(super) gathering: Gathering,
}

/// Shadow state of a launch, apart from its blocks.
#[derive(Clone, Debug)]
pub(super) struct LaunchShadow {
    pub(super) launch: Launch,
    /// By word of the program: true if the instruction reads a divisor.
    pub(super) divisors: Vec<bool>,
    /// Barriers that order only one memory in the source, by byte address.
    pub(super) fences: BTreeMap<u32, Fence>,
    /// By parameter word: the number of the region whose address is in the word, from 1; 0 if there is none.
    pub(super) owners: Vec<u8>,
    pub(super) has_global_regions: bool,
    pub(super) has_shared_regions: bool,
    pub(super) global: SharedShadow,
    pub(super) table: AccessTable,
    pub(super) findings: Findings,
}

impl LaunchShadow {
    /// The shadow state of a block that begins, and of its warps.
    pub(super) fn begin_block(&self) -> (BlockShadow, Vec<WarpShadow>) {
        let launch = &self.launch;
        let shared_bytes = usize::try_from(launch.block_shared_bytes()).unwrap_or(0);
        let mut written = Written::new(shared_bytes);
        written.mark(0..self.parameters_end() as usize);
        let lanes = match launch.local_bytes {
            0 => 0,
            _ => WARP_THREADS as usize,
        };
        let warps = (0..launch.block_warps()).map(|_| WarpShadow {
            registers: Registers::new(launch.registers),
            local: vec![Written::new(launch.local_bytes as usize); lanes],
            recent: Recent::default(),
            undecided: 0,
            undecided_origin: Origin::ConditionCode(0),
        });
        let block = BlockShadow {
            shared: SharedShadow {
                written,
                races: Races::new(shared_bytes),
            },
            parameters_changed: false,
            order: [0; 2].map(|_| Order::new(launch.block_warps())),
            gathering: Gathering::default(),
        };
        (block, warps.collect())
    }

    /// The byte address in shared memory after the header and the parameters.
    pub(super) fn parameters_end(&self) -> u32 {
        PARAMETERS_AT + 4 * self.launch.params.len() as u32
    }
}
