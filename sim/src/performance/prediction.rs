//! Predicts the number of cycles that a kernel takes on the circuits, without simulating them.
//!
//! The golden model runs the kernel. The record of each warp instruction determines the resources that it occupies and
//! the results that it waits for. Their sums are lower bounds of the time, one for each scarce resource ([`Limit`]).
//! The prediction is the largest of them, plus the time until the first instruction can issue: a roofline model. It
//! assumes that all other work overlaps with the scarcest resource, so the machine is slower than predicted where two
//! resources are about equally scarce.
//!
//! Not modelled: bank conflicts (records do not contain the words of shared memory that an operand reads), and the time
//! for which ready warps wait while others issue. `docs/performance.md` states the resulting error.

use flexgrip_engines::circuits::host::blocks_per_sm;
use flexgrip_engines::engine::{Coalescing, Engine, Options};
use flexgrip_engines::error::RunError;
use flexgrip_engines::model::ModelEngine;
use flexgrip_engines::trace::ending::Ending;
use flexgrip_isa::{decode_at, Instruction, Operand, Operation, Resource, Unit};
use flexgrip_machine::{Launch, Retire};
use flexgrip_trace::coalescing::{requests, Access, Port};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Cycles from the issue of an instruction to the issue of an instruction that needs its result. `docs/pipeline.md`
/// lists them; they are measured by `sim/tests/performance/baselines.rs` and `sim/tests/performance/pipeline_bars.rs`.
mod cycles {
    /// The latency of an integer result.
    pub const INTEGER: u64 = 8;
    /// The latency of a condition code that a condition reads, with 8 lanes; with more lanes, the latency of an integer
    /// result.
    pub const CONDITION: u64 = 10;
    /// The latency of a float result.
    pub const FLOAT: u64 = 12;
    /// The latency of a special function's result.
    pub const SPECIAL: u64 = 32;
    /// The latency of a load, in addition to the memory latency and a cycle per request.
    pub const LOAD: u64 = 9;
    /// Additional cycles for an instruction with an operand from the operand collector.
    pub const GATHER: u64 = 12;
    /// Cycles to the next instruction of the same warp, without a dependency.
    pub const SAME_WARP: u64 = 5;
    /// Cycles to the first instruction of another path; [`STAYS`] is for a branch or join that stays on its path.
    pub const TAKEN: u64 = 10;
    /// Cycles to the next instruction after a branch or join that stays on its path; see [`TAKEN`].
    pub const STAYS: u64 = 8;
    /// The time from the release of a warp by a barrier to its next issue.
    pub const BARRIER: u64 = 8;
    /// The time from a warp's launch to its first issue.
    pub const FIRST_ISSUE: u64 = 8;
    /// The time from the moment at which the last warp would have continued to the end of the grid.
    pub const END: u64 = 3;
    /// The time for which a request awaits its response, in addition to the memory latency.
    pub const AWAITED: u64 = 2;
    /// The time that a warp's special function occupies both units.
    pub const SPECIAL_UNITS: u64 = 16;
}

/// The maximum number of an SM's read requests in flight.
const AWAITED_PLACES: u64 = 16;

/// The resource that bounds the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// The read stage: 32/LANES cycles per warp instruction, a store once per stored register. Also the warp scheduler:
    /// one cycle each, two with an operand from the collector.
    Issue,
    /// The write port: results of lanes, loads and special functions, LANES threads per cycle.
    Write,
    /// The longest chain of results that the next instruction waits for.
    Dependency,
    /// The memory port, with one request per cycle for all SMs together.
    Port,
    /// Reads in flight: by Little's law, 16 per SM per memory latency.
    Latency,
    /// The special function units.
    SpecialFunctions,
    /// The operand collector.
    Collector,
    /// Setting up blocks, one at a time.
    Blocks,
}

impl Limit {
    /// A short name for tables.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Issue => "issue",
            Limit::Write => "write port",
            Limit::Dependency => "dependency",
            Limit::Port => "memory port",
            Limit::Latency => "memory latency",
            Limit::SpecialFunctions => "special functions",
            Limit::Collector => "collector",
            Limit::Blocks => "blocks",
        }
    }
}

/// The predicted time of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The time from start to done, in cycles.
    pub cycles: u64,
    /// The resource that bounds the time.
    pub limit: Limit,
}

/// A warp's progress through its instructions, as if it were alone on the machine.
#[derive(Default)]
struct WarpTime {
    /// The earliest issue of its next instruction.
    next: u64,
    /// The cycle in which each register, by [`key`], is ready.
    ready: HashMap<Resource, u64>,
    /// The cycle in which all instructions in flight have completed.
    drained: u64,
    /// The barrier at which the warp waits, and the number of the opening.
    waits: Option<(u8, usize)>,
}

/// A barrier of a block: the last arrival for each opening, including the next one.
#[derive(Default)]
struct BarrierTime {
    arrivals: Vec<u64>,
    /// The number of arrivals since it last opened.
    count: u32,
}

#[derive(Default)]
struct BlockTime {
    warps: HashMap<u32, WarpTime>,
    barriers: HashMap<u8, BarrierTime>,
}

