//! An instruction word and its meaning: [`decode`] and [`Instruction`].

use crate::lookup::RowTables;
use crate::operation::*;
use crate::row_parts::{read, RowPart, Value};
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
    /// No row of this capability matches, but one of a later capability does.
    #[error(
        "{} is not an instruction of compute capability {capability}: {row} needs {since} (--capability {since})",
        Hex(*word)
    )]
    Later {
        /// The word (only its low half counts if bit 0 is 0).
        word: u64,
        /// The capability that it was decoded for.
        capability: Capability,
        /// Mnemonic of the row.
        row: &'static str,
        /// The first later capability with the instruction.
        since: Capability,
    },
    /// A row matches, but one of its fields has an undefined value.
    #[error("{} is not an instruction: {row} has no {field} {value:#x}", Hex(*word))]
    Undefined {
        /// The word (only its low half counts if bit 0 is 0).
        word: u64,
        /// Mnemonic of the row.
        row: &'static str,
        /// Name of the field.
        field: &'static str,
        /// The field's value in the word.
        value: u32,
    },
}

/// A word as listings print it: low half, high half.
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

/// A legal instruction. An illegal one cannot exist: [`decode`], the parser and [`Instruction::build`] are the only
/// sources.
///
/// Its `Display` is the assembly text, in the vendor's style. Its meaning is computed from the word on every call; an
/// executor that needs it often should fetch its [`Meaning`] once.
#[derive(Clone, Copy)]
pub struct Instruction {
    row: &'static Row,
    word: u64,
    meaningful: u64,
    operation_bits: u64,
}

/// Everything that an executor needs to know about an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meaning {
    /// The operation on the sources.
    pub operation: Operation,
    /// The condition under which a thread executes it.
    pub predicate: Predicate,
    /// The effect on the warp after the instruction.
    pub marker: Marker,
    /// The destination of the result.
    pub destination: Destination,
    /// The condition-code register (0..3) that the result's condition code is written to.
    pub cc_write: Option<u8>,
    /// Operands as sources 1, 2 and 3 of the [`Operation`], in this order and not the word's. An addition's second
    /// operand is source 3. A store's address is source 1 and its value source 3.
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

    /// The size in bytes: 4 or 8.
    pub fn size(&self) -> u32 {
        self.form().size()
    }

    /// The meaning of the word.
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

    /// The operation. The row's [`Row::operation`] sees only [`Row::operation_bits`].
    pub fn operation(&self) -> Operation {
        (self.row.operation)(self.word & self.operation_bits)
    }

    /// Condition under which a thread executes it.
    pub fn predicate(&self) -> Predicate {
        match self.row.guard {
            Guard::Always => Predicate::ALWAYS,
            Guard::Conditional => Predicate {
                register: self.field(CONDITION_REGISTER) as u8,
                // `decode` has checked that it is defined.
                condition: Condition::from_code(self.field(CONDITION)).unwrap_or(Condition::True),
            },
        }
    }

    /// The effect on the warp after the instruction.
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

    /// The destination of the result.
    pub fn destination(&self) -> Destination {
        self.operands().0
    }

    /// The condition-code register (0..3) that the result's condition code is written to.
    pub fn cc_write(&self) -> Option<u8> {
        if let Some(field) = self.row.always_written_code() {
            return Some(self.field(field) as u8);
        }
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
            // `decode` has checked that all fields are defined.
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
                // The row's operation reads inherent slots. (A test of the table checks that no row has any other
                // combination.)
                _ => {}
            }
        }
        (destination, sources)
    }

    /// True if this core executes it, as its row's [`Execution`] specifies. The machine treats all others as illegal
    /// instructions.
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

    /// The bits of the word that have a meaning. All others are 0 in [`encode`]'s result and ignored by [`decode`].
    /// They depend on the word: with a register operand the bits of a constant's bank mean nothing.
    pub fn meaningful_bits(&self) -> u64 {
        self.meaningful
    }
}

impl PartialEq for Instruction {
    fn eq(&self, other: &Self) -> bool {
        // Everything else follows from the word and its row, which depends on the capability.
        self.word == other.word && std::ptr::eq(self.row, other.row)
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

/// The word of an instruction: for every `w` that decodes, `encode(&decode(w)?) == w` on the
/// [`Instruction::meaningful_bits`], with the other bits 0. A short instruction is in bits 31..0.
pub fn encode(instruction: &Instruction) -> u64 {
    instruction.word
}

/// Decodes `word` for capability 1.0, like [`decode_at`].
///
/// # Errors
/// The errors of [`decode_at`].
pub fn decode(word: u64) -> Result<Instruction, DecodeError> {
    decode_at(word, Capability::V1_0)
}

/// Decodes `word` for a machine of this capability. The low word is in bits 31..0. In a short instruction (bit 0 is 0),
/// the other bits are ignored.
///
/// 1. The form ([`Form::of`]) and the rows' patterns select at most one row.
/// 2. Fields of that row with undefined values are errors: condition codes 0x14..0x1b (rows with a condition); values
///    that the row's suffix or operand does not name; c[] for both sources 2 and 3, or c[] together with s[] in a short
///    instruction; `o[]` other than 0x7f; address registers 5 to 7, where the operand uses one.
/// 3. All other bits are ignored.
///
/// # Errors
/// [`DecodeError`]: the reason why the word is not an instruction of this capability.
pub fn decode_at(word: u64, capability: Capability) -> Result<Instruction, DecodeError> {
    let word = match Form::of(word) {
        Form::Short => word & 0xffff_ffff,
        _ => word,
    };
    match RowTables::of(word, capability) {
        Some(tables) => of_row(tables, word, capability).ok_or_else(|| undefined(tables.row, word)),
        None => Err(no_row(word, capability)),
    }
}

/// The instruction of a word that belongs to a row; `None` if a field has an undefined value.
fn of_row(tables: &RowTables, word: u64, capability: Capability) -> Option<Instruction> {
    let meaningful = tables.meaningful_bits(word, capability)?;
    Some(Instruction {
        row: tables.row,
        word: word & meaningful,
        meaningful,
        operation_bits: tables.operation_bits,
    })
}

/// Decodes `word` for the first capability that has it, for text about code whose capability is not known.
///
/// # Errors
/// `word` is an error for [`decode_at`] at every capability.
pub fn decode_first(word: u64) -> Result<Instruction, DecodeError> {
    match decode(word) {
        Err(DecodeError::Later { since, .. }) => decode_at(word, since),
        decoded => decoded,
    }
}

/// The error for a word without a row: an instruction of a later capability, or of none.
#[cold]
fn no_row(word: u64, capability: Capability) -> DecodeError {
    let later = Capability::ALL.iter().copied().filter(|&later| later > capability);
    let mut found = later.filter_map(|since| {
        let tables = RowTables::of(word, since)?;
        of_row(tables, word, since).map(|instruction| (since, instruction.row.name))
    });
    match found.next() {
        Some((since, row)) => DecodeError::Later {
            word,
            capability,
            row,
            since,
        },
        None => DecodeError::NoRow { word },
    }
}

/// The undefined field in a word of `row`.
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
        // This is not reached: the tables are built with `RowPart::read`.
        None => DecodeError::NoRow { word },
    }
}
