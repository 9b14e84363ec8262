//! What the hardware's decoder tells the units: the control column of the table.
//!
//! A row's [`Control`] names the operation of its unit and the lines of the unit's control that the word's fields drive. It
//! says nothing that the row says already: where operands lie and how wide they are follows from the slots, what is undefined
//! from the suffixes' names, conditions and condition codes from the guard and `writes_cc`. [`crate::decoder`] puts both
//! together and writes the circuit's rows; the names of operations and lines are those of `hdl/src/bundles.rs`, and the Rust
//! compiler refuses others there.

use super::field::Field;
use super::slot::Role;

/// What a row asks of its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Control {
    /// The unit's operation.
    pub operation: &'static str,
    /// Which sources are the unit's operands a, b and c. [`Role::Inherent`]: a number that is part of the operation.
    pub operands: [Role; 3],
    /// Lines that are 1 whatever the word.
    pub sets: &'static [&'static str],
    /// Fields of the word that drive lines.
    pub reads: &'static [Reading],
}

impl Control {
    /// An operation whose operands a, b and c are sources 1, 2 and 3, with no lines.
    pub const fn new(operation: &'static str) -> Self {
        Control {
            operation,
            operands: [Role::Source1, Role::Source2, Role::Source3],
            sets: &[],
            reads: &[],
        }
    }

    /// With these operands a, b and c.
    pub const fn operands(self, operands: [Role; 3]) -> Self {
        Control { operands, ..self }
    }

    /// With these lines at 1.
    pub const fn sets(self, sets: &'static [&'static str]) -> Self {
        Control { sets, ..self }
    }

    /// With these fields read.
    pub const fn reads(self, reads: &'static [Reading]) -> Self {
        Control { reads, ..self }
    }
}

/// A field of the word that drives lines of the unit's control.
///
/// Readings of one name are one column of the decoder: one field in long words, one in short and immediate words, and the
/// same lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The column's name.
    pub name: &'static str,
    /// The field.
    pub field: Field,
    /// The lines.
    pub lines: &'static [Line],
}

/// A line of a unit's control, by its place in the decoded instruction (`integer.saturate`), and what drives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// One bit: bit 0 of the field.
    Bit(&'static str),
    /// One bit: 1 for these values of the field.
    When(&'static str, &'static [u32]),
    /// A number: the field.
    Number(&'static str),
    /// One of an enumeration's variants, by the field's value.
    Variant(&'static str, &'static str, &'static [&'static str]),
}

impl Line {
    /// Its place.
    pub const fn path(&self) -> &'static str {
        match self {
            Line::Bit(path) | Line::When(path, _) | Line::Number(path) | Line::Variant(path, ..) => path,
        }
    }
}