/// The total load on each resource of an SM, in cycles.
#[derive(Default)]
struct Totals {
    issue: u64,
    scheduler: u64,
    write: u64,
    requests: u64,
    reads: u64,
    special: u64,
    collector: u64,
}

/// The register that contains a resource; `None` for memories and other resources.
fn key(resource: Resource) -> Option<Resource> {
    match resource {
        Resource::Register { index, .. } => Some(Resource::Register {
            index,
            part: flexgrip_isa::RegisterPart::Full,
        }),
        Resource::Address(_) | Resource::ConditionCode(_) => Some(resource),
        _ => None,
    }
}

/// The number of registers of an access, and true for a store.
fn access(operation: Operation) -> Option<(u64, bool)> {
    match operation {
        Operation::Gld { access, .. } | Operation::Lld { access } => {
            Some((u64::from(access.bytes().div_ceil(4)), false))
        }
        Operation::Gst { access, .. } | Operation::Lst { access } => {
            Some((u64::from(access.bytes().div_ceil(4)), true))
        }
        _ => None,
    }
}

/// True if the operand collector fetches an operand.
fn gathers(instruction: &Instruction) -> bool {
    let own = |operand: &Operand| {
        matches!(operand, Operand::Shared { .. } | Operand::Constant { .. }) && operand.indirect().is_some()
    };
    let stores = matches!(instruction.operation(), Operation::R2g);
    matches!(instruction.operation(), Operation::Mvc { .. })
        || !stores && instruction.sources().iter().flatten().any(own)
}

fn unsupported(reason: String) -> RunError {
    RunError::Unsupported {
        engine: "prediction",
        reason,
    }
}

struct Account<'a> {
    options: &'a Options,
    /// The number of warps per block.
    warps: u32,
    totals: Totals,
    blocks: HashMap<u32, BlockTime>,
}

impl Account<'_> {
    fn lanes(&self) -> u64 {
        self.options.configuration.lanes.count().into()
    }

    fn beats(&self) -> u64 {
        32 / self.lanes()
    }

    /// The number of requests of a record's accesses.
    fn requests(&self, record: &Retire) -> u64 {
        let accesses: Vec<Access> = Access::of(record).collect();
        let port = Port {
            lanes: self.options.configuration.lanes.count(),
            strict: false,
        };
        requests(&accesses, port).iter().sum::<u32>().into()
    }

    fn add(&mut self, record: &Retire, instruction: &Instruction) {
        let (beats, latency) = (self.beats(), u64::from(self.options.memory_latency));
        let operation = instruction.operation();
        let access = access(operation);
        let requests = self.requests(record);
        let special = instruction.row().unit == Unit::SpecialFunction;
        let gathers = gathers(instruction);
        let collected = gathers || matches!(operation, Operation::R2g);
        let registers = access.map_or(1, |(registers, _)| registers);
        let store = access.is_some_and(|(_, store)| store);

        let totals = &mut self.totals;
        totals.issue += beats * if store { registers } else { 1 };
        // Operands from the collector enter the read stage in a separate cycle, in which no instruction issues.
        totals.scheduler += if gathers { 2 } else { 1 };
        // A store also takes a turn at the write port, but without a value.
        totals.write += beats * if store { 1 } else { registers };
        totals.requests += requests;
        if !store {
            totals.reads += requests;
        }
        if special {
            totals.special += cycles::SPECIAL_UNITS;
        }
        if collected {
            totals.collector += beats.max(2);
        }

        let block = self.blocks.entry(record.block).or_default();
        let warp = block.warps.entry(record.warp_in_block).or_default();
        if let Some((barrier, opening)) = warp.waits.take() {
            let arrived = block
                .barriers
                .get(&barrier)
                .and_then(|barrier| barrier.arrivals.get(opening));
            warp.next = warp.next.max(arrived.copied().unwrap_or(0) + cycles::BARRIER);
        }
        let mut issue = warp.next;
        let guard = instruction.predicate().register;
        for resource in instruction.reads().into_iter().chain(instruction.writes()) {
            let Some(register) = key(resource) else { continue };
            let Some(&ready) = warp.ready.get(&register) else {
                continue;
            };
            // The condition is needed for all beats before the first beat starts.
            let later = resource == Resource::ConditionCode(guard) && beats == 4 && ready > 0;
            issue = issue.max(ready + if later { cycles::CONDITION - cycles::INTEGER } else { 0 });
        }
        let next = record.next;
        let leaves = next.pc.is_none() || instruction.marker() == flexgrip_isa::Marker::Exit;
        if leaves {
            issue = issue.max(warp.drained);
        }
        let result = match access {
            Some((_, true)) => 0,
            // A beat without accesses also takes a turn. Registers arrive one by one.
            Some((registers, false)) => latency + cycles::LOAD + requests.max(beats) + (registers - 1) * beats,
            None if special => cycles::SPECIAL,
            None if instruction.row().unit == Unit::Float => cycles::FLOAT,
            None => cycles::INTEGER,
        };
        let result = issue + result + if gathers { cycles::GATHER } else { 0 };
        for register in instruction.writes().into_iter().filter_map(key) {
            warp.ready.insert(register, result);
            warp.drained = warp.drained.max(result);
        }
        let straight = next.pc == Some(record.pc + instruction.size());
        let step = match operation {
            Operation::Bar { .. } => cycles::BARRIER,
            _ if !straight => cycles::TAKEN,
            Operation::Bra { .. } | Operation::Ret | Operation::Brk | Operation::Kil => cycles::STAYS,
            _ if instruction.marker() == flexgrip_isa::Marker::Join => cycles::STAYS,
            _ if store => (beats * registers).max(cycles::SAME_WARP),
            _ => beats.max(cycles::SAME_WARP),
        };
        warp.next = issue + step;
        warp.drained = warp.drained.max(warp.next);
        if let Some(effect) = record.barrier {
            let barrier = block.barriers.entry(effect.barrier).or_default();
            let opening = barrier.arrivals.len() - usize::from(barrier.count > 0);
            if effect.waits {
                warp.waits = Some((effect.barrier, opening));
            }
            if effect.arrives {
                if barrier.count == 0 {
                    barrier.arrivals.push(0);
                }
                if let Some(last) = barrier.arrivals.last_mut() {
                    *last = (*last).max(issue);
                }
                barrier.count += 1;
                // Assumes that every barrier is for all warps and that no warp has ended, as in almost all kernels.
                if barrier.count >= self.warps {
                    barrier.count = 0;
                }
            }
        }
    }
}

