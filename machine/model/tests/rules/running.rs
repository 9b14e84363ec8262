//! Runs programs of words on the model, and reads the results.

use flexgrip_machine::{Configuration, Entry, EntryKind, KernelError, Launch, Retire, StackOperation};
use flexgrip_model::Machine;

pub fn program(words: &[u64]) -> Vec<u32> {
    words
        .iter()
        .flat_map(|&word| [word as u32, (word >> 32) as u32])
        .collect()
}

pub fn launch(words: &[u64]) -> Launch {
    Launch {
        program: program(words),
        block: [32, 1, 1],
        registers: 16,
        ..Launch::default()
    }
}

pub fn machine(launch: Launch) -> Machine {
    Machine::new(launch, Configuration::default()).expect("a launch that fits")
}

/// Runs to the end or to an error. Returns the machine, the records and the result.
pub fn run(launch: Launch) -> (Machine, Vec<Retire>, Result<(), KernelError>) {
    let mut machine = machine(launch);
    let mut records = Vec::new();
    let result = machine.run_observed(10_000, |record| records.push(record.clone()));
    (machine, records, result.map(|_| ()))
}

pub fn finished(words: &[u64]) -> Vec<Retire> {
    let (_, records, result) = run(launch(words));
    result.unwrap_or_else(|error| panic!("{error}"));
    records
}

#[track_caller]
pub fn fails(launch: Launch) -> KernelError {
    run(launch).2.expect_err("an error")
}

/// PC, active mask and execution mask of each record.
pub fn path(records: &[Retire]) -> Vec<(u32, u32, u32)> {
    records
        .iter()
        .map(|record| (record.pc, record.active, record.executed))
        .collect()
}

/// Executes `count` instructions of warp 0 of block 0 and returns a register in all lanes.
#[track_caller]
pub fn register_after(launch: Launch, count: usize, register: usize) -> [u32; 32] {
    let mut machine = machine(launch);
    for _ in 0..count {
        machine.step_warp(0, 0).unwrap_or_else(|error| panic!("{error}"));
    }
    machine.block(0).expect("still running").warps[0].registers[register]
}

pub fn by_lane(value: impl Fn(u32) -> u32) -> [u32; 32] {
    std::array::from_fn(|lane| value(lane as u32))
}

pub const ALL: u32 = u32::MAX;

pub fn push(kind: EntryKind, mask: u32, pc: u32) -> StackOperation {
    StackOperation::Push(Entry { kind, mask, pc })
}

pub fn pop(kind: EntryKind, mask: u32, pc: u32) -> StackOperation {
    StackOperation::Pop(Entry { kind, mask, pc })
}
