//! Atomic operations on global memory, and locked accesses to shared memory.

use super::context::{Cause, LaneAccesses, Memories, Recorder, Space};
use super::memory_access::{registers_of, shared_addresses, store_shared};
use super::operands::{register, source, write_cc, write_register};
use crate::lanes::{lanes_of, Lanes, NO_LANES};
use crate::warp::Warp;
use flexgrip_arith::Cc;
use flexgrip_isa::{Atomic, Destination, Meaning, Operand};
use flexgrip_machine::{ErrorKind, MemorySpace, RegisterPart};

/// A register operand of 32 or 64 bits in each lane, as its low and its high word.
fn words_of(warp: &Warp, operand: Option<Operand>, bytes: u32) -> [Lanes; 2] {
    let mut words = [NO_LANES; 2];
    if let Some(Operand::Register { index, .. }) = operand {
        for (row, number) in words.iter_mut().zip(registers_of(index, bytes)) {
            *row = *register(warp, number);
        }
    }
    words
}

fn value(words: &[Lanes; 2], lane: usize) -> u64 {
    u64::from(words[1][lane]) << 32 | u64::from(words[0][lane])
}

fn set(words: &mut [Lanes; 2], lane: usize, value: u64) {
    (words[0][lane], words[1][lane]) = (value as u32, (value >> 32) as u32);
}

/// An access to global memory.
fn access<'a>(lanes: u32, addresses: &'a Lanes, bytes: u32, stored: &'a [&'a Lanes]) -> LaneAccesses<'a> {
    LaneAccesses {
        space: MemorySpace::Global,
        lanes,
        addresses,
        bytes,
        stored,
    }
}

/// GATOM, GRED: the executing lanes, lowest first, each replace a word of memory at the address in source 1. All
/// operands are read first. The destination, if there is one, gets the old words.
pub(super) fn atomic(
    warp: &mut Warp,
    instruction: &Meaning,
    atomic: Atomic,
    executed: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let bytes = atomic.bytes();
    let mut room = None;
    let addresses = *source(warp, instruction, 0, executed, memories, &mut room)?;
    let b = words_of(warp, instruction.sources[1], bytes);
    let c = words_of(warp, instruction.sources[2], bytes);
    let mut old = [NO_LANES; 2];
    let mut new = [NO_LANES; 2];
    let count = (bytes / 4) as usize;
    // The words are read and written; which values are written is not known yet.
    recorder.access(&access(executed, &addresses, bytes, &[]), memories.global);
    let stored = [&b[0], &b[1]];
    recorder.access(&access(executed, &addresses, bytes, &stored[..count]), memories.global);
    for lane in lanes_of(executed) {
        let address = addresses[lane];
        let refused = |fault| Cause::access(Space::Global, fault, address);
        let memory = memories.global.read(address, bytes).map_err(refused)? as u64;
        let result = atomic.compute(memory, value(&b, lane), value(&c, lane));
        memories.global.write(address, bytes, result.into()).map_err(refused)?;
        set(&mut old, lane, memory);
        set(&mut new, lane, result);
        let loaded = [&old[0], &old[1]];
        recorder.accessed(&access(1 << lane, &addresses, bytes, &[]), &loaded[..count]);
        let stored = [&new[0], &new[1]];
        let stored = &stored[..count];
        recorder.accessed(&access(1 << lane, &addresses, bytes, stored), stored);
    }
    if let Destination::Register { index, .. } = instruction.destination {
        for (number, values) in registers_of(index, bytes).zip(&old) {
            write_register(warp, number, RegisterPart::Full, executed, values, recorder);
        }
    }
    Ok(())
}

/// G2R.LCK: one lane at most locks its word and loads it. The condition code tells which lane did.
pub(super) fn load_locked(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let mut room = None;
    // Every executing lane's access is checked.
    let values = *source(warp, instruction, 0, executed, memories, &mut room)?;
    let addresses = shared_addresses(warp, instruction).ok_or(Cause::of(ErrorKind::IllegalInstruction))?;
    let mut codes = [Cc::of_set(false).bits(); 32];
    if let Some(lane) = memories.locks.winner(memories.warp, executed, &addresses) {
        memories.locks.lock(memories.warp, lane, addresses[lane]);
        codes[lane] = Cc::of_set(true).bits();
        if let Destination::Register { index, part } = instruction.destination {
            write_register(warp, index, part, 1 << lane, &values, recorder);
        }
    }
    write_cc(warp, instruction, executed, &codes, recorder);
    Ok(())
}

/// R2G.UNL: stores as R2G, then unlocks the words that the warp has locked.
pub(super) fn store_unlocking(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    store_shared(warp, instruction, executed, memories, recorder)?;
    let addresses = shared_addresses(warp, instruction).ok_or(Cause::of(ErrorKind::IllegalInstruction))?;
    for lane in lanes_of(executed) {
        memories.locks.unlock(memories.warp, addresses[lane]);
    }
    Ok(())
}