/// Predicts the cycles of `launch` on a clocked engine. Among the options, only lanes, SMs, and the latency and size of
/// memory matter.
///
/// # Errors
/// The errors of the model; [`RunError::Kernel`] if the kernel does not complete; [`RunError::Unsupported`] for the
/// strict coalescing rule, whose requests are not modelled.
pub fn predict(launch: &Launch, options: &Options) -> Result<Prediction, RunError> {
    if options.coalescing != Coalescing::Segment {
        return Err(unsupported("supports only coalescing by segments".into()));
    }
    let mut account = Account {
        options,
        warps: launch.block_warps(),
        totals: Totals::default(),
        blocks: HashMap::new(),
    };
    let mut unknown = None;
    let mut observer = |record: &Retire| match decode_at(record.word, options.configuration.capability) {
        Ok(instruction) => {
            account.add(record, &instruction);
            ControlFlow::Continue(())
        }
        Err(error) => {
            unknown = Some(error);
            ControlFlow::Break(())
        }
    };
    let report = ModelEngine.run(launch, options, Some(&mut observer))?;
    if let Some(error) = unknown {
        return Err(unsupported(format!(
            "cannot predict a program with an illegal instruction: {error}"
        )));
    }
    if let Ending::Failed(error) = report.ending {
        return Err(RunError::Kernel(error));
    }
    let configuration = &options.configuration;
    let sms = u64::from(configuration.sms.max(1));
    let rows = launch.block_shared_bytes().div_ceil(64);
    let set_up = rows + 4 + launch.params.len() as u64;
    // Once per grid, the lanes' positions in the block are computed, one per cycle, while the first block is set up.
    let start = (3 + set_up).max(account.lanes() + 1) + account.beats() + cycles::FIRST_ISSUE;
    let warps_set_up = u64::from(launch.block_warps()) * account.beats();
    let resident = u64::from(blocks_per_sm(launch, configuration));

    // Each block gets the first free slot, once it is its turn to be set up.
    let mut places = vec![0_u64; (sms * resident) as usize];
    let mut turn = 0;
    for index in 0..launch.blocks() {
        let chain = account.blocks.get(&index).map_or(0, |block| {
            block.warps.values().map(|warp| warp.drained).max().unwrap_or(0)
        });
        let Some(place) = places.iter_mut().min() else { break };
        // The set-up of the first block is included in the start of the grid.
        let first = turn.max(*place) + if index == 0 { 0 } else { set_up };
        turn = first + warps_set_up;
        *place = first + chain;
    }
    let totals = &account.totals;
    let reads = totals.reads.div_ceil(sms) * (u64::from(options.memory_latency) + cycles::AWAITED) / AWAITED_PLACES;
    let of_an_sm = |total: u64| total.div_ceil(sms);
    let bounds = [
        (of_an_sm(totals.issue.max(totals.scheduler)), Limit::Issue),
        (of_an_sm(totals.write), Limit::Write),
        (places.iter().copied().max().unwrap_or(0), Limit::Dependency),
        (totals.requests, Limit::Port),
        (reads, Limit::Latency),
        (of_an_sm(totals.special), Limit::SpecialFunctions),
        (of_an_sm(totals.collector), Limit::Collector),
        (turn, Limit::Blocks),
    ];
    let (cycles, limit) = bounds
        .into_iter()
        .rev()
        .max_by_key(|(cycles, _)| *cycles)
        .unwrap_or((0, Limit::Issue));
    Ok(Prediction {
        cycles: start + cycles + cycles::END,
        limit,
    })
}
