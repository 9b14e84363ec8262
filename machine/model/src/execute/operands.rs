//! Reads operands and writes results: registers, condition codes, address registers, words of shared and constant
//! memory.

use super::context::{Cause, Memories, Recorder, Space};
use crate::lanes::{blend, only, Lanes, NO_LANES};
use crate::memory::Memory;
use crate::warp::Warp;
use flexgrip_isa::{Access, Destination, Indirect, Meaning, Operand};
use flexgrip_machine::{AddressWrite, CcWrite, ErrorKind, RegisterPart, RegisterWrite};

/// Source `index` (0 for source 1) in each lane; 0 everywhere if the instruction has no such source. A whole register
/// is returned by reference, any other operand is written to `room`.
// The common operands are inlined into the caller; the others are not.
#[inline(always)]
pub(crate) fn source<'w>(
    warp: &'w Warp,
    instruction: &Meaning,
    index: usize,
    executed: u32,
    memories: &Memories<'_>,
    room: &'w mut Room,
) -> Result<&'w Lanes, Cause> {
    match &instruction.sources[index] {
        None => Ok(&NO_LANES),
        Some(Operand::Register {
            index,
            part: RegisterPart::Full,
        }) => Ok(register(warp, *index)),
        Some(operand) => {
            let room = room.insert(NO_LANES);
            read(warp, operand, executed, memories, room)?;
            Ok(room)
        }
    }
}

/// Memory for an operand. `None` until it is used, as most are not.
pub(crate) type Room = Option<Lanes>;

/// Reads a source in each lane.
#[inline(never)]
fn read(warp: &Warp, operand: &Operand, executed: u32, memories: &Memories<'_>, room: &mut Lanes) -> Result<(), Cause> {
    match *operand {
        Operand::Register { index, part } => {
            *room = *register(warp, index);
            match part {
                RegisterPart::Full => {}
                RegisterPart::Low => room.iter_mut().for_each(|value| *value &= 0xffff),
                RegisterPart::High => room.iter_mut().for_each(|value| *value >>= 16),
            }
        }
        Operand::Immediate(value) => *room = [value; 32],
        Operand::Shared {
            offset,
            access,
            indirect,
        } => {
            let place = (Space::Shared, offset, indirect);
            read_memory(warp, executed, memories.shared, place, access, room)?;
        }
        Operand::Constant {
            bank,
            offset,
            access,
            indirect,
        } => {
            let place = (Space::Constant, offset, indirect);
            let bank = memories.constant.bank(u32::from(bank));
            // A missing bank has 0 bytes: all accesses are out of range.
            let none = Memory::new(0);
            read_memory(warp, executed, bank.unwrap_or(&none), place, access, room)?;
        }
        Operand::Address(index) => match warp.address_register(index) {
            None => *room = NO_LANES,
            Some(register) => widen(register, room),
        },
        // The register number has two bits.
        Operand::ConditionCode(index) => widen(&warp.cc[usize::from(index & 3)], room),
        Operand::Special(index) => {
            let values = memories.surroundings.register(index);
            *room = values.ok_or(Cause::of(ErrorKind::IllegalInstruction))?;
        }
        // Computing instructions have no local memory operand.
        Operand::Local { .. } => return Err(Cause::of(ErrorKind::IllegalInstruction)),
    }
    Ok(())
}

fn widen<T: Copy + Into<u32>>(values: &[T; 32], room: &mut Lanes) {
    for (lane, value) in room.iter_mut().zip(values) {
        *lane = (*value).into();
    }
}

pub(crate) fn register(warp: &Warp, index: u8) -> &Lanes {
    warp.registers.get(usize::from(index)).unwrap_or(&NO_LANES)
}

/// The byte addresses of an operand in shared or constant memory that has an address register, lane by lane.
pub(crate) fn addresses(warp: &Warp, offset: i32, indirect: Indirect) -> impl Fn(usize) -> u32 + '_ {
    let base = warp.address_register(indirect.register);
    let offset = if indirect.post_increment { 0 } else { offset as u16 };
    move |lane| u32::from(base.map_or(0, |base| base[lane]).wrapping_add(offset))
}

/// Like [`addresses`], for all lanes.
pub(super) fn all_addresses(warp: &Warp, offset: i32, indirect: Indirect, room: &mut Lanes) {
    let address = addresses(warp, offset, indirect);
    for (lane, place) in room.iter_mut().enumerate() {
        *place = address(lane);
    }
}

