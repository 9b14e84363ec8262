//! A row of the table: all facts about an instruction.

use super::capability::Capability;
use super::field::{Field, Kind};
use super::manual::Section;
use super::pattern::{Form, Pattern};
use super::slot::{Location, Role, Slot};
use crate::operation::Operation;
use std::fmt;

// Fields that a row has because of its form, its guard or `writes_cc`.

const MARKER_WORDS: &[&str] = &["none", "exit: the active threads end", "join: pop the divergence stack"];

/// Marker of a long instruction: 0 none, 1 exit, 2 join. (3 makes it the immediate form.)
pub const MARKER: Field = Field::new("marker", &[(32, 2)], Kind::Choice(MARKER_WORDS));
/// Condition of a long or control instruction.
pub const CONDITION: Field = Field::new("condition", &[(39, 5)], Kind::Condition);
/// Condition-code register that the condition (or a carry) is read from.
pub const CONDITION_REGISTER: Field = Field::new("condition register", &[(44, 2)], Kind::ConditionCode);
/// The instruction writes a condition-code register.
pub const CC_ENABLE: Field = Field::new("condition code write", &[(38, 1)], Kind::Flag);
/// The condition-code register written.
pub const CC_REGISTER: Field = Field::new("condition code destination", &[(36, 2)], Kind::ConditionCode);

/// The condition of an instruction (bits 39..43 on the register of bits 44..45).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// The instruction has one; an undefined condition code makes the word illegal.
    Conditional,
    /// The bits do not exist (short and immediate forms) or are ignored.
    Always,
}

/// The unit that executes an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Integer lanes (also moves, including those to shared and from constant memory, address registers, and NOP, which
    /// writes nothing).
    Integer,
    /// Float lanes.
    Float,
    /// Special function unit.
    SpecialFunction,
    /// Branch unit (also barrier).
    Branch,
    /// Load and store unit.
    Memory,
    /// Texture unit. This core has none.
    Texture,
    /// Double-precision unit, of capability 1.3.
    Double,
}

impl Unit {
    /// All units, each at its own number.
    pub const ALL: [Unit; 7] = [
        Unit::Integer,
        Unit::Float,
        Unit::SpecialFunction,
        Unit::Branch,
        Unit::Memory,
        Unit::Texture,
        Unit::Double,
    ];
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Integer => "integer lanes",
            Unit::Float => "float lanes",
            Unit::SpecialFunction => "special function unit",
            Unit::Branch => "branch unit",
            Unit::Memory => "load and store unit",
            Unit::Texture => "texture unit",
            Unit::Double => "double-precision unit",
        })
    }
}

/// The words of a row that this core executes.
#[derive(Debug, Clone, Copy)]
pub enum Execution {
    /// All words of the row.
    Full,
    /// Only words in which each of these fields has one of the listed values.
    Only(&'static [(Field, &'static [u32])]),
    /// None: they decode and print, and stop the kernel as illegal instructions.
    NotYet,
}

/// A further part of the mnemonic.
#[derive(Debug, Clone, Copy)]
pub enum Suffix {
    /// The name for the field's value; "" prints nothing, `None` is an undefined value. A name may have several
    /// parts (`HI.SAT.S24`).
    Names(Field, &'static [Option<&'static str>]),
    /// The name, when the field has the value.
    When(Field, u32, &'static str),
    /// Like `Names`, but the operation does not depend on the field, and no value is undefined. It only applies to
    /// words in which these flags are all 0: in others, the field's bits belong to an operand.
    WithoutEffect(&'static [Field], Field, &'static [Option<&'static str>]),
    /// A part of the mnemonic that is the same in every word.
    Fixed(&'static str),
    /// `CARRYn` when the field (a [`crate::Sum`]) is 3; n is the condition-code register in the second field.
    Carry(Field, Field),
    /// `CARRY0` when the field is 3: short forms have no register field.
    Carry0(Field),
    /// A part of the mnemonic that is the same in every word: the first of these names; the assembler accepts all of
    /// them.
    Alias(&'static [&'static str]),
    /// `Cn`: the condition-code register that every word of the row writes.
    Code(Field),
}

/// One instruction.
#[derive(Debug)]
pub struct Row {
    /// Mnemonic. Rows may share one if they have the same size.
    pub name: &'static str,
    /// The words of the row.
    pub pattern: Pattern,
    /// The condition.
    pub guard: Guard,
    /// Bits 38..36 select the condition-code register written, if any.
    pub writes_cc: bool,
    /// Further parts of the mnemonic in text order, before the condition-code register written.
    pub suffixes: &'static [Suffix],
    /// Operands in the order of the text.
    pub slots: &'static [Slot],
    /// Operation of a word of this row, if all of its fields are defined.
    pub operation: fn(u64) -> Operation,
    /// The unit that executes it.
    pub unit: Unit,
    /// The words that this core executes.
    pub execution: Execution,
    /// Meaning in a sentence.
    pub semantics: &'static str,
    /// The source of the encoding; without a source, `extension` and its purpose: see [`Row::is_extension`].
    pub source: &'static str,
    /// The first compute capability of chips with the row. This core has the rows of [`super::ROWS`] at every
    /// capability up to `until`.
    pub since: Capability,
    /// The last compute capability with the row.
    pub until: Capability,
    /// From this capability on, a word with this one-bit field at 1 does not belong to this row.
    pub narrowed: Option<(Capability, Field)>,
    /// Sections of the manual about it, with their errors.
    pub manual: &'static [&'static Section],
    /// Remarks worth knowing, a sentence or two each.
    pub notes: &'static [&'static str],
}

