//! Programs of a capability, and the state after a run.

use flexgrip_isa::{assemble_at, Capability};
use flexgrip_machine::{Configuration, ImageSpace, KernelError, Launch, MemoryImage, Retire};
use flexgrip_model::Machine;

/// Limit of warp instructions, more than any program here executes.
pub const LIMIT: u64 = 1_000_000;

/// A launch of one block of `threads` threads at 1.3 with these words from global address 0 on.
#[track_caller]
pub fn launch(text: &str, threads: u32, words: &[u32]) -> Launch {
    let program = assemble_at(text, "test", Capability::V1_3).unwrap_or_else(|errors| {
        let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\n{text}", lines.join("\n"))
    });
    Launch {
        capability: Capability::V1_3,
        program: program.words,
        block: [threads, 1, 1],
        registers: 16,
        shared_bytes: 1024,
        memory: vec![MemoryImage {
            space: ImageSpace::Global,
            address: 0,
            words: words.to_vec(),
        }],
        ..Launch::default()
    }
}

/// A machine of a capability.
pub fn configuration(capability: Capability) -> Configuration {
    Configuration {
        capability,
        ..Configuration::default()
    }
}

#[track_caller]
pub fn machine(launch: Launch) -> Machine {
    Machine::new(launch, configuration(Capability::V1_3)).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs to the end. Returns the machine and the records.
#[track_caller]
pub fn run(launch: Launch) -> (Machine, Vec<Retire>) {
    let mut machine = machine(launch);
    let mut records = Vec::new();
    let result = machine.run_observed(LIMIT, |record| records.push(record.clone()));
    result.unwrap_or_else(|error| panic!("{error}"));
    (machine, records)
}

/// Runs to an error.
#[track_caller]
pub fn fails(launch: Launch) -> KernelError {
    machine(launch).run(LIMIT).expect_err("an error")
}

/// The first words of global memory.
pub fn words(machine: &Machine, count: usize) -> Vec<u32> {
    machine.global().words().take(count).collect()
}

/// The record of the instruction with this index among the instructions that warp 0 of block 0 executed.
pub fn record(records: &[Retire], number: usize) -> &Retire {
    let own = records
        .iter()
        .filter(|record| (record.block, record.warp_in_block) == (0, 0));
    own.into_iter().nth(number).expect("so many instructions")
}
