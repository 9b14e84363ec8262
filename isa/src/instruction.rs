//! An instruction word and what it means: [`decode`] and [`Instruction`].

use crate::lookup::RowTables;
use crate::operation::*;
use crate::table::field::{Field, Reader};
use crate::table::*;
use thiserror::Error;

/// A word that is not an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// No row of the table matches.
    #[error("{} is not an instruction", Hex(*word))]
    NoRow {
        /// The word (only its low half counts if bit 0 is 0).
        word: u64,
    },
    /// A row matches, but one of its fields has a value without meaning.
    #[error("{} is not an instruction: {row} has no {field} {value:#x}", Hex(*word))]
    Undefined {
        /// The word (only its low half counts if bit 0 is 0).
        word: u64,
        /// Mnemonic of the row.
        row: &'static str,
        /// Name of the field.
        field: &'static str,
        /// Its value.
        value: u32,
    },
}

/// A word as listings show it: low half, high half.
struct Hex(u64);

impl std::fmt::Display for Hex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:08x}", self.0 & 0xffff_ffff)?;
        if self.0 & 1 != 0 {
            write!(f, " {:08x}", self.0 >> 32)?;
        }
        Ok(())
    }
}

/// A legal instruction. There are no others: one can only be had from [`decode`] or from text.
///
/// Its `Display` is the assembly text, in the vendor's style. What it means is worked out of the word when asked for;
/// who executes an instruction often asks once, for its [`Meaning`].
#[derive(Clone, Copy)]
pub struct Instruction {
    row: &'static Row,
    word: u64,
    meaningful: u64,
    operation_bits: u64,
}

/// All that an executor needs to know of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meaning {
    /// What it does.
    pub operation: Operation,
    /// Condition under which a thread executes it.
    pub predicate: Predicate,
    /// What happens to the warp after it.
    pub marker: Marker,
    /// Where the result goes.
    pub destination: Destination,
    /// Condition-code register (0..3) that the result's condition code goes to.
    pub cc_write: Option<u8>,
    /// Operands as sources 1, 2 and 3 of the [`Operation`], however the word orders them. An addition's second
    /// operand is source 3. A store's place is source 1 and its value source 3.
    pub sources: [Option<Operand>; 3],
}

