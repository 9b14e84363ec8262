//! Reads operands and writes results: registers, condition codes, address registers, words of shared and constant memory.

use super::context::{for_lanes, lanes_of, Cause, Lanes, Memories, Recorder, Space, NO_LANES};
use crate::warp::Warp;
use flexgrip_isa::{Access, Destination, Indirect, Meaning, Operand};
use flexgrip_machine::{AddressWrite, CcWrite, ErrorKind, Part, RegisterWrite};

/// Source `index` (0 for source 1) in each lane; 0 everywhere if the instruction has no such source. A whole register is
/// read where it is, everything else into `room`.
// What most operands are becomes a part of the caller; the rest does not.
#[inline(always)]
pub(crate) fn source<'w>(
    warp: &'w Warp,
    instruction: &Meaning,
    index: usize,
    executed: u32,
    memories: &Memories<'_>,
    room: &'w mut Lanes,
) -> Result<&'w Lanes, Cause> {
    match &instruction.sources[index] {
        None => return Ok(&NO_LANES),
        Some(Operand::Register {
            index,
            part: Part::Full,
        }) => return Ok(register(warp, *index)),
        Some(operand) => read(warp, operand, executed, memories, room)?,
    }
    Ok(room)
}

/// Reads a source in each lane.
#[inline(never)]
fn read(warp: &Warp, operand: &Operand, executed: u32, memories: &Memories<'_>, room: &mut Lanes) -> Result<(), Cause> {
    *room = match *operand {
        Operand::Register { index, part } => {
            let register = register(warp, index);
            match part {
                Part::Full => *register,
                Part::Low => register.map(|value| value & 0xffff),
                Part::High => register.map(|value| value >> 16),
            }
        }
        Operand::Immediate(value) => [value; 32],
        Operand::Shared {
            offset,
            access,
            indirect,
        } => read_memory(warp, executed, offset, indirect, |address| {
            let value = memories.shared.read(address, access.bytes());
            value
                .map(|value| extend(access, value))
                .map_err(|fault| Cause::access(Space::Shared, fault, address))
        })?,
        Operand::Constant {
            bank,
            offset,
            access,
            indirect,
        } => read_memory(warp, executed, offset, indirect, |address| {
            let value = memories.constant.read(u32::from(bank), address, access.bytes());
            value
                .map(|value| extend(access, value))
                .map_err(|fault| Cause::access(Space::Constant, fault, address))
        })?,
        Operand::Address(index) => warp
            .address_register(index)
            .map_or([0; 32], |register| register.map(u32::from)),
        // There are four, selected by two bits.
        Operand::ConditionCode(index) => warp.cc[usize::from(index & 3)].map(u32::from),
        Operand::Special(index) => {
            let values = memories.surroundings.register(index);
            values.ok_or(Cause::of(ErrorKind::IllegalInstruction))?
        }
        // Computing instructions have no local memory operand.
        Operand::Local { .. } => return Err(Cause::of(ErrorKind::IllegalInstruction)),
    };
    Ok(())
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

/// Reads an operand in shared or constant memory. Only executing lanes read it and can fault.
pub(super) fn read_memory(
    warp: &Warp,
    executed: u32,
    offset: i32,
    indirect: Option<Indirect>,
    read: impl Fn(u32) -> Result<u32, Cause>,
) -> Result<Lanes, Cause> {
    let mut values = [0; 32];
    match indirect {
        _ if executed == 0 => {}
        // One read for all lanes, since most operands have no address register.
        None => values = [read(offset as u32)?; 32],
        Some(indirect) => {
            let address = addresses(warp, offset, indirect);
            for lane in lanes_of(executed) {
                values[lane] = read(address(lane))?;
            }
        }
    }
    Ok(values)
}

/// The operand's bytes, extended to 32 bits.
pub(super) fn extend(access: Access, value: u128) -> u32 {
    match access {
        Access::S16 => value as u16 as i16 as u32,
        Access::U8 | Access::U16 | Access::B32 => value as u32,
    }
}

/// Writes the destination, if the instruction has one that keeps its value.
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
            if let Some(write) = write_address(warp, index, executed, |lane| values[lane] as u16) {
                recorder.address(|| write);
            }
        }
        Destination::ConditionCode(index) => {
            let codes = values.map(|value| value as u8 & 15);
            write_cc_register(warp, index, executed, &codes, recorder);
        }
    }
}

pub(super) fn write_register(
    warp: &mut Warp,
    index: u8,
    part: Part,
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
        Part::Full => for_lanes(executed, |lane| register[lane] = values[lane]),
        Part::Low => for_lanes(executed, |lane| {
            register[lane] = register[lane] & 0xffff_0000 | values[lane] & 0xffff;
        }),
        Part::High => for_lanes(executed, |lane| {
            register[lane] = register[lane] & 0xffff | values[lane] << 16;
        }),
    }
    recorder.register(|| {
        let mask = if part == Part::Full { u32::MAX } else { 0xffff };
        RegisterWrite {
            register: index,
            part,
            values: values.map(|value| value & mask),
        }
    });
}

/// Writes an address register; returns the write, if any: A0 keeps nothing.
pub(super) fn write_address(
    warp: &mut Warp,
    register: u8,
    executed: u32,
    value: impl Fn(usize) -> u16,
) -> Option<AddressWrite> {
    let place = warp.address.get_mut(usize::from(register.checked_sub(1)?))?;
    if executed == 0 {
        return None;
    }
    let mut values = [0; 32];
    for lane in lanes_of(executed) {
        values[lane] = value(lane);
        place[lane] = values[lane];
    }
    Some(AddressWrite { register, values })
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
    for_lanes(executed, |lane| register[lane] = codes[lane]);
    recorder.cc(|| CcWrite {
        register: index,
        values: *codes,
    });
}
