//! The golden model as an engine.

use super::device::Engine;
use super::stop::Stop;
use flexgrip_compiler::launch::words;
use flexgrip_machine::sizes::WARP_THREADS;
use flexgrip_machine::{Launch, Watched};
use flexgrip_model::check::Checker;
use flexgrip_model::Machine;
use std::num::NonZeroUsize;

/// Runs a launch on all cores of the computer. The model has no clock: it returns a lower bound for the cycles of the
/// circuits, the cycles for issuing all warp instructions to the lanes one after another.
pub(super) fn run(
    engine: Engine,
    launch: Launch,
    memory: &mut Vec<u8>,
    limit: u64,
    watched: Watched,
    check: bool,
) -> (Result<u64, Stop>, Option<Checker>) {
    let jobs = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let machine = engine.machine(memory.len() as u32);
    let loaded = Machine::new(launch, machine).and_then(|mut machine| {
        if check {
            machine.check();
        }
        machine.carry_over(&words(memory))?;
        Ok(machine)
    });
    let mut machine = match loaded {
        Ok(machine) => machine,
        Err(error) => return (Err(Stop::Engine(error.to_string())), None),
    };
    machine.watch(watched);
    let result = machine.run_parallel(limit, jobs);
    memory.clear();
    memory.extend_from_slice(machine.global().bytes());
    let beats = u64::from(WARP_THREADS / engine.lanes.count());
    let cycles = machine.outcome().warp_instructions.saturating_mul(beats);
    (result.map(|_| cycles).map_err(Stop::Kernel), machine.checker().cloned())
}