/// Reads an operand in shared or constant memory, extended to 32 bits. Only executing lanes read it and can fault; the
/// others get 0.
fn read_memory(
    warp: &Warp,
    executed: u32,
    memory: &Memory,
    (space, offset, indirect): (Space, i32, Option<Indirect>),
    access: Access,
    room: &mut Lanes,
) -> Result<(), Cause> {
    let mut values = [NO_LANES];
    let refused = |(fault, address)| Cause::access(space, fault, address);
    match indirect {
        _ if executed == 0 => {}
        // One read for all lanes, because most operands have no address register.
        None => {
            let address = offset as u32;
            let value = memory.read(address, access.bytes());
            values = [[value.map_err(|fault| refused((fault, address)))? as u32; 32]];
        }
        Some(indirect) => {
            let mut addresses = NO_LANES;
            all_addresses(warp, offset, indirect, &mut addresses);
            let read = memory.read_lanes(executed, &addresses, access.bytes(), &mut values);
            read.map_err(refused)?;
        }
    }
    [*room] = values;
    if access == Access::S16 {
        room.iter_mut().for_each(|value| *value = *value as i16 as u32);
    }
    Ok(())
}

/// Writes the destination, if the instruction has one that is kept.
pub(super) fn write_destination(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    values: &Lanes,
    recorder: &mut impl Recorder,
) {
    match instruction.destination {
        Destination::None | Destination::Discard => {}
        Destination::Register { index, part } => write_register(warp, index, part, executed, values, recorder),
        Destination::Address(index) => {
            if let Some(write) = write_address(warp, index, executed, |lane, _| values[lane] as u16) {
                recorder.address(write);
            }
        }
        Destination::ConditionCode(index) => {
            let mut codes = [0; 32];
            for (code, value) in codes.iter_mut().zip(values) {
                *code = *value as u8 & 15;
            }
            write_cc_register(warp, index, executed, &codes, recorder);
        }
    }
}

pub(super) fn write_register(
    warp: &mut Warp,
    index: u8,
    part: RegisterPart,
    executed: u32,
    values: &Lanes,
    recorder: &mut impl Recorder,
) {
    let Some(register) = warp.registers.get_mut(usize::from(index)) else {
        return;
    };
    if executed == 0 {
        return;
    }
    match part {
        RegisterPart::Full => blend(executed, values, register),
        RegisterPart::Low => {
            let mut whole = *register;
            for (whole, value) in whole.iter_mut().zip(values) {
                *whole = *whole & 0xffff_0000 | value & 0xffff;
            }
            blend(executed, &whole, register);
        }
        RegisterPart::High => {
            let mut whole = *register;
            for (whole, value) in whole.iter_mut().zip(values) {
                *whole = *whole & 0xffff | value << 16;
            }
            blend(executed, &whole, register);
        }
    }
    recorder.register(|| {
        let mut values = only(executed, values);
        if part != RegisterPart::Full {
            values.iter_mut().for_each(|value| *value &= 0xffff);
        }
        RegisterWrite {
            register: index,
            part,
            values,
        }
    });
}

/// Writes an address register with the results of `value` for each lane and its old value; returns the write for a
/// record, if any: writes to A0 are dropped.
pub(super) fn write_address(
    warp: &mut Warp,
    register: u8,
    executed: u32,
    value: impl Fn(usize, u16) -> u16,
) -> Option<impl FnOnce() -> AddressWrite> {
    let place = warp.address.get_mut(usize::from(register.checked_sub(1)?))?;
    if executed == 0 {
        return None;
    }
    let mut values = *place;
    for (lane, old) in values.iter_mut().enumerate() {
        *old = value(lane, *old);
    }
    blend(executed, &values, place);
    Some(move || AddressWrite {
        register,
        values: only(executed, &values),
    })
}

/// Writes the result's condition code, if the instruction names a register for it.
pub(super) fn write_cc(
    warp: &mut Warp,
    instruction: &Meaning,
    executed: u32,
    codes: &[u8; 32],
    recorder: &mut impl Recorder,
) {
    if let Some(index) = instruction.cc_write {
        write_cc_register(warp, index, executed, codes, recorder);
    }
}

pub(super) fn write_cc_register(
    warp: &mut Warp,
    index: u8,
    executed: u32,
    codes: &[u8; 32],
    recorder: &mut impl Recorder,
) {
    let index = index & 3;
    if executed == 0 {
        return;
    }
    let register = &mut warp.cc[usize::from(index)];
    blend(executed, codes, register);
    recorder.cc(|| CcWrite {
        register: index,
        values: only(executed, codes),
    });
}
