//! An instruction word and what it means: [`decode`] and [`Instruction`].

use crate::field::{Field, Reader};
use crate::operation::*;
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
/// Its `Display` is the assembly text, in the vendor's style.
#[derive(Clone, Copy)]
pub struct Instruction {
    row: &'static Row,
    word: u64,
    meaningful: u64,
    operation: Operation,
    predicate: Predicate,
    marker: Marker,
    destination: Destination,
    cc_write: Option<u8>,
    sources: [Option<Operand>; 3],
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

    /// What it does.
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// Condition under which a thread executes it.
    pub fn predicate(&self) -> Predicate {
        self.predicate
    }

    /// What happens to the warp after it.
    pub fn marker(&self) -> Marker {
        self.marker
    }

    /// Where the result goes.
    pub fn destination(&self) -> Destination {
        self.destination
    }

    /// Condition-code register (0..3) that the result's condition code goes to.
    pub fn cc_write(&self) -> Option<u8> {
        self.cc_write
    }

    /// Operands as sources 1, 2 and 3 of the [`Operation`], however the word orders them. An addition's second
    /// operand is source 3. A store's place is source 1 and its value source 3.
    pub fn sources(&self) -> [Option<Operand>; 3] {
        self.sources
    }

    /// Whether this core executes it: its row's [`Execution`] allows it and no operand has an address register or
    /// post-increment. All else is an illegal instruction to the machine, for now.
    pub fn executed(&self) -> bool {
        let row = match self.row.execution {
            Execution::Full => true,
            Execution::Only(restrictions) => restrictions
                .iter()
                .all(|(field, values)| values.contains(&field.get(self.word))),
            Execution::NotYet => false,
        };
        row && self
            .sources
            .iter()
            .flatten()
            .all(|operand| operand.indirect().is_none())
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
            .field("operation", &self.operation)
            .field("predicate", &self.predicate)
            .field("marker", &self.marker)
            .field("destination", &self.destination)
            .field("cc_write", &self.cc_write)
            .field("sources", &self.sources)
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
    let row = ROWS
        .iter()
        .find(|row| row.pattern.matches(word))
        .ok_or(DecodeError::NoRow { word })?;
    decode_row(row, word).map_err(|(field, value)| DecodeError::Undefined {
        word,
        row: row.name,
        field: field.name,
        value,
    })
}

/// A field and its undefined value.
type Undefined = (Field, u32);

fn decode_row(row: &'static Row, word: u64) -> Result<Instruction, Undefined> {
    let mut reader = Reader {
        word,
        used: row.pattern.mask,
    };
    let marker = if row.form() == Form::Long {
        match reader.get(MARKER) {
            1 => Marker::Exit,
            2 => Marker::Join,
            _ => Marker::None,
        }
    } else {
        Marker::None
    };
    let predicate = match row.guard {
        Guard::Always => Predicate::ALWAYS,
        Guard::Conditional => {
            let code = reader.get(CONDITION);
            Predicate {
                register: reader.get(CONDITION_REGISTER) as u8,
                condition: Condition::from_code(code).ok_or((CONDITION, code))?,
            }
        }
    };
    let cc_write = if row.writes_cc && reader.get(CC_ENABLE) != 0 {
        Some(reader.get(CC_REGISTER) as u8)
    } else {
        None
    };
    for suffix in row.suffixes {
        match *suffix {
            Suffix::Names(field, names) => {
                named(&mut reader, field, names)?;
            }
            Suffix::Carry(field, register) => {
                if reader.get(field) == 3 {
                    reader.get(register);
                }
            }
            Suffix::When(field, ..) | Suffix::Carry0(field) => {
                reader.get(field);
            }
            Suffix::Fixed(_) => {}
        }
    }
    let mut destination = Destination::None;
    let mut sources = [None; 3];
    for slot in row.slots {
        for &(_, field, _) in slot.marks {
            reader.get(field);
        }
        let value = read(&mut reader, &slot.location)?;
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
    let word = word & reader.used;
    Ok(Instruction {
        row,
        word,
        meaningful: reader.used,
        operation: (row.operation)(word),
        predicate,
        marker,
        destination,
        cc_write,
        sources,
    })
}

fn named(reader: &mut Reader, field: Field, names: &'static [Option<&'static str>]) -> Result<&'static str, Undefined> {
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

pub(crate) fn read(reader: &mut Reader, location: &Location) -> Result<Value, Undefined> {
    let operand = match *location {
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
                access,
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
                access,
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

fn read_indirect(reader: &mut Reader, fields: IndirectFields) -> Result<Option<Indirect>, Undefined> {
    let register = reader.get(fields.register);
    let post_increment = reader.get(fields.post_increment) != 0;
    match register {
        0 if !post_increment => Ok(None),
        0..=4 => Ok(Some(Indirect {
            register: register as u8,
            post_increment,
        })),
        _ => Err((fields.register, register)),
    }
}

/// Byte offset. It is an increment, and signed, with post-increment.
fn read_offset(reader: &mut Reader, field: Field, unit: u32, indirect: Option<Indirect>) -> i32 {
    let value = reader.get(field);
    let width = field.width();
    let value = match indirect {
        Some(indirect) if indirect.post_increment && value >> (width - 1) != 0 => value as i32 - (1 << width),
        _ => value as i32,
    };
    value * unit as i32
}
