//! The checker: mistakes of a kernel that hardware does not report.
//!
//! It checks each warp instruction before it is executed, with shadow state that hardware does not have: the written
//! bits of registers and memories, the region of each address, and the accesses to each word. It does not change the
//! machine's state, and a machine without a checker pays nothing.
//!
//! | file | |
//! |---|---|
//! | `execute`, `results` | one instruction: operands, results, conditions |
//! | `later` | instructions of compute capabilities 1.1 to 1.3 |
//! | `access` | its accesses to memory |
//! | `barriers` | the threads that arrive at a barrier |
//! | `bits` | undefined bits through an operation |
//! | `registers`, `written`, `races`, `order` | shadow state |
//! | `finding`, `report` | findings, and their texts |

mod access;
mod barriers;
mod bits;
mod execute;
mod finding;
mod later;
mod order;
mod races;
mod registers;
mod report;
mod results;
mod written;

pub use finding::{Accessed, BarrierFault, Fault, Finding, FindingGroup, Findings, Origin, Thread, Use};
pub use report::Report;

use crate::block::Block;
use crate::execute::{Memories, Recorder};
use crate::program::Fetched;
use crate::warp::Warp;
use barriers::{Bar, Gathering};
use flexgrip_isa::Destination;
use flexgrip_machine::sizes::{PARAMETERS_AT, WARP_THREADS};
use flexgrip_machine::{
    AddressWrite, BarrierEffect, CcWrite, Fence, ImageSpace, Launch, MemoryEffect, Next, RegisterWrite, StackOperation,
};
use order::Order;
use races::{AccessTable, Races, Recent};
use registers::Registers;
use std::collections::BTreeMap;
use std::ops::Range;
use written::Written;

/// Shadow state of a memory that threads share.
#[derive(Clone, Debug)]
struct SharedShadow {
    written: Written,
    races: Races,
}

/// Shadow state of a warp.
#[derive(Clone, Debug)]
struct WarpShadow {
    registers: Registers,
    /// Shadow state of the local memory of each lane; none if the launch has no local memory.
    local: Vec<Written>,
    recent: Recent,
    /// Lanes that execute the current instruction because of undefined bits, and the origin of the bits.
    undecided: u32,
    undecided_origin: Origin,
}

/// Shadow state of a block, apart from its warps.
#[derive(Clone, Debug)]
struct BlockShadow {
    shared: SharedShadow,
    /// True after a store to the header or the parameters.
    parameters_changed: bool,
    /// The order of accesses to global and to shared memory.
    order: [Order; 2],
    gathering: Gathering,
}

/// Shadow state of a launch, apart from its blocks.
#[derive(Clone, Debug)]
struct LaunchShadow {
    launch: Launch,
    /// By word of the program: true if the instruction reads a divisor.
    divisors: Vec<bool>,
    /// Barriers that order only one memory in the source, by byte address.
    fences: BTreeMap<u32, Fence>,
    /// By parameter word: the number of the region whose address is in the word, from 1; 0 if there is none.
    owners: Vec<u8>,
    has_global_regions: bool,
    has_shared_regions: bool,
    global: SharedShadow,
    table: AccessTable,
    findings: Findings,
}

/// A checker of every instruction of a launch.
#[derive(Clone, Debug)]
pub struct Checker {
    launch: LaunchShadow,
    blocks: BTreeMap<u32, (BlockShadow, Vec<WarpShadow>)>,
    /// The BAR, if the current instruction is one.
    bar: Option<Bar>,
}