impl Suffix {
    /// The field and the names of its values, for a suffix that is nothing else.
    pub fn names(&self) -> Option<(Field, &'static [Option<&'static str>])> {
        match *self {
            Suffix::Names(field, names) | Suffix::WithoutEffect(_, field, names) => Some((field, names)),
            _ => None,
        }
    }
}

impl Row {
    /// True if this core executes any of the row's instructions.
    pub fn executes(&self) -> bool {
        !matches!(self.execution, Execution::NotYet)
    }

    /// True for an extension of this core, which no G80 has and no manual describes: its source is `extension`. Facts
    /// about G80s, and decoders written from manuals, do not apply to it.
    pub fn is_extension(&self) -> bool {
        self.source.starts_with("extension")
    }

    /// The row's words on a machine of a capability with the row.
    pub const fn pattern_at(&self, capability: Capability) -> Pattern {
        match self.narrowed {
            Some((since, field)) if capability as u8 >= since as u8 => Pattern {
                form: self.pattern.form,
                mask: self.pattern.mask | field.mask(),
                value: self.pattern.value,
            },
            _ => self.pattern,
        }
    }

    /// The condition-code register that every word of the row writes, if it does.
    pub fn always_written_code(&self) -> Option<Field> {
        self.suffixes.iter().find_map(|suffix| match suffix {
            Suffix::Code(field) => Some(*field),
            _ => None,
        })
    }

    /// Layout of the row's words.
    pub fn form(&self) -> Form {
        self.pattern.form
    }

    /// All fields that the row's words may have, without repetition: the bits that a hardware decoder must read.
    /// Every other bit outside the pattern is ignored.
    pub fn fields(&self) -> Vec<Field> {
        self.collect_fields(None)
    }

    /// The fields in use in `word`, one of the row's words: some fields choose which operand's bits matter. Together
    /// with the pattern they make up [`crate::Instruction::meaningful_bits`], if the word is an instruction.
    pub fn fields_of(&self, word: u64) -> Vec<Field> {
        self.collect_fields(Some(word))
    }

    fn collect_fields(&self, word: Option<u64>) -> Vec<Field> {
        fn add(fields: &mut Vec<Field>, field: Field) {
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
        /// True if `field` has this value in `word`, which adds more fields; also true if there is no word.
        fn has(word: Option<u64>, field: Field, value: u32) -> bool {
            word.is_none_or(|word| field.get(word) == value)
        }
        let mut fields = Vec::new();
        if self.form() == Form::Long {
            add(&mut fields, MARKER);
        }
        if self.writes_cc {
            add(&mut fields, CC_ENABLE);
            if has(word, CC_ENABLE, 1) {
                add(&mut fields, CC_REGISTER);
            }
        }
        if self.guard == Guard::Conditional {
            add(&mut fields, CONDITION);
            add(&mut fields, CONDITION_REGISTER);
        }
        for suffix in self.suffixes {
            match *suffix {
                Suffix::Names(field, _) | Suffix::When(field, ..) | Suffix::Carry0(field) | Suffix::Code(field) => {
                    add(&mut fields, field);
                }
                Suffix::Carry(field, register) => {
                    add(&mut fields, field);
                    if has(word, field, 3) {
                        add(&mut fields, register);
                    }
                }
                Suffix::WithoutEffect(flags, field, _) => {
                    flags.iter().for_each(|flag| add(&mut fields, *flag));
                    if flags.iter().all(|flag| has(word, *flag, 0)) {
                        add(&mut fields, field);
                    }
                }
                Suffix::Fixed(_) | Suffix::Alias(_) => {}
            }
        }
        for slot in self.slots {
            for &(_, field, _) in slot.marks {
                add(&mut fields, field);
            }
            slot.location.each_field(word, &mut |field| add(&mut fields, field));
        }
        fields
    }

    /// The bits of the row's words that can affect the [`Operation`]: the pattern's, and the fields of suffixes, of
    /// marks and of operands that are part of the operation. Other operands, the condition and the condition-code
    /// destination cannot affect it. Going through all values of these bits covers all operations of the row.
    pub fn operation_bits(&self) -> u64 {
        let suffixes = self.suffixes.iter().map(|suffix| match suffix {
            Suffix::Names(field, _) | Suffix::When(field, ..) | Suffix::Carry0(field) => field.mask(),
            Suffix::Carry(field, register) => field.mask() | register.mask(),
            Suffix::WithoutEffect(..) | Suffix::Fixed(_) | Suffix::Alias(_) | Suffix::Code(_) => 0,
        });
        let slots = self.slots.iter().map(|slot| {
            let marks = slot.marks.iter().fold(0, |bits, (_, field, _)| bits | field.mask());
            let location = match (slot.role, &slot.location) {
                (Role::Inherent, location) => location_bits(location),
                // The operand is the address; the space belongs to the operation.
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
