//! Shadow state of launches, blocks and warps.

pub(super) mod gathering;
mod order;
pub(super) mod races;
pub(super) mod registers;
pub(super) mod written;

use crate::check::finding::{Findings, Origin};
use flexgrip_machine::sizes::{PARAMETERS_AT, WARP_THREADS};
use flexgrip_machine::{Fence, Launch};
use gathering::Gathering;
use order::Order;
use races::{AccessTable, Races, Recent};
use registers::Registers;
use std::collections::BTreeMap;
use written::Written;

/// Shadow state of a memory that threads share.
#[derive(Clone, Debug)]
pub(crate) struct SharedShadow {
    pub(crate) written: Written,
    pub(crate) races: Races,
}

/// Shadow state of a warp.
#[derive(Clone, Debug)]
pub(crate) struct WarpShadow {
    pub(crate) registers: Registers,
    /// Shadow state of the local memory of each lane; none if the launch has no local memory.
    pub(crate) local: Vec<Written>,
    pub(crate) recent: Recent,
    /// Lanes that execute the current instruction because of undefined bits, and the origin of the bits.
    pub(crate) undecided: u32,
    pub(crate) undecided_origin: Origin,
}

/// Shadow state of a block, apart from its warps.
#[derive(Clone, Debug)]
pub(crate) struct BlockShadow {
    pub(crate) shared: SharedShadow,
    /// True after a store to the header or the parameters.
    pub(crate) parameters_changed: bool,
    /// The order of accesses to global and to shared memory.
    pub(crate) order: [Order; 2],
    pub(crate) gathering: Gathering,
}

/// Shadow state of a launch, apart from its blocks.
#[derive(Clone, Debug)]
pub(crate) struct LaunchShadow {
    pub(crate) launch: Launch,
    /// By word of the program: true if the instruction reads a divisor.
    pub(crate) divisors: Vec<bool>,
    /// Barriers that order only one memory in the source, by byte address.
    pub(crate) fences: BTreeMap<u32, Fence>,
    /// By parameter word: the number of the region whose address is in the word, from 1; 0 if there is none.
    pub(crate) owners: Vec<u8>,
    pub(crate) has_global_regions: bool,
    pub(crate) has_shared_regions: bool,
    pub(crate) global: SharedShadow,
    pub(crate) table: AccessTable,
    pub(crate) findings: Findings,
}

impl LaunchShadow {
    /// The shadow state of a block that begins, and of its warps.
    pub(crate) fn begin_block(&self) -> (BlockShadow, Vec<WarpShadow>) {
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
    pub(crate) fn parameters_end(&self) -> u32 {
        PARAMETERS_AT + 4 * self.launch.params.len() as u32
    }
}
