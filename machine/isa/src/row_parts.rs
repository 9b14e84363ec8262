//! The parts of a row, each read from a word separately: which fields are meaningful in that word, and the operands
//! they form.

use crate::operation::*;
use crate::table::field::{Field, Reader};
use crate::table::*;

/// A field and its undefined value.
pub(crate) type Undefined = (&'static Field, u32);

/// A part of a row with fields that are read together and independently of the other parts.
#[derive(Clone, Copy)]
pub(crate) enum RowPart {
    Marker,
    Guard,
    ConditionCodeWrite,
    Suffix(&'static Suffix),
    Slot(&'static Slot),
}

impl RowPart {
    /// The parts of a row, in the order in which undefined fields are reported.
    pub fn of(row: &'static Row) -> impl Iterator<Item = RowPart> {
        let marker = (row.form() == Form::Long).then_some(RowPart::Marker);
        let guard = (row.guard == Guard::Conditional).then_some(RowPart::Guard);
        let condition_code = row.writes_cc.then_some(RowPart::ConditionCodeWrite);
        marker
            .into_iter()
            .chain(guard)
            .chain(condition_code)
            .chain(row.suffixes.iter().map(RowPart::Suffix))
            .chain(row.slots.iter().map(RowPart::Slot))
    }

    /// Reads the fields that are meaningful in the word.
    ///
    /// # Errors
    /// The first field with an undefined value.
    pub fn read(self, reader: &mut Reader) -> Result<(), Undefined> {
        match self {
            RowPart::Marker => {
                reader.get(&MARKER);
            }
            RowPart::Guard => {
                reader.get(&CONDITION_REGISTER);
                let code = reader.get(&CONDITION);
                Condition::from_code(code).ok_or((&CONDITION, code))?;
            }
            RowPart::ConditionCodeWrite => {
                if reader.get(&CC_ENABLE) != 0 {
                    reader.get(&CC_REGISTER);
                }
            }
            RowPart::Suffix(Suffix::Names(field, names)) => {
                named(reader, field, names)?;
            }
            RowPart::Suffix(Suffix::WithoutEffect(flags, field, names)) => {
                // Every flag is read, even if another one is set.
                if flags.iter().fold(0, |set, flag| set | reader.get(flag)) == 0 {
                    named(reader, field, names)?;
                }
            }
            RowPart::Suffix(Suffix::Carry(field, register)) => {
                if reader.get(field) == 3 {
                    reader.get(register);
                }
            }
            RowPart::Suffix(Suffix::When(field, ..) | Suffix::Carry0(field) | Suffix::Code(field)) => {
                reader.get(field);
            }
            RowPart::Suffix(Suffix::Fixed(_) | Suffix::Alias(_)) => {}
            RowPart::Slot(slot) => {
                for (_, field, _) in slot.marks {
                    reader.get(field);
                }
                read(reader, &slot.location)?;
            }
        }
        Ok(())
    }

    /// The bits of the fields that decide which other fields are meaningful, or that can be undefined.
    pub fn deciding_bits(self) -> u64 {
        match self {
            RowPart::Marker
            | RowPart::Suffix(
                Suffix::When(..) | Suffix::Carry0(_) | Suffix::Fixed(_) | Suffix::Alias(_) | Suffix::Code(_),
            ) => 0,
            RowPart::Guard => CONDITION.mask(),
            RowPart::ConditionCodeWrite => CC_ENABLE.mask(),
            RowPart::Suffix(Suffix::Names(field, _) | Suffix::Carry(field, _)) => field.mask(),
            RowPart::Suffix(Suffix::WithoutEffect(flags, ..)) => flags.iter().fold(0, |bits, flag| bits | flag.mask()),
            RowPart::Slot(slot) => location_deciding_bits(&slot.location),
        }
    }
}

fn location_deciding_bits(location: &Location) -> u64 {
    match location {
        Location::Discard(field)
        | Location::Address(field)
        | Location::Named(field, _)
        | Location::Condition(_, field) => field.mask(),
        Location::Pair(field) => field.place(1),
        Location::Shared { indirect, .. }
        | Location::Local { indirect, .. }
        | Location::Constant {
            indirect: Some(indirect),
            ..
        } => indirect.register.mask(),
        Location::Select(field, locations) => locations
            .iter()
            .fold(field.mask(), |bits, location| bits | location_deciding_bits(location)),
        _ => 0,
    }
}

fn named(
    reader: &mut Reader,
    field: &'static Field,
    names: &'static [Option<&'static str>],
) -> Result<&'static str, Undefined> {
    let value = reader.get(field);
    names.get(value as usize).copied().flatten().ok_or((field, value))
}

/// The contents of a location.
pub(crate) enum Value {
    Operand(Operand),
    Discard,
    /// Part of the operation.
    Inherent,
}

pub(crate) fn read(reader: &mut Reader, location: &'static Location) -> Result<Value, Undefined> {
    let operand = match location {
        Location::Word(field) => Operand::Register {
            index: reader.get(field) as u8,
            part: RegisterPart::Full,
        },
        Location::Pair(field) => {
            let value = reader.get(field);
            if value & 1 != 0 {
                return Err((field, value));
            }
            Operand::Register {
                index: value as u8,
                part: RegisterPart::Full,
            }
        }
        Location::Half(field) => {
            let value = reader.get(field);
            Operand::Register {
                index: (value >> 1) as u8,
                part: if value & 1 == 0 {
                    RegisterPart::Low
                } else {
                    RegisterPart::High
                },
            }
        }
        Location::Discard(field) => {
            let value = reader.get(field);
            if value != 0x7f {
                return Err((field, value));
            }
            return Ok(Value::Discard);
        }
        Location::Shared {
            offset,
            access,
            indirect,
            ..
        } => {
            let indirect = read_indirect(reader, indirect)?;
            Operand::Shared {
                offset: read_offset(reader, offset, access.bytes(), indirect),
                access: *access,
                indirect,
            }
        }
        Location::Constant {
            bank,
            offset,
            access,
            indirect,
            ..
        } => {
            let indirect = match indirect {
                Some(fields) => read_indirect(reader, fields)?,
                None => None,
            };
            Operand::Constant {
                bank: reader.get(bank) as u8,
                offset: read_offset(reader, offset, access.bytes(), indirect),
                access: *access,
                indirect,
            }
        }
        Location::Local { offset, indirect } => {
            let indirect = read_indirect(reader, indirect)?;
            Operand::Local {
                offset: read_offset(reader, offset, 1, indirect),
                indirect,
            }
        }
        Location::Global(space, register) => {
            reader.get(space);
            Operand::Register {
                index: reader.get(register) as u8,
                part: RegisterPart::Full,
            }
        }
        Location::Number(field) | Location::FloatNumber(field) | Location::OptionalNumber(field) => {
            Operand::Immediate(reader.get(field))
        }
        Location::Address(field) => {
            let index = reader.get(field);
            if index > 4 {
                return Err((field, index));
            }
            Operand::Address(index as u8)
        }
        Location::ConditionCode(field) => Operand::ConditionCode(reader.get(field) as u8),
        Location::Special(field) => Operand::Special(reader.get(field) as u8),
        Location::Target(field) | Location::Barrier(field) => {
            reader.get(field);
            return Ok(Value::Inherent);
        }
        Location::Named(field, names) => {
            named(reader, field, names)?;
            return Ok(Value::Inherent);
        }
        Location::Condition(register, field) => {
            reader.get(register);
            let code = reader.get(field);
            Condition::from_code(code).ok_or((field, code))?;
            return Ok(Value::Inherent);
        }
        Location::Nothing => return Ok(Value::Inherent),
        Location::Select(field, locations) => {
            let value = reader.get(field);
            return match locations.get(value as usize) {
                Some(Location::Undefined) | None => Err((field, value)),
                Some(location) => read(reader, location),
            };
        }
        // This is not reached: `Select` returns an error for an undefined location.
        Location::Undefined => return Ok(Value::Inherent),
    };
    Ok(Value::Operand(operand))
}

fn read_indirect(reader: &mut Reader, fields: &'static IndirectFields) -> Result<Option<Indirect>, Undefined> {
    let register = reader.get(&fields.register);
    let post_increment = reader.get(&fields.post_increment) != 0;
    match register {
        0 if !post_increment => Ok(None),
        0..=4 => Ok(Some(Indirect {
            register: register as u8,
            post_increment,
        })),
        _ => Err((&fields.register, register)),
    }
}

/// Byte offset. With post-increment it is a signed increment.
fn read_offset(reader: &mut Reader, field: &Field, unit: u32, indirect: Option<Indirect>) -> i32 {
    let value = reader.get(field);
    let width = field.width();
    let value = match indirect {
        Some(indirect) if indirect.post_increment && value >> (width - 1) != 0 => value as i32 - (1 << width),
        _ => value as i32,
    };
    value * unit as i32
}