impl Instruction {
    /// The table's row.
    pub fn row(&self) -> &'static Row {
        self.row
    }

    /// Layout of the word.
    pub fn form(&self) -> Form {
        self.row.form()
    }

    /// Bytes: 4 or 8.
    pub fn size(&self) -> u32 {
        self.form().size()
    }

    /// What it means.
    pub fn meaning(&self) -> Meaning {
        let (destination, sources) = self.operands();
        Meaning {
            operation: self.operation(),
            predicate: self.predicate(),
            marker: self.marker(),
            destination,
            cc_write: self.cc_write(),
            sources,
        }
    }

    /// What it does. The row's [`Row::operation`] gets to see no more than [`Row::operation_bits`].
    pub fn operation(&self) -> Operation {
        (self.row.operation)(self.word & self.operation_bits)
    }

    /// Condition under which a thread executes it.
    pub fn predicate(&self) -> Predicate {
        match self.row.guard {
            Guard::Always => Predicate::ALWAYS,
            Guard::Conditional => Predicate {
                register: self.field(CONDITION_REGISTER) as u8,
                // `decode` has seen that it is defined.
                condition: Condition::from_code(self.field(CONDITION)).unwrap_or(Condition::True),
            },
        }
    }

    /// What happens to the warp after it.
    pub fn marker(&self) -> Marker {
        match self.form() {
            Form::Long => match self.field(MARKER) {
                1 => Marker::Exit,
                2 => Marker::Join,
                _ => Marker::None,
            },
            _ => Marker::None,
        }
    }

    /// Where the result goes.
    pub fn destination(&self) -> Destination {
        self.operands().0
    }

    /// Condition-code register (0..3) that the result's condition code goes to.
    pub fn cc_write(&self) -> Option<u8> {
        (self.row.writes_cc && self.field(CC_ENABLE) != 0).then(|| self.field(CC_REGISTER) as u8)
    }

    /// The sources of [`Meaning::sources`].
    pub fn sources(&self) -> [Option<Operand>; 3] {
        self.operands().1
    }

    fn operands(&self) -> (Destination, [Option<Operand>; 3]) {
        let mut reader = Reader {
            word: self.word,
            used: 0,
        };
        let mut destination = Destination::None;
        let mut sources = [None; 3];
        for slot in self.row.slots {
            // `decode` has seen that all fields are defined.
            let value = read(&mut reader, &slot.location).unwrap_or(Value::Inherent);
            match (slot.role, value) {
                (Role::Destination, Value::Discard) => destination = Destination::Discard,
                (Role::Destination, Value::Operand(Operand::Register { index, part })) => {
                    destination = Destination::Register { index, part };
                }
                (Role::Destination, Value::Operand(Operand::Address(index))) => {
                    destination = Destination::Address(index);
                }
                (Role::Destination, Value::Operand(Operand::ConditionCode(index))) => {
                    destination = Destination::ConditionCode(index);
                }
                (Role::Source1, Value::Operand(operand)) => sources[0] = Some(operand),
                (Role::Source2, Value::Operand(operand)) => sources[1] = Some(operand),
                (Role::Source3, Value::Operand(operand)) => sources[2] = Some(operand),
                // Inherent slots are read by the row's operation. (That no row has any other combination is a test of
                // the table.)
                _ => {}
            }
        }
        (destination, sources)
    }

    /// Whether this core executes it: its row's [`Execution`] says so. All else is an illegal instruction to the machine,
    /// for now.
    pub fn executed(&self) -> bool {
        match self.row.execution {
            Execution::Full => true,
            Execution::Only(restrictions) => restrictions
                .iter()
                .all(|(field, values)| values.contains(&field.get(self.word))),
            Execution::NotYet => false,
        }
    }

    /// The value of one of the row's fields.
    pub fn field(&self, field: Field) -> u32 {
        field.get(self.word)
    }

    /// The bits of the word that say something. All others are 0 in [`encode`]'s result and ignored by [`decode`].
    /// They depend on the word: a register operand leaves the bits of a constant's bank without meaning.
    pub fn meaningful_bits(&self) -> u64 {
        self.meaningful
    }
}

impl PartialEq for Instruction {
    fn eq(&self, other: &Self) -> bool {
        // All else follows from the word.
        self.word == other.word
    }
}

impl Eq for Instruction {}

impl std::hash::Hash for Instruction {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.word.hash(state);
    }
}

impl std::fmt::Debug for Instruction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instruction")
            .field("text", &self.to_string())
            .field("word", &format_args!("{:#018x}", self.word))
            .field("meaning", &self.meaning())
            .finish()
    }
}

/// The instruction word of an instruction: for every `w` that decodes, `encode(&decode(w)?) == w` on the
/// [`Instruction::meaningful_bits`], the other bits being 0. A short instruction is in bits 31..0.
pub fn encode(instruction: &Instruction) -> u64 {
    instruction.word
}

/// The instruction that `word` is. The low word is in bits 31..0; of a short instruction (bit 0 is 0) only these count.
///
/// 1. The form ([`Form::of`]) and the rows' patterns select at most one row.
/// 2. Fields of that row with undefined values are errors: condition codes 0x14..0x1b (rows with a condition); names
///    that the row's suffix or operand does not list; c[] for both of sources 2 and 3, or c[] besides s[] in a short
///    instruction; `o[]` other than 0x7f; address registers 5 to 7, where the operand uses one.
/// 3. All other bits are ignored.
pub fn decode(word: u64) -> Result<Instruction, DecodeError> {
    let word = match Form::of(word) {
        Form::Short => word & 0xffff_ffff,
        _ => word,
    };
    let tables = RowTables::of(word).ok_or(DecodeError::NoRow { word })?;
    let row = tables.row;
    match tables.meaningful_bits(word) {
        Some(meaningful) => Ok(Instruction {
            row,
            word: word & meaningful,
            meaningful,
            operation_bits: tables.operation_bits,
        }),
        None => Err(undefined(row, word)),
    }
}

/// What is undefined in a word of `row`.
#[cold]
fn undefined(row: &'static Row, word: u64) -> DecodeError {
    let mut reader = Reader { word, used: 0 };
    let undefined = RowPart::of(row).find_map(|part| part.read(&mut reader).err());
    match undefined {
        Some((field, value)) => DecodeError::Undefined {
            word,
            row: row.name,
            field: field.name,
            value,
        },
        // The tables are made with `RowPart::read`, so this is not reached.
        None => DecodeError::NoRow { word },
    }
}