impl Checker {
    /// A checker for a launch on a machine with `global_bytes` of global memory. The launch's facts name its regions;
    /// without regions in global memory, bytes without initial contents count as never written.
    pub fn new(launch: &Launch, global_bytes: u32) -> Self {
        let mut global = SharedShadow {
            written: Written::new(global_bytes as usize),
            races: Races::new(global_bytes as usize),
        };
        let has_global_regions = launch.facts.regions.iter().any(|region| region.is_global());
        if has_global_regions {
            for region in launch.facts.regions.iter().filter(|region| region.is_global()) {
                for range in &region.written {
                    global.written.mark(range.start as usize..range.end as usize);
                }
            }
        } else {
            for image in launch.memory.iter().filter(|image| image.space == ImageSpace::Global) {
                let start = image.address as usize;
                global.written.mark(start..start + 4 * image.words.len());
            }
        }
        let mut owners = vec![0; launch.params.len()];
        for (index, region) in launch.facts.regions.iter().enumerate() {
            let place = region.parameter.and_then(|word| owners.get_mut(word as usize));
            if let (Some(place), Ok(owner @ ..=254)) = (place, u8::try_from(index + 1)) {
                *place = owner;
            }
        }
        let mut divisors = vec![false; launch.program.len()];
        for pc in &launch.facts.divisors {
            if let Some(place) = divisors.get_mut(*pc as usize / 4) {
                *place = true;
            }
        }
        let launch = LaunchShadow {
            divisors,
            fences: launch.facts.fences.iter().copied().collect(),
            owners,
            has_global_regions,
            has_shared_regions: launch.facts.regions.iter().any(|region| region.is_shared()),
            launch: Launch {
                memory: Vec::new(),
                ..launch.clone()
            },
            global,
            table: AccessTable::default(),
            findings: Findings::default(),
        };
        Checker {
            launch,
            blocks: BTreeMap::new(),
            bar: None,
        }
    }

    /// The findings so far.
    pub fn findings(&self) -> &Findings {
        &self.launch.findings
    }

    /// The launch under check, without memory contents.
    pub fn launch(&self) -> &Launch {
        &self.launch.launch
    }

    /// The bytes of global memory in a range of addresses that were written, as sorted ranges.
    pub fn written(&self, range: Range<u32>) -> Vec<Range<u32>> {
        self.launch.global.written.ranges(range)
    }

    /// Drops the state of a block that has ended.
    pub(crate) fn end_block(&mut self, block: u32) {
        self.blocks.remove(&block);
    }
}

impl LaunchShadow {
    /// The shadow state of a block that begins, and of its warps.
    fn begin_block(&self) -> (BlockShadow, Vec<WarpShadow>) {
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
    fn parameters_end(&self) -> u32 {
        PARAMETERS_AT + 4 * self.launch.params.len() as u32
    }
}

/// Reports an execution to a checker and to a recorder.
pub(crate) struct Checked<'a, R> {
    pub recorder: &'a mut R,
    pub checker: &'a mut Checker,
    pub block: u32,
    pub warp: u32,
}

impl<R: Recorder> Recorder for Checked<'_, R> {
    fn inspect(&mut self, warp: &Warp, fetched: &Fetched, executed: u32, memories: &Memories<'_>) {
        self.checker
            .inspect((self.block, self.warp), warp, fetched, executed, memories);
    }

    fn done(&mut self, block: &Block) {
        self.checker.done((self.block, self.warp), block);
    }

    fn begin(&mut self, pc: u32, word: u64, active: u32, executed: u32) {
        self.recorder.begin(pc, word, active, executed);
    }

    fn register(&mut self, write: impl FnOnce() -> RegisterWrite) {
        self.recorder.register(write);
    }

    fn cc(&mut self, write: impl FnOnce() -> CcWrite) {
        self.recorder.cc(write);
    }

    fn address(&mut self, write: impl FnOnce() -> AddressWrite) {
        self.recorder.address(write);
    }

    fn post_increment(&mut self, write: impl FnOnce() -> AddressWrite) {
        self.recorder.post_increment(write);
    }

    fn memory(&mut self, effect: MemoryEffect) {
        self.recorder.memory(effect);
    }

    fn stack(&mut self, operation: StackOperation) {
        self.recorder.stack(operation);
    }

    fn barrier(&mut self, effect: BarrierEffect) {
        self.recorder.barrier(effect);
    }

    fn next(&mut self, next: Next) {
        self.recorder.next(next);
    }
}

/// The bits of a destination that an instruction writes.
fn written_bits(destination: Destination) -> u32 {
    use flexgrip_isa::RegisterPart;
    match destination {
        Destination::Register {
            part: RegisterPart::Low,
            ..
        } => 0xffff,
        Destination::Register {
            part: RegisterPart::High,
            ..
        } => 0xffff_0000,
        _ => u32::MAX,
    }
}
