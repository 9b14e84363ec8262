//! Loads and stores: global, local and shared memory.

use super::context::{Cause, LaneAccesses, Memories, Recorder, Space};
use super::operands::{all_addresses, register, source, write_register, Room};
use crate::lanes::{lanes_of, Lanes, NO_LANES};
use crate::memory::AccessFault;
use crate::warp::Warp;
use flexgrip_isa::{Destination, Meaning, MemoryAccess, Operand};
use flexgrip_machine::{ErrorKind, MemorySpace, RegisterPart};

/// The registers of an access of `bytes` bytes, from `first` upward; none follow R127.
pub(crate) fn registers_of(first: u8, bytes: u32) -> impl Iterator<Item = u8> {
    (first..=127).take(bytes.div_ceil(4) as usize)
}

/// The addresses of a load or store, and true if they are in local memory.
pub(crate) fn access_addresses<'w>(
    warp: &'w Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &Memories<'_>,
    room: &'w mut Room,
) -> Result<(&'w Lanes, bool), Cause> {
    match instruction.sources[0] {
        Some(Operand::Local { offset, indirect: None }) => Ok((room.insert([offset as u32; 32]), true)),
        Some(Operand::Local {
            offset,
            indirect: Some(indirect),
        }) => {
            let room = room.insert(NO_LANES);
            all_addresses(warp, offset, indirect, room);
            Ok((room, true))
        }
        _ => Ok((source(warp, instruction, 0, executed, memories, room)?, false)),
    }
}

/// GLD, LLD: each lane loads from the address in source 1, eight and sixteen bytes into consecutive registers.
pub(super) fn load(
    warp: &mut Warp,
    instruction: &Meaning,
    access: MemoryAccess,
    executed: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    match access.bytes() {
        8 => load_words::<2>(warp, instruction, access, executed, memories, recorder),
        16 => load_words::<4>(warp, instruction, access, executed, memories, recorder),
        _ => load_words::<1>(warp, instruction, access, executed, memories, recorder),
    }
}

fn load_words<const WORDS: usize>(
    warp: &mut Warp,
    instruction: &Meaning,
    access: MemoryAccess,
    executed: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let bytes = access.bytes();
    let mut room = None;
    let (addresses, local) = access_addresses(warp, instruction, executed, memories, &mut room)?;
    let lanes = LaneAccesses {
        space: if local { MemorySpace::Local } else { MemorySpace::Global },
        lanes: executed,
        addresses,
        bytes,
        stored: &[],
    };
    let other = recorder.access(&lanes, memories.global);
    let mut loaded = [NO_LANES; WORDS];
    if local {
        for lane in lanes_of(executed) {
            let memory = memories.local.get(lane);
            let memory = memory.ok_or(Cause::access(Space::Local, AccessFault::OutOfRange, addresses[lane]))?;
            let read = memory.read_lanes(1 << lane, addresses, bytes, &mut loaded);
            read.map_err(|(fault, address)| Cause::access(Space::Local, fault, address))?;
        }
    } else {
        let global = other.unwrap_or(memories.global);
        let read = global.read_lanes(executed, addresses, bytes, &mut loaded);
        read.map_err(|(fault, address)| Cause::access(Space::Global, fault, address))?;
    }
    recorder.accessed(&lanes, &loaded.each_ref());
    match access {
        MemoryAccess::S8 => loaded[0].iter_mut().for_each(|value| *value = *value as i8 as u32),
        MemoryAccess::S16 => loaded[0].iter_mut().for_each(|value| *value = *value as i16 as u32),
        _ => {}
    }
    if let Destination::Register { index, .. } = instruction.destination {
        for (register, values) in registers_of(index, bytes).zip(&loaded) {
            write_register(warp, register, RegisterPart::Full, executed, values, recorder);
        }
    }
    Ok(())
}

/// GST, LST: each lane stores source 3, or the consecutive registers starting there, to the address in source 1. Lanes
/// store in order.
pub(super) fn store(
    warp: &mut Warp,
    instruction: &Meaning,
    access: MemoryAccess,
    executed: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    match access.bytes() {
        8 => store_words::<2>(warp, instruction, access.bytes(), executed, memories, recorder),
        16 => store_words::<4>(warp, instruction, access.bytes(), executed, memories, recorder),
        bytes => store_words::<1>(warp, instruction, bytes, executed, memories, recorder),
    }
}

fn store_words<const WORDS: usize>(
    warp: &mut Warp,
    instruction: &Meaning,
    bytes: u32,
    executed: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let Some(Operand::Register { index, .. }) = instruction.sources[2] else {
        return Err(Cause::of(ErrorKind::IllegalInstruction));
    };
    let mut room = None;
    let (addresses, local) = access_addresses(warp, instruction, executed, memories, &mut room)?;
    let mut stored = [&NO_LANES; WORDS];
    for (row, number) in stored.iter_mut().zip(registers_of(index, bytes)) {
        *row = register(warp, number);
    }
    let lanes = LaneAccesses {
        space: if local { MemorySpace::Local } else { MemorySpace::Global },
        lanes: executed,
        addresses,
        bytes,
        stored: &stored,
    };
    recorder.access(&lanes, memories.global);
    if local {
        for lane in lanes_of(executed) {
            let memory = memories.local.get_mut(lane);
            let memory = memory.ok_or(Cause::access(Space::Local, AccessFault::OutOfRange, addresses[lane]))?;
            let written = memory.write_lanes(1 << lane, addresses, bytes, &stored);
            written.map_err(|(fault, address)| Cause::access(Space::Local, fault, address))?;
        }
    } else {
        let written = memories.global.write_lanes(executed, addresses, bytes, &stored);
        written.map_err(|(fault, address)| Cause::access(Space::Global, fault, address))?;
    }
    recorder.accessed(&lanes, &stored);
    Ok(())
}

/// The byte addresses of source 1 in shared memory, by lane; `None` if the instruction does not have one there.
pub(crate) fn shared_addresses(warp: &Warp, instruction: &Meaning) -> Option<Lanes> {
    let Some(Operand::Shared { offset, indirect, .. }) = instruction.sources[0] else {
        return None;
    };
    let mut addresses = [offset as u32; 32];
    if let Some(indirect) = indirect {
        all_addresses(warp, offset, indirect, &mut addresses);
    }
    Some(addresses)
}

/// R2G: each lane stores source 3 to the shared memory operand in source 1, lane by lane.
pub(super) fn store_shared(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let Some(Operand::Shared { access, .. }) = instruction.sources[0] else {
        return Err(Cause::of(ErrorKind::IllegalInstruction));
    };
    let bytes = access.bytes();
    let mut room = None;
    let values = source(warp, instruction, 2, executed, memories, &mut room)?;
    let addresses = shared_addresses(warp, instruction).ok_or(Cause::of(ErrorKind::IllegalInstruction))?;
    let stored = [values];
    let lanes = LaneAccesses {
        space: MemorySpace::Shared,
        lanes: executed,
        addresses: &addresses,
        bytes,
        stored: &stored,
    };
    recorder.access(&lanes, memories.global);
    let written = memories.shared.write_lanes(executed, &addresses, bytes, &stored);
    written.map_err(|(fault, address)| Cause::access(Space::Shared, fault, address))?;
    recorder.accessed(&lanes, &stored);
    Ok(())
}