impl Row {
    /// The bits of the row's words that may say what the [`Operation`] is: the pattern's, and the fields of suffixes, of marks
    /// and of operands that are part of the operation. Its other operands, its condition and where a condition code is
    /// written have no say: whoever goes through all values of these bits has seen all operations of the row.
    pub fn operation_bits(&self) -> u64 {
        let suffixes = self.suffixes.iter().map(|suffix| match suffix {
            Suffix::Names(field, _) | Suffix::When(field, ..) | Suffix::Carry0(field) => field.mask(),
            Suffix::Carry(field, register) => field.mask() | register.mask(),
            Suffix::Fixed(_) => 0,
        });
        let slots = self.slots.iter().map(|slot| {
            let marks = slot.marks.iter().fold(0, |bits, (_, field, _)| bits | field.mask());
            let location = match (slot.role, &slot.location) {
                (Role::Inherent, location) => location_bits(location),
                // The operand is the address; the space is the operation's.
                (_, Location::Global(space, _)) => space.mask(),
                _ => 0,
            };
            marks | location
        });
        suffixes.chain(slots).fold(self.pattern.mask, |bits, more| bits | more)
    }
}

/// All bits that a location may be read from.
fn location_bits(location: &Location) -> u64 {
    let mut bits = 0;
    location.each_field(None, &mut |field| bits |= field.mask());
    bits
}

/// A field and its undefined value.
pub(crate) type Undefined = (&'static Field, u32);

/// A part of a row whose fields are read together and without regard to the other parts'.
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

    /// Reads the fields that the word gives a meaning to.
    ///
    /// # Errors
    /// The first field whose value has none.
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
            RowPart::Suffix(Suffix::Carry(field, register)) => {
                if reader.get(field) == 3 {
                    reader.get(register);
                }
            }
            RowPart::Suffix(Suffix::When(field, ..) | Suffix::Carry0(field)) => {
                reader.get(field);
            }
            RowPart::Suffix(Suffix::Fixed(_)) => {}
            RowPart::Slot(slot) => {
                for (_, field, _) in slot.marks {
                    reader.get(field);
                }
                read(reader, &slot.location)?;
            }
        }
        Ok(())
    }

    /// The bits of the fields that decide which others have a meaning, or that can be undefined.
    pub fn deciding_bits(self) -> u64 {
        match self {
            RowPart::Marker | RowPart::Suffix(Suffix::When(..) | Suffix::Carry0(_) | Suffix::Fixed(_)) => 0,
            RowPart::Guard => CONDITION.mask(),
            RowPart::ConditionCodeWrite => CC_ENABLE.mask(),
            RowPart::Suffix(Suffix::Names(field, _) | Suffix::Carry(field, _)) => field.mask(),
            RowPart::Slot(slot) => location_deciding_bits(&slot.location),
        }
    }
}

fn location_deciding_bits(location: &Location) -> u64 {
    match location {
        Location::Discard(field) | Location::Address(field) | Location::Named(field, _) => field.mask(),
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

/// What a location holds.
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
            part: Part::Full,
        },
        Location::Half(field) => {
            let value = reader.get(field);
            Operand::Register {
                index: (value >> 1) as u8,
                part: if value & 1 == 0 { Part::Low } else { Part::High },
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
                part: Part::Full,
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
        Location::Select(field, locations) => {
            let value = reader.get(field);
            return match locations.get(value as usize) {
                Some(Location::Undefined) | None => Err((field, value)),
                Some(location) => read(reader, location),
            };
        }
        // Only reached through Select, which has dealt with it.
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

/// Byte offset. It is an increment, and signed, with post-increment.
fn read_offset(reader: &mut Reader, field: &Field, unit: u32, indirect: Option<Indirect>) -> i32 {
    let value = reader.get(field);
    let width = field.width();
    let value = match indirect {
        Some(indirect) if indirect.post_increment && value >> (width - 1) != 0 => value as i32 - (1 << width),
        _ => value as i32,
    };
    value * unit as i32
}
