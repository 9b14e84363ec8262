//! The types of the control table: the hardware decoder's outputs to the units.
//!
//! A [`Control`] names its unit's operation and the unit's control lines that fields of the word drive. It does not
//! repeat the ISA table's row: the slots give the locations and widths of operands, the suffixes' names give the
//! undefined values, and the guard and `writes_cc` give conditions and condition codes. The names of operations and
//! lines are defined in `hdl/src/bundles.rs`; the Rust compiler rejects unknown ones there.

use flexgrip_isa::table::Role;
use flexgrip_isa::{Field, Form};

/// A row's request to its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Control {
    /// The unit's operation, by the name of its variant in the unit's enumeration.
    pub operation: &'static str,
    /// The sources that are the unit's operands a, b and c. [`Role::Inherent`] is an immediate that is part of the
    /// operation.
    pub operands: [Role; 3],
    /// Lines that are 1 in every word of the row.
    pub sets: &'static [&'static str],
    /// Fields of the word that drive lines.
    pub reads: &'static [Reading],
}

impl Control {
    /// An operation with sources 1, 2 and 3 as operands a, b and c, and no lines.
    pub const fn new(operation: &'static str) -> Self {
        Control { operation, operands: [Role::Source1, Role::Source2, Role::Source3], sets: &[], reads: &[] }
    }

    /// Selects the sources for operands a, b and c.
    pub const fn operands(self, operands: [Role; 3]) -> Self {
        Control { operands, ..self }
    }

    /// Sets these lines to 1.
    pub const fn sets(self, sets: &'static [&'static str]) -> Self {
        Control { sets, ..self }
    }

    /// Drives lines by these fields.
    pub const fn reads(self, reads: &'static [Reading]) -> Self {
        Control { reads, ..self }
    }
}

/// A field of the word that drives lines of the unit's control: a column of the decoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The column's name, unique among readings.
    pub name: &'static str,
    /// The field in long words.
    pub long: Option<Field>,
    /// The field in short and immediate words.
    pub short: Option<Field>,
    /// The lines of the unit's control that the field drives.
    pub lines: &'static [Line],
}

impl Reading {
    /// Reads a field of long words.
    pub const fn long(name: &'static str, field: Field, lines: &'static [Line]) -> Self {
        Reading { name, long: Some(field), short: None, lines }
    }

    /// Reads a field of short and immediate words.
    pub const fn short(name: &'static str, field: Field, lines: &'static [Line]) -> Self {
        Reading { name, long: None, short: Some(field), lines }
    }

    /// Also reads `field`, of the same width, in short and immediate words.
    pub const fn or_short(self, field: Field) -> Self {
        assert!(self.width() == field.width(), "fields of two widths");
        Reading { short: Some(field), ..self }
    }

    /// Bits of the field.
    pub const fn width(&self) -> u32 {
        match (self.long, self.short) {
            (Some(field), _) | (None, Some(field)) => field.width(),
            (None, None) => 0,
        }
    }

    /// The field in words of a form.
    pub fn field(&self, form: Form) -> Option<Field> {
        if form == Form::Long {
            self.long
        } else {
            self.short
        }
    }
}

/// A line of a unit's control, named by its path in the decoded instruction (`integer.saturate`), and its driver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    /// One bit: bit 0 of the field.
    Bit(&'static str),
    /// One bit: 1 for these values of the field.
    When(&'static str, &'static [u32]),
    /// A number: the field's value.
    Number(&'static str),
    /// A variant of an enumeration, selected by the field's value.
    Variant(&'static str, &'static str, &'static [&'static str]),
}

impl Line {
    /// The path of the line in the decoded instruction.
    pub const fn path(&self) -> &'static str {
        match self {
            Line::Bit(path) | Line::When(path, _) | Line::Number(path) | Line::Variant(path, ..) => path,
        }
    }
}
