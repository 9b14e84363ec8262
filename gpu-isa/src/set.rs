//! An instruction set as a table, [`Set`], with the data types of its rows, and the lookups in it.

use crate::index::{Built, Index};
use crate::row::length_of;

pub use crate::field::*;
pub use crate::row::*;
pub use crate::vector::{Channels, File, Letters, Mask, Register};

/// The rule for the length of an instruction from its first bytes.
#[derive(Clone, Copy, Debug)]
pub enum Lengths {
    /// `(mask, value, bytes)` of the first halfword: the first match applies.
    Table(&'static [(u16, u16, u8)]),
    /// Like [`Lengths::Table`], for instructions with a short form. Without a match the length is unknown.
    Forms(&'static [Length]),
}

/// Control words between the instructions.
#[derive(Clone, Copy, Debug)]
pub struct Control {
    /// The distance of control words in bytes: every multiple has one.
    pub period: u32,
    /// The lowest bits in a control word of the 21 bits for each instruction after it, as in 5.x; empty if it has no
    /// such parts.
    pub slots: &'static [u8],
    /// The forms of control words. Their mnemonics begin with `.control`; a word without a match is data.
    pub rows: &'static [Row],
}

/// A source document or file.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The document's name.
    pub name: &'static str,
    /// The facts taken from it, and its known errors.
    pub about: &'static str,
}

/// An operand on a port of a decoder circuit: bits that the rows' texts have piece by piece.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// The port's name.
    pub name: &'static str,
    /// The names of the operand's fields.
    pub fields: &'static [&'static str],
    /// True if the selecting bits of cases may also belong to the operand, such as its kind.
    pub cases: bool,
    /// The possible positions of its bits, low bits first. A row uses the widest position with only bits of the
    /// operand; a row with none of them does not have the operand. If the list is empty, the fields themselves are the
    /// positions.
    pub places: &'static [Field],
}

/// An [`Operand`] in one line: the port's name, the fields' names, the positions.
pub const fn operand(name: &'static str, fields: &'static [&'static str], places: &'static [Field]) -> Operand {
    Operand {
        name,
        fields,
        cases: false,
        places,
    }
}

impl Operand {
    /// Includes the selecting bits of cases.
    pub const fn cases(mut self) -> Operand {
        self.cases = true;
        self
    }
}

/// An instruction set.
#[derive(Debug)]
pub struct Set {
    /// The name on the command line: `g13`.
    pub name: &'static str,
    /// The full name.
    pub title: &'static str,
    /// Version that the rows' `versions` are compared with; 0 if the set has no versions.
    pub version: u16,
    /// Bytes of the smallest instruction unit: addresses are multiples of it, and a word without a row and with an
    /// unknown length is printed in units of it.
    pub unit: u8,
    /// The rule for the length of an instruction.
    pub lengths: Lengths,
    /// The instruction forms, grouped as in the table's source.
    pub rows: &'static [&'static [Row]],
    /// Control words, if there are any.
    pub control: Option<Control>,
    /// The operands on the ports of a decoder circuit.
    pub ports: &'static [Operand],
    /// Texts that the assembler accepts and ignores: `.reuse`.
    pub dropped: &'static [&'static str],
    /// Tables of the same words under other names: the assembler falls back to their texts, and `explain` and the book
    /// list them.
    pub synonyms: &'static [&'static Set],
    /// Notes for readers of the reference.
    pub notes: &'static [&'static str],
    /// Questions that the document leaves open, and its errors.
    pub open: &'static [&'static str],
    /// The sources of the table.
    pub sources: &'static [Source],
    /// Lookup structures, built at the first use.
    pub built: Built,
}

impl Set {
    /// The lookup structures, built at the first use.
    pub(crate) fn index(&self) -> &Index {
        self.built.0.get_or_init(|| {
            let has = |row: &&Row| row.versions.0 <= self.version && self.version <= row.versions.1;
            let mut index = Index::new(self.rows.iter().copied().flatten().filter(has).collect());
            if let Some(control) = self.control {
                let rows = control.rows.iter().filter(has).collect();
                index.control = Some(Box::new(Index::new(rows)));
            }
            let entry = |halfword: u16| -> Option<Length> {
                match self.lengths {
                    Lengths::Table(table) => {
                        let found = table.iter().find(|(mask, value, _)| halfword & mask == *value);
                        found.map(|&(mask, value, bytes)| Length {
                            mask,
                            value,
                            bytes,
                            short: None,
                        })
                    }
                    Lengths::Forms(forms) => forms.iter().find(|form| halfword & form.mask == form.value).copied(),
                }
            };
            index.lengths = (0..=u16::MAX).map(entry).collect();
            index
        })
    }

    /// The rows of this version of the set, in the table's order.
    pub fn all_rows(&self) -> &[&'static Row] {
        &self.index().rows
    }

    /// The row of a word; bits above the word's length must be 0.
    pub fn find(&self, word: u128) -> Option<&'static Row> {
        let index = self.index();
        index.find(word).map(|row| index.rows[row as usize])
    }

    /// The row of a control word.
    pub fn find_control(&self, word: u128) -> Option<&'static Row> {
        let control = self.index().control.as_ref()?;
        control.find(word).map(|row| control.rows[row as usize])
    }

    /// The number of the word's row in [`Set::all_rows`].
    pub fn find_number(&self, word: u128) -> Option<usize> {
        self.index().find(word).map(|row| row as usize)
    }

    /// The length in bytes of the instruction that begins with these bytes; its first six determine it. `None` if it is
    /// unknown.
    pub fn known_length(&self, word: u128) -> Option<u8> {
        let length = self.index().lengths[usize::from(word as u16)]?;
        Some(length_of(length.bytes, length.short, word))
    }

    /// The length in bytes of the instruction that begins with these bytes, or one unit if it is unknown.
    pub fn length(&self, word: u128) -> u8 {
        self.known_length(word).unwrap_or(self.unit)
    }
}
