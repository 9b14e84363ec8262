//! Loads and stores: global, local and shared memory.

use super::context::{lanes_of, Cause, Lanes, Memories, Recorder, Space, NO_LANES};
use super::operands::{addresses, register, source, write_register};
use crate::memory::Memory;
use crate::warp::Warp;
use flexgrip_isa::{Destination, Meaning, MemoryAccess, Operand};
use flexgrip_machine::{ErrorKind, MemoryEffect, MemorySpace, Part};

/// The registers of an access of `bytes` bytes, from `first` on; none follow R127.
pub(super) fn registers_of(first: u8, bytes: u32) -> impl Iterator<Item = u8> {
    (first..=127).take(bytes.div_ceil(4) as usize)
}

/// The memory that a lane accesses, and its name.
pub(super) fn accessed<'a>(
    memories: &'a mut Memories<'_>,
    local: bool,
    lane: usize,
) -> (&'a mut Memory, Space, MemorySpace) {
    match memories.local.get_mut(lane) {
        Some(memory) if local => (memory, Space::Local, MemorySpace::Local),
        _ => (memories.global, Space::Global, MemorySpace::Global),
    }
}

/// The addresses of a load or store, and whether they are in local memory.
pub(crate) fn access_addresses<'w>(
    warp: &'w Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &Memories<'_>,
    room: &'w mut Lanes,
) -> Result<(&'w Lanes, bool), Cause> {
    match instruction.sources[0] {
        Some(Operand::Local { offset, indirect: None }) => *room = [offset as u32; 32],
        Some(Operand::Local {
            offset,
            indirect: Some(indirect),
        }) => *room = std::array::from_fn(addresses(warp, offset, indirect)),
        _ => return Ok((source(warp, instruction, 0, executed, memories, room)?, false)),
    }
    Ok((room, true))
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
    let bytes = access.bytes();
    let mut room = NO_LANES;
    let (addresses, local) = access_addresses(warp, instruction, executed, memories, &mut room)?;
    let mut loaded = [0; 32];
    for lane in lanes_of(executed) {
        let address = addresses[lane];
        let (memory, space, recorded) = accessed(memories, local, lane);
        let data = memory
            .read(address, bytes)
            .map_err(|fault| Cause::access(space, fault, address))?;
        loaded[lane] = match access {
            MemoryAccess::S8 => data as u8 as i8 as u32 as u128,
            MemoryAccess::S16 => data as u16 as i16 as u32 as u128,
            _ => data,
        };
        recorder.memory(effect(recorded, false, lane, address, bytes, data));
    }
    if let Destination::Register { index, .. } = instruction.destination {
        for (part, register) in registers_of(index, bytes).enumerate() {
            let values = loaded.map(|data| (data >> (32 * part)) as u32);
            write_register(warp, register, Part::Full, executed, &values, recorder);
        }
    }
    Ok(())
}

/// GST, LST: each lane stores source 3, or the consecutive registers from there on, to the address in source 1, lane by
/// lane.
pub(super) fn store(
    warp: &mut Warp,
    instruction: &Meaning,
    access: MemoryAccess,
    executed: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let bytes = access.bytes();
    let Some(Operand::Register { index, .. }) = instruction.sources[2] else {
        return Err(Cause::of(ErrorKind::IllegalInstruction));
    };
    let mut room = NO_LANES;
    let (addresses, local) = access_addresses(warp, instruction, executed, memories, &mut room)?;
    let mut stored = [0; 32];
    for (part, number) in registers_of(index, bytes).enumerate() {
        for (data, value) in stored.iter_mut().zip(register(warp, number)) {
            *data |= u128::from(*value) << (32 * part);
        }
    }
    for lane in lanes_of(executed) {
        let address = addresses[lane];
        let data = stored[lane] & (u128::MAX >> (128 - 8 * bytes));
        let (memory, space, recorded) = accessed(memories, local, lane);
        memory
            .write(address, bytes, data)
            .map_err(|fault| Cause::access(space, fault, address))?;
        recorder.memory(effect(recorded, true, lane, address, bytes, data));
    }
    Ok(())
}

/// R2G: each lane stores source 3 to the shared memory operand in source 1, lane by lane.
pub(super) fn store_shared(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    memories: &mut Memories<'_>,
    recorder: &mut impl Recorder,
) -> Result<(), Cause> {
    let Some(Operand::Shared {
        offset,
        access,
        indirect,
    }) = instruction.sources[0]
    else {
        return Err(Cause::of(ErrorKind::IllegalInstruction));
    };
    let bytes = access.bytes();
    let mut room = NO_LANES;
    let values = source(warp, instruction, 2, executed, memories, &mut room)?;
    let place = indirect.map(|indirect| addresses(warp, offset, indirect));
    for lane in lanes_of(executed) {
        let address = place.as_ref().map_or(offset as u32, |place| place(lane));
        let data = u128::from(values[lane]) & ((1 << (8 * bytes)) - 1);
        memories
            .shared
            .write(address, bytes, data)
            .map_err(|fault| Cause::access(Space::Shared, fault, address))?;
        recorder.memory(effect(MemorySpace::Shared, true, lane, address, bytes, data));
    }
    Ok(())
}

pub(super) fn effect(
    space: MemorySpace,
    store: bool,
    lane: usize,
    address: u32,
    bytes: u32,
    data: u128,
) -> MemoryEffect {
    MemoryEffect {
        space,
        store,
        lane: lane as u8,
        address,
        bytes: bytes as u8,
        data,
    }
}
