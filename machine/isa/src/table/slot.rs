//! The operands of a row: the role of each in the operation, and the location of its bits.

use super::field::Field;
use crate::operation::Access;

/// The role of an operand slot in the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// [`crate::Instruction::destination`].
    Destination,
    /// `sources()[0]`; also the address of a store.
    Source1,
    /// `sources()[1]`.
    Source2,
    /// `sources()[2]`; also the value of a store.
    Source3,
    /// Part of the [`crate::Operation`] itself.
    Inherent,
}

/// Location and encoding of an operand. Selections by further bits nest.
#[derive(Debug, Clone, Copy)]
pub enum Location {
    /// Register, all of it.
    Word(Field),
    /// Two consecutive registers, the low word in the first, whose number is even; an odd one is undefined.
    Pair(Field),
    /// Register half: bit 0 of the field is the half (1 = high), the rest the register.
    Half(Field),
    /// `o[0x7f]`. Any other value of the field would be an output register, which kernels do not have: undefined.
    Discard(Field),
    /// `g[]`.
    Shared {
        /// The offset, in units of the access size.
        offset: Field,
        /// The size of the access.
        access: Access,
        /// Address register fields.
        indirect: IndirectFields,
        /// The text shows the access size (otherwise a suffix of the mnemonic gives it).
        explicit: bool,
    },
    /// `c[bank][]`.
    Constant {
        /// The number of the bank.
        bank: Field,
        /// The offset, in units of the access size.
        offset: Field,
        /// The size of the access.
        access: Access,
        /// Address register fields, if this operand may use them.
        indirect: Option<IndirectFields>,
        /// The text shows the access size (otherwise the operation's width gives it).
        explicit: bool,
    },
    /// `local[]`.
    Local {
        /// The offset, in bytes.
        offset: Field,
        /// Address register fields.
        indirect: IndirectFields,
    },
    /// `globalN[Rn]`: space and address register; the operand is the register.
    Global(Field, Field),
    /// An immediate, printed in hexadecimal.
    Number(Field),
    /// A float's bits; a negative one is printed as `-0x...`, the two's complement.
    FloatNumber(Field),
    /// An immediate that is omitted from the text if it is 0.
    OptionalNumber(Field),
    /// Branch target, in units of 4 bytes.
    Target(Field),
    /// Address register A0..A4; 5 to 7 are undefined.
    Address(Field),
    /// Condition-code register.
    ConditionCode(Field),
    /// Special register.
    Special(Field),
    /// Barrier.
    Barrier(Field),
    /// One of the names; `None` is undefined.
    Named(Field, &'static [Option<&'static str>]),
    /// A condition that is an operand: the condition-code register and the condition.
    Condition(Field, Field),
    /// No operand: the text has none.
    Nothing,
    /// Selected by the field's value.
    Select(Field, &'static [Location]),
    /// The selecting bits have an undefined combination.
    Undefined,
}

/// The fields of an operand's address register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndirectFields {
    /// Register, 0 for none; 5 to 7 are undefined.
    pub register: Field,
    /// Post-increment.
    pub post_increment: Field,
}

/// A sign change written at an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// `-x`.
    Negate,
    /// `|x|`.
    Absolute,
    /// `~x`.
    Invert,
}

/// An operand's slot in the text.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// The role in the operation.
    pub role: Role,
    /// The location of its bits.
    pub location: Location,
    /// Marks, each with the field and value for which it is present.
    pub marks: &'static [(Mark, Field, u32)],
}

impl Slot {
    /// The operand's name in documentation: `destination`, `source 1`, or the kind of its field.
    pub fn name(&self) -> &'static str {
        match self.role {
            Role::Destination => "destination",
            Role::Source1 => "source 1",
            Role::Source2 => "source 2",
            Role::Source3 => "source 3",
            Role::Inherent => match self.location {
                Location::Number(field)
                | Location::OptionalNumber(field)
                | Location::Target(field)
                | Location::Barrier(field)
                | Location::Named(field, _)
                | Location::Condition(_, field) => field.name,
                // The table's test forbids other locations here.
                _ => "operand",
            },
        }
    }
}

impl Location {
    /// The location that the selecting fields of `word` choose: never a [`Location::Select`].
    pub fn resolve(&self, word: u64) -> Location {
        let mut location = *self;
        while let Location::Select(field, locations) = location {
            location = locations
                .get(field.get(word) as usize)
                .copied()
                .unwrap_or(Location::Undefined);
        }
        location
    }

    /// The possible locations, in the order of the selecting fields' values, without selections, missing and undefined
    /// ones.
    pub fn alternatives(&self) -> Vec<Location> {
        match *self {
            Location::Select(_, locations) => locations.iter().flat_map(Location::alternatives).collect(),
            Location::Nothing | Location::Undefined => Vec::new(),
            other => vec![other],
        }
    }

    /// Calls `add` for each field that the operand is read from: in all selections, or only in the selections of
    /// `word`.
    pub(crate) fn each_field(&self, word: Option<u64>, add: &mut impl FnMut(Field)) {
        match *self {
            Location::Word(field)
            | Location::Pair(field)
            | Location::Half(field)
            | Location::Discard(field)
            | Location::Number(field)
            | Location::FloatNumber(field)
            | Location::OptionalNumber(field)
            | Location::Target(field)
            | Location::Address(field)
            | Location::ConditionCode(field)
            | Location::Special(field)
            | Location::Barrier(field)
            | Location::Named(field, _) => add(field),
            Location::Shared { offset, .. } | Location::Local { offset, .. } => add(offset),
            Location::Constant { bank, offset, .. } => {
                add(bank);
                add(offset);
            }
            Location::Global(first, second) | Location::Condition(first, second) => {
                add(first);
                add(second);
            }
            Location::Select(field, locations) => {
                add(field);
                let chosen = word.map(|word| field.get(word) as usize);
                for (value, location) in locations.iter().enumerate() {
                    if chosen.is_none_or(|chosen| chosen == value) {
                        location.each_field(word, add);
                    }
                }
            }
            Location::Nothing | Location::Undefined => {}
        }
        if let Some(indirect) = self.indirect() {
            add(indirect.register);
            add(indirect.post_increment);
        }
    }

    /// The fields of the operand's address register, if it can have one.
    pub const fn indirect(&self) -> Option<IndirectFields> {
        match *self {
            Location::Shared { indirect, .. } | Location::Local { indirect, .. } => Some(indirect),
            Location::Constant { indirect, .. } => indirect,
            _ => None,
        }
    }

    /// Notation for an operand of this kind in documentation: `Rn`, `g[]`.
    pub const fn notation(&self) -> &'static str {
        match self {
            Location::Word(_) => "Rn",
            Location::Pair(_) => "Rn, n even",
            Location::Half(_) => "RnL/RnH",
            Location::Discard(_) => "o[0x7f]",
            Location::Shared { .. } => "g[]",
            Location::Constant { .. } => "c[][]",
            Location::Local { .. } => "local[]",
            Location::Global(..) => "globaln[Rn]",
            Location::Number(_) | Location::FloatNumber(_) => "number",
            Location::OptionalNumber(_) => "immediate, omitted if 0",
            Location::Target(_) => "address",
            Location::Address(_) => "An",
            Location::ConditionCode(_) => "Cn",
            Location::Special(_) => "SRn",
            Location::Barrier(_) => "bn",
            Location::Named(..) => "name",
            Location::Condition(..) => "Cn.condition",
            Location::Select(..) | Location::Nothing | Location::Undefined => "",
        }
    }
}
