//! The encoder: from a meaning to its word, the inverse of [`Instruction::meaning`], for compilers that make
//! instructions as types and never as text.
//!
//! ```text
//! form, operation ──> index over the rows: row and bits of the operation ──> writer
//! numbers in the operation (targets, barriers), operands, condition, marker ─────┘ ──> decode
//! ```
//! The index is computed from the rows on first use. A word is decoded again before it is returned, so the result has
//! the requested meaning, or is an error.

use crate::instruction::{decode_at, Instruction, Meaning};
use crate::operation::*;
use crate::table::field::{Conflict, Field, Writer};
use crate::table::*;
use std::collections::HashMap;
use std::sync::LazyLock;
use thiserror::Error;

/// The reason why no instruction has a meaning.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BuildError {
    /// No row of this form has the operation.
    #[error("no {} instruction performs {operation:?}", form.name())]
    NoOperation {
        /// The requested form.
        form: Form,
        /// The requested operation.
        operation: Box<Operation>,
    },
    /// Rows have the operation, but not with these operands, condition or marker.
    #[error("no {} instruction has the operands or modifiers of {meaning:?}", form.name())]
    NoOperands {
        /// The requested form.
        form: Form,
        /// The requested meaning.
        meaning: Box<Meaning>,
    },
}

/// A row, and the bits that give its operation.
type Candidate = (&'static Row, u64);

/// The candidates for an operation without its numbers, lowest bits first.
static INDEX: LazyLock<HashMap<(Form, Operation), Vec<Candidate>>> = LazyLock::new(index);

fn index() -> HashMap<(Form, Operation), Vec<Candidate>> {
    let mut index: HashMap<(Form, Operation), Vec<Candidate>> = HashMap::new();
    for row in all_rows().filter(|row| row.unit != Unit::Texture) {
        let mask = row.operation_bits() & !row.pattern.mask & !number_bits(row);
        let mut bits = 0u64;
        loop {
            let word = row.pattern.value | bits;
            if let Ok(instruction) = decode_at(word, row.since) {
                if std::ptr::eq(instruction.row(), row) {
                    let (operation, _) = split(instruction.operation());
                    index.entry((row.form(), operation)).or_default().push((row, bits));
                }
            }
            // The next subset of the mask's bits.
            bits = bits.wrapping_sub(mask) & mask;
            if bits == 0 {
                break;
            }
        }
    }
    index
}

/// The field of a number that is part of the operation, if the slot is one.
fn number_field(slot: &Slot) -> Option<Field> {
    match (slot.role, slot.location) {
        (
            Role::Inherent,
            Location::Target(field)
            | Location::Barrier(field)
            | Location::Number(field)
            | Location::OptionalNumber(field),
        ) => Some(field),
        _ => None,
    }
}

fn number_bits(row: &Row) -> u64 {
    row.slots
        .iter()
        .filter_map(number_field)
        .fold(0, |bits, field| bits | field.mask())
}

/// Returns an operation with its numbers set to 0, and the numbers in the order of the row's slots.
fn split(operation: Operation) -> (Operation, Vec<u32>) {
    match operation {
        Operation::Bra { target } => (Operation::Bra { target: 0 }, vec![target >> 2]),
        Operation::Ssy { target } => (Operation::Ssy { target: 0 }, vec![target >> 2]),
        Operation::Pbk { target } => (Operation::Pbk { target: 0 }, vec![target >> 2]),
        Operation::Cal { target, limited } => (Operation::Cal { target: 0, limited }, vec![target >> 2]),
        Operation::PreReturn { target, limited } => (Operation::PreReturn { target: 0, limited }, vec![target >> 2]),
        Operation::Bar {
            barrier,
            mask,
            arrive,
            wait,
        } => {
            let bare = Operation::Bar {
                barrier: 0,
                mask: 0,
                arrive,
                wait,
            };
            (bare, vec![barrier.into(), mask.into()])
        }
        Operation::PmTrigger { event } => (Operation::PmTrigger { event: 0 }, vec![event.into()]),
        Operation::R2a { shift } => (Operation::R2a { shift: 0 }, vec![shift.into()]),
        other => (other, Vec::new()),
    }
}

impl Instruction {
    /// The instruction of this form with this meaning at capability 1.0, like [`Instruction::build_at`].
    ///
    /// # Errors
    /// The errors of [`Instruction::build_at`].
    pub fn build(form: Form, meaning: &Meaning) -> Result<Instruction, BuildError> {
        Self::build_at(form, meaning, Capability::V1_0)
    }

    /// Returns the instruction of this form with this meaning at a capability. If several words differ only in ignored
    /// bits, it is the lowest of them. A condition that always holds may name any register.
    ///
    /// # Errors
    /// No instruction has this meaning: the operation does not exist in the form, an operand does not fit (a register
    /// above 63 in an immediate form), or the form has no condition, condition-code write or marker.
    pub fn build_at(form: Form, meaning: &Meaning, capability: Capability) -> Result<Instruction, BuildError> {
        let (operation, numbers) = split(meaning.operation);
        let Some(candidates) = INDEX.get(&(form, operation)) else {
            return Err(BuildError::NoOperation {
                form,
                operation: Box::new(meaning.operation),
            });
        };
        candidates
            .iter()
            .filter_map(|&(row, bits)| write(row, bits, &numbers, meaning))
            .filter_map(|word| decode_at(word, capability).ok())
            .find(|instruction| same(&instruction.meaning(), meaning))
            .ok_or_else(|| BuildError::NoOperands {
                form,
                meaning: Box::new(*meaning),
            })
    }
}

/// True if two meanings are equal, apart from the register of a condition that always holds.
fn same(found: &Meaning, wanted: &Meaning) -> bool {
    let always = |meaning: &Meaning| meaning.predicate.condition == Condition::True;
    let predicate = if always(found) && always(wanted) {
        wanted.predicate
    } else {
        found.predicate
    };
    Meaning { predicate, ..*found } == *wanted
}

/// The word of a row, if the row can have the meaning.
fn write(row: &Row, bits: u64, numbers: &[u32], meaning: &Meaning) -> Option<u64> {
    let mut writer = Writer {
        word: row.pattern.value | bits,
        used: row.pattern.mask | row.operation_bits() & !number_bits(row),
    };
    let mut numbers = numbers.iter();
    for slot in row.slots {
        if let Some(field) = number_field(slot) {
            set(&mut writer, field, *numbers.next()?)?;
        }
    }
    match meaning.marker {
        Marker::None => {}
        marker if row.form() == Form::Long => set(&mut writer, MARKER, marker as u32)?,
        _ => return None,
    }
    if row.guard == Guard::Conditional {
        set(&mut writer, CONDITION, meaning.predicate.condition.code())?;
        if meaning.predicate.condition != Condition::True {
            set(&mut writer, CONDITION_REGISTER, meaning.predicate.register.into())?;
        }
    }
    if let Some(register) = meaning.cc_write.filter(|_| row.writes_cc) {
        set(&mut writer, CC_ENABLE, 1)?;
        set(&mut writer, CC_REGISTER, register.into())?;
    }
    if let (Some(field), Some(register)) = (row.always_written_code(), meaning.cc_write) {
        set(&mut writer, field, register.into())?;
    }
    for slot in row.slots {
        if matches!(slot.location.resolve(writer.word), Location::Nothing) {
            continue;
        }
        let source = match slot.role {
            Role::Inherent => continue,
            Role::Destination => {
                destination(&mut writer, &slot.location, meaning.destination)?;
                continue;
            }
            Role::Source1 => meaning.sources[0],
            Role::Source2 => meaning.sources[1],
            Role::Source3 => meaning.sources[2],
        };
        location(&mut writer, &slot.location, &source?)?;
    }
    Some(writer.word)
}

fn set(writer: &mut Writer, field: Field, value: u32) -> Option<()> {
    if u64::from(value) >> field.width() != 0 {
        return None;
    }
    writer.set(field, value).map_err(|Conflict(_)| ()).ok()
}

fn destination(writer: &mut Writer, place: &Location, destination: Destination) -> Option<()> {
    let operand = match destination {
        Destination::None => return None,
        Destination::Discard => return discard(writer, place),
        Destination::Register { index, part } => Operand::Register { index, part },
        Destination::Address(index) => Operand::Address(index),
        Destination::ConditionCode(index) => Operand::ConditionCode(index),
    };
    location(writer, place, &operand)
}

/// Tries the alternatives of a selection one after another.
fn select(
    writer: &mut Writer,
    field: Field,
    locations: &[Location],
    write: impl Fn(&mut Writer, &Location) -> Option<()>,
) -> Option<()> {
    (0u32..).zip(locations).find_map(|(value, location)| {
        let mut trial = *writer;
        set(&mut trial, field, value)?;
        write(&mut trial, location)?;
        *writer = trial;
        Some(())
    })
}

fn discard(writer: &mut Writer, place: &Location) -> Option<()> {
    match *place {
        Location::Discard(field) => set(writer, field, 0x7f),
        Location::Select(field, locations) => select(writer, field, locations, discard),
        _ => None,
    }
}

fn location(writer: &mut Writer, place: &Location, operand: &Operand) -> Option<()> {
    match (*place, *operand) {
        (Location::Select(field, locations), _) => select(writer, field, locations, |writer, place| {
            location(writer, place, operand)
        }),
        (
            Location::Word(field) | Location::Pair(field) | Location::Global(_, field),
            Operand::Register {
                index,
                part: RegisterPart::Full,
            },
        ) => set(writer, field, index.into()),
        (
            Location::Half(field),
            Operand::Register {
                index,
                part: part @ (RegisterPart::Low | RegisterPart::High),
            },
        ) => set(
            writer,
            field,
            u32::from(index) << 1 | u32::from(part == RegisterPart::High),
        ),
        (
            Location::Shared {
                offset,
                access,
                indirect,
                ..
            },
            Operand::Shared {
                offset: bytes,
                access: wanted,
                indirect: register,
            },
        ) if access == wanted => inside(writer, offset, access.bytes(), bytes, Some(indirect), register),
        (
            Location::Constant {
                bank,
                offset,
                access,
                indirect,
                ..
            },
            Operand::Constant {
                bank: number,
                offset: bytes,
                access: wanted,
                indirect: register,
            },
        ) if access == wanted => {
            set(writer, bank, number.into())?;
            inside(writer, offset, access.bytes(), bytes, indirect, register)
        }
        (
            Location::Local { offset, indirect },
            Operand::Local {
                offset: bytes,
                indirect: register,
            },
        ) => inside(writer, offset, 1, bytes, Some(indirect), register),
        (Location::Number(field) | Location::FloatNumber(field), Operand::Immediate(value)) => {
            set(writer, field, value)
        }
        (Location::Address(field), Operand::Address(index))
        | (Location::ConditionCode(field), Operand::ConditionCode(index))
        | (Location::Special(field), Operand::Special(index)) => set(writer, field, index.into()),
        _ => None,
    }
}

fn inside(
    writer: &mut Writer,
    field: Field,
    unit: u32,
    bytes: i32,
    fields: Option<IndirectFields>,
    register: Option<Indirect>,
) -> Option<()> {
    let unit = unit as i32;
    if bytes % unit != 0 {
        return None;
    }
    let units = bytes / unit;
    match (fields, register) {
        (Some(fields), _) => {
            let (number, post_increment) = register.map_or((0, false), |r| (r.register, r.post_increment));
            set(writer, fields.register, number.into())?;
            set(writer, fields.post_increment, post_increment.into())?;
        }
        (None, Some(_)) => return None,
        (None, None) => {}
    }
    let width = field.width();
    let signed = register.is_some_and(|register| register.post_increment);
    let fits = if signed {
        (-(1 << (width - 1))..1 << (width - 1)).contains(&units)
    } else {
        (0..1 << width).contains(&units)
    };
    if !fits {
        return None;
    }
    writer
        .set(field, units as u32 & ((1 << width) - 1))
        .map_err(|Conflict(_)| ())
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse_instruction, parse_instruction_at};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Tests random words of every row: the meaning gives a word of the same form and meaning.
    #[test]
    fn building_is_the_inverse_of_meaning() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut built = 0;
        let rows: Vec<(Capability, &Row)> = [Capability::V1_0, Capability::V1_2, Capability::V1_3]
            .into_iter()
            .flat_map(|capability| rows_at(capability).map(move |row| (capability, row)))
            .collect();
        for i in 0..500_000 {
            let (capability, row) = rows[i % rows.len()];
            let pattern = row.pattern_at(capability);
            // Condition codes above 0x13 are rare: half of the bits are cleared.
            let word = pattern.value | rng.gen::<u64>() & rng.gen::<u64>() & !pattern.mask;
            let Ok(instruction) = decode_at(word, capability) else {
                continue;
            };
            if instruction.row().unit == Unit::Texture {
                continue;
            }
            let meaning = instruction.meaning();
            let again = Instruction::build_at(instruction.form(), &meaning, capability).unwrap_or_else(|error| {
                panic!("{instruction}: {error}");
            });
            assert!(same(&again.meaning(), &meaning), "{instruction} became {again}");
            assert_eq!(again.form(), instruction.form());
            built += 1;
        }
        assert!(built > 250_000, "{built}");
    }

    #[test]
    fn later_instructions_are_built_for_their_capability_alone() {
        for (text, since) in [
            ("GATOM.IADD.U32 R1, global14[R2], R3", Capability::V1_1),
            ("GATOM.CAS.S64 R2, global14[R1], R4, R6", Capability::V1_2),
            ("G2R.LCK.C1 R1, g[A1+0x2]", Capability::V1_2),
            ("FMUL.SAT R1, R2, R3", Capability::V1_2),
            ("VOTE.ALL C1, C2.LT", Capability::V1_2),
            ("DFMA.CEIL R0, -R2, R4, R6", Capability::V1_3),
        ] {
            let wanted = parse_instruction_at(text, Capability::V1_3).unwrap_or_else(|error| panic!("{error}"));
            for &capability in Capability::ALL {
                let built = Instruction::build_at(wanted.form(), &wanted.meaning(), capability);
                let text = built.ok().map(|built| built.to_string());
                assert_eq!(text, (capability >= since).then(|| wanted.to_string()), "{capability}");
            }
        }
    }

    #[test]
    fn words_are_those_of_the_assembler() {
        for text in [
            "MOV R1, g[4]",
            "MVI R70, 0x12345678",
            "IADD32I R1, R2, -0x1",
            "IADD.CARRY2 R1 (C2.NE), R2, R3",
            "ISET.S32.C1 o[0x7f], R1, c[1][5], LT",
            "BRA C1.NE, 0x40",
            "BAR.ARV.WAIT b0, 0xfff",
            "GLD.S128 R4, global14[R9]",
            "GST.U32 global14[R4], R3",
            "R2G.U32.U16 g[A1 + 5], R3",
            "R2A A1, R3, 2",
            "NOP.S",
            "FADD R1, -R2, R3",
            "I2F.F32.U32.CEIL R1, |R2|",
        ] {
            let wanted = parse_instruction(text).unwrap_or_else(|error| panic!("{error}"));
            let built = Instruction::build(wanted.form(), &wanted.meaning());
            assert_eq!(built.map(|i| i.to_string()), Ok(wanted.to_string()), "{text}");
        }
    }

    #[test]
    fn impossible_meanings_are_errors() {
        let mut meaning = parse_instruction("IADD32I R1, R2, 1")
            .expect("an instruction")
            .meaning();
        meaning.destination = Destination::Register {
            index: 64,
            part: RegisterPart::Full,
        };
        assert!(matches!(
            Instruction::build(Form::Immediate, &meaning),
            Err(BuildError::NoOperands { .. })
        ));
        meaning.operation = Operation::Ret;
        assert!(matches!(
            Instruction::build(Form::Immediate, &meaning),
            Err(BuildError::NoOperation { .. })
        ));
    }
}
