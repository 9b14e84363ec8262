//! The control column of the table: the hardware decoder's outputs to the units.
//!
//! A row's [`Control`] names its unit's operation and the unit's control lines that fields of the word drive. It does
//! not repeat the rest of the row: the slots give the locations and widths of operands, the suffixes' names give the
//! undefined values, and the guard and `writes_cc` give conditions and condition codes. [`crate::decoder`] combines
//! both and writes the circuit's rows. The names of operations and lines are defined in `hdl/src/bundles.rs`; the Rust
//! compiler rejects unknown ones there.

use super::field::Field;
use super::slot::Role;

/// A row's request to its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Control {
    /// The unit's operation.
    pub operation: &'static str,
    /// The sources that are the unit's operands a, b and c. [`Role::Inherent`]: a number that is part of the operation.
    pub operands: [Role; 3],
    /// Lines that are 1 in every word of the row.
    pub sets: &'static [&'static str],
    /// Fields of the word that drive lines.
    pub reads: &'static [Reading],
}

impl Control {
    /// An operation with sources 1, 2 and 3 as operands a, b and c, and no lines.
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
/// Readings of one name share a column of the decoder: one field in long words, one in short and immediate words, and
/// the same lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The column's name.
    pub name: &'static str,
    /// The field.
    pub field: Field,
    /// The lines.
    pub lines: &'static [Line],
}

/// A line of a unit's control, named by its path in the decoded instruction (`integer.saturate`), and its driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// One bit: bit 0 of the field.
    Bit(&'static str),
    /// One bit: 1 for these values of the field.
    When(&'static str, &'static [u32]),
    /// A number: the field's value.
    Number(&'static str),
    /// One of an enumeration's variants, by the field's value.
    Variant(&'static str, &'static str, &'static [&'static str]),
}

impl Line {
    /// The line's path.
    pub const fn path(&self) -> &'static str {
        match self {
            Line::Bit(path) | Line::When(path, _) | Line::Number(path) | Line::Variant(path, ..) => path,
        }
    }
}
