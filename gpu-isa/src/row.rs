//! The data types of a table's rows: [`Row`], [`Piece`], [`Case`], [`Alias`].
//!
//! All types are plain data for a `const` or `static`. The constructors are `const fn`s, so a row takes one or a few
//! lines:
//!
//! ```
//! use flexgrip_gpu_isa::set::*;
//!
//! const D: Field = bits("d", 0, 8);
//! const A: Field = bits("a", 8, 8);
//! const REG: Format = Format::Register { prefix: "R", scale: 1, top: Some("RZ") };
//! const GUARD: &[Piece] = &[Cases(&[
//!     case(0xf << 16, 7 << 16, &[]),
//!     case(0, 0, &[Text("@"), Flag(bits("not", 19, 1), 1, "!"), Number(bits("guard", 16, 3), P), Text(" ")]),
//! ])];
//! const P: Format = Format::Register { prefix: "P", scale: 1, top: Some("PT") };
//! const ROWS: &[Row] = &[
//!     row("MOV", 0xfff8_0000_0000_0000, 0x5c98_0000_0000_0000, 8, &[Text(" "), Number(D, REG), Text(", "), Number(A, REG)])
//!         .lead(GUARD)
//!         .source("appendix, line 1"),
//! ];
//! assert_eq!(ROWS[0].mnemonic, "MOV");
//! ```

use crate::field::{ones, Field, Format};
use crate::vector::{Channels, Register};

pub use Piece::{Cases, Flag, Names, Number, Pieces, Silent, Text, Unseen};

/// One piece of an instruction's text.
///
/// Every bit that a printed piece, a matching case's mask or the row's mask covers is *read*. Unread bits that are not
/// 0 are printed at the end of the row as ` ?0x...`, in their positions: so printing and parsing are inverse to each
/// other. Where the row has usual values of unread bits, the ones that differ are printed.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// Fixed text. The parser treats spaces in it as optional where the tokens are separate without them.
    Text(&'static str),
    /// The value's name; `""` prints nothing. An undefined value (`None`, or beyond the list) prints nothing and is not
    /// read.
    Names(Field, &'static [Option<&'static str>]),
    /// The text if the field has the value. Otherwise a field of one bit is read, and a wider one is not.
    Flag(Field, u128, &'static str),
    /// A number.
    Number(Field, Format),
    /// The first case that matches the word; if none does, nothing is printed and nothing is read.
    Cases(&'static [Case]),
    /// Like [`Piece::Cases`], but the text does not determine the case: the selecting bits are not read, so they are
    /// printed among the unread ones.
    Silent(&'static [Case]),
    /// Pieces for words in which two fields have the same value, and for all others. Neither field is read.
    Same(&'static Same),
    /// A register of a vector machine.
    Register(&'static Register),
    /// The channels of a register.
    Channels(&'static Channels),
    /// Bits with a known meaning that the text does not show: `explain` and the book describe them by these pieces, and
    /// they are printed among the unread ones.
    Unseen(&'static [Piece]),
    /// A group of pieces that several rows share.
    Pieces(&'static [Piece]),
}

impl Piece {
    /// Calls `visit` with every field of the piece itself.
    pub(crate) fn each_field(&'static self, visit: &mut impl FnMut(&'static Field)) {
        match self {
            Piece::Names(field, _) | Piece::Flag(field, ..) | Piece::Number(field, _) => visit(field),
            Piece::Register(register) => {
                visit(&register.number);
                if register.bank.width() > 0 {
                    visit(&register.bank);
                }
            }
            Piece::Channels(channels) => channels.each_field(visit),
            Piece::Text(_)
            | Piece::Cases(_)
            | Piece::Silent(_)
            | Piece::Same(_)
            | Piece::Unseen(_)
            | Piece::Pieces(_) => {}
        }
    }

    /// True if the field belongs to the piece itself.
    pub(crate) fn has(&'static self, field: &Field) -> bool {
        let mut has = false;
        self.each_field(&mut |own| has |= own == field);
        has
    }
}

/// Fields that may have the same value, for [`Piece::Same`].
#[derive(Clone, Copy, Debug)]
pub struct Same {
    /// The first field.
    pub one: Field,
    /// The second field.
    pub other: Field,
    /// The pieces if the values are equal.
    pub same: &'static [Piece],
    /// The pieces if the values differ.
    pub differ: &'static [Piece],
}

/// An alternative of [`Piece::Cases`]: applies if `word & mask == value`.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The name of the selecting bits in explanations; may be empty.
    pub name: &'static str,
    /// The selecting bits; they are read.
    pub mask: u128,
    /// The value of these bits.
    pub value: u128,
    /// The pieces of the case.
    pub pieces: &'static [Piece],
}

/// A [`Case`] in one line.
pub const fn case(mask: u128, value: u128, pieces: &'static [Piece]) -> Case {
    Case {
        name: "",
        mask,
        value,
        pieces,
    }
}

/// A [`Case`] for one value of a field.
pub const fn when(field: Field, value: u128, pieces: &'static [Piece]) -> Case {
    Case {
        name: field.name,
        mask: field.mask(),
        value: field.put(value),
        pieces,
    }
}

/// The last [`Case`]: applies always.
pub const fn otherwise(pieces: &'static [Piece]) -> Case {
    Case {
        name: "",
        mask: 0,
        value: 0,
        pieces,
    }
}

impl Case {
    /// The case with a condition on one more field; the case's name is removed, because it named one field.
    pub const fn with(mut self, field: Field, value: u128) -> Case {
        self.name = "";
        self.mask |= field.mask();
        self.value |= field.put(value);
        self
    }
}

/// An instruction form without the last bytes, which then read as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short {
    /// The bit that is 0 in the short form and 1 in the long one.
    pub bit: u8,
    /// Length in bytes of the short form.
    pub bytes: u8,
}

/// The length of the instructions with these bits in the first halfword.
#[derive(Clone, Copy, Debug, Default)]
pub struct Length {
    /// The bits of the first halfword that determine the length.
    pub mask: u16,
    /// The value of these bits.
    pub value: u16,
    /// Length in bytes, of the long form if there are two.
    pub bytes: u8,
    /// The short form, if there is one. Its bit is in the first six bytes.
    pub short: Option<Short>,
}

/// The effect of an instruction on the flow of control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// The next instruction follows.
    #[default]
    On,
    /// A branch, call, return or trap: listed as data where the alignment of code is unsure.
    Away,
    /// The end of a program. Zeros after it are padding, and after it the alignment of code is certain again.
    End,
}

/// A row's text in another notation: the assembler accepts it as well as the row's own text, and only `explain` and the
/// book show it.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    /// The mnemonic, in the form of a row's.
    pub mnemonic: &'static str,
    /// The bits that the mnemonic implies, in addition to the row's fixed bits.
    pub mask: u128,
    /// The value of these bits.
    pub value: u128,
    /// The pieces before the mnemonic.
    pub lead: &'static [Piece],
    /// The pieces after the mnemonic.
    pub pieces: &'static [Piece],
    /// The usual values of bits that no piece of the alias reads.
    pub usual: u128,
}

/// An [`Alias`] for all words of the row.
pub const fn alias(mnemonic: &'static str, pieces: &'static [Piece]) -> Alias {
    Alias {
        mnemonic,
        mask: 0,
        value: 0,
        lead: &[],
        pieces,
        usual: 0,
    }
}

impl Alias {
    /// Restricts the alias to words with this value of a field.
    pub const fn only(mut self, field: Field, value: u128) -> Alias {
        self.mask |= field.mask();
        self.value |= field.put(value);
        self
    }

    /// Sets the pieces before the mnemonic.
    pub const fn lead(mut self, lead: &'static [Piece]) -> Alias {
        self.lead = lead;
        self
    }

    /// Sets bits that are usually 1 although no piece reads them.
    pub const fn usual(mut self, usual: u128) -> Alias {
        self.usual = usual;
        self
    }
}

/// A text of a row: its own or an alias.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notation {
    pub mnemonic: &'static str,
    /// The fixed bits, including the row's fixed bits.
    pub mask: u128,
    pub value: u128,
    pub lead: &'static [Piece],
    pub pieces: &'static [Piece],
    pub usual: u128,
    pub untold: u128,
}

/// One instruction form.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Printed after `lead`. It has no space and begins with its [stem](Row::stem), which is not empty.
    pub mnemonic: &'static str,
    /// The fixed bits.
    pub mask: u128,
    /// The value of the fixed bits.
    pub value: u128,
    /// Length in bytes, of the long form if there are two.
    pub bytes: u8,
    /// The short form, if there is one.
    pub short: Option<Short>,
    /// The pieces before the mnemonic: a guard with its space, for example.
    pub lead: &'static [Piece],
    /// The pieces after the mnemonic.
    pub pieces: &'static [Piece],
    /// The meaning of the instruction, in a few words.
    pub description: &'static str,
    /// The line or section of the document or facts file that the row is from.
    pub source: &'static str,
    /// Further notes, for `explain` and the reference page.
    pub notes: &'static [&'static str],
    /// Where rows overlap, the one with the highest rank wins. Overlap of rows with the same rank is an error.
    pub rank: u8,
    /// The first and the last version of a set that has the row: 20, 35, 60 for NVIDIA.
    pub versions: (u16, u16),
    /// The usual values of bits that no piece reads: a guard that an instruction ignores, for example. The ` ?0x...` of
    /// a text shows the unread bits that differ from them.
    pub usual: u128,
    /// Mask and value of bits with the same meaning as the usual ones: only an exact text, which the assembler encodes
    /// to the same word, distinguishes them.
    pub same: (u128, u128),
    /// Texts in other notations.
    pub also: &'static [Alias],
    /// The effect on the flow of control.
    pub flow: Flow,
    /// Fixed bits that the text does not determine: they are printed among the unread ones, relative to `usual`.
    pub untold: u128,
}

/// A [`Row`] with its mandatory properties; methods set the others: `row(...).source("...")`.
pub const fn row(mnemonic: &'static str, mask: u128, value: u128, bytes: u8, pieces: &'static [Piece]) -> Row {
    Row {
        mnemonic,
        mask,
        value,
        bytes,
        short: None,
        lead: &[],
        pieces,
        description: "",
        source: "",
        notes: &[],
        rank: 0,
        versions: (0, u16::MAX),
        usual: 0,
        same: (0, u128::MAX),
        also: &[],
        flow: Flow::On,
        untold: 0,
    }
}

impl Row {
    /// Sets the texts in other notations.
    pub const fn also(mut self, also: &'static [Alias]) -> Row {
        self.also = also;
        self
    }

    /// Sets the effect on the flow of control.
    pub const fn flow(mut self, flow: Flow) -> Row {
        self.flow = flow;
        self
    }

    /// The row's texts: its main text is number 0, the aliases follow.
    pub(crate) fn notation(&self, number: usize) -> Notation {
        match number.checked_sub(1).map(|number| &self.also[number]) {
            None => Notation {
                mnemonic: self.mnemonic,
                mask: self.mask,
                value: self.value,
                lead: self.lead,
                pieces: self.pieces,
                usual: self.usual,
                untold: self.untold,
            },
            Some(alias) => Notation {
                mnemonic: alias.mnemonic,
                mask: self.mask | alias.mask,
                value: self.value | alias.value,
                lead: alias.lead,
                pieces: alias.pieces,
                usual: alias.usual,
                untold: self.untold,
            },
        }
    }

    /// Sets the pieces before the mnemonic.
    pub const fn lead(mut self, lead: &'static [Piece]) -> Row {
        self.lead = lead;
        self
    }

    /// Adds a form of `bytes` bytes with bit `bit` at 0.
    pub const fn short(mut self, bit: u8, bytes: u8) -> Row {
        self.short = Some(Short { bit, bytes });
        self
    }

    /// Sets the description.
    pub const fn about(mut self, description: &'static str) -> Row {
        self.description = description;
        self
    }

    /// Sets the source.
    pub const fn source(mut self, source: &'static str) -> Row {
        self.source = source;
        self
    }

    /// Sets the notes.
    pub const fn notes(mut self, notes: &'static [&'static str]) -> Row {
        self.notes = notes;
        self
    }

    /// Sets the rank: the row has priority over rows of a lower rank; the default is 0.
    pub const fn rank(mut self, rank: u8) -> Row {
        self.rank = rank;
        self
    }

    /// Restricts the row to versions starting at `version`.
    pub const fn since(mut self, version: u16) -> Row {
        self.versions.0 = version;
        self
    }

    /// Restricts the row to versions up to and including `version`.
    pub const fn until(mut self, version: u16) -> Row {
        self.versions.1 = version;
        self
    }

    /// Sets bits that are usually 1 although no piece reads them. In a control row: the bits of inserted control words.
    pub const fn usual(mut self, usual: u128) -> Row {
        self.usual = usual;
        self
    }

    /// Sets bits with the same meaning as the usual ones if they have this value.
    pub const fn same(mut self, mask: u128, value: u128) -> Row {
        self.same = (mask, value);
        self
    }

    /// The word with the plain text of this word's meaning: bits equivalent to the usual ones are replaced by the usual
    /// ones.
    pub const fn plain(&self, word: u128) -> u128 {
        let (mask, value) = self.same;
        if word & mask == value {
            word & !mask | self.usual & mask
        } else {
            word
        }
    }

    /// Sets fixed bits that the text does not determine.
    pub const fn untold(mut self, untold: u128) -> Row {
        self.untold = untold;
        self
    }

    /// Calls `visit` with every piece in the order of the table, including the pieces of all cases.
    pub(crate) fn each_piece(&'static self, visit: &mut impl FnMut(&'static Piece)) {
        fn each(pieces: &'static [Piece], visit: &mut impl FnMut(&'static Piece)) {
            for piece in pieces {
                visit(piece);
                match piece {
                    Piece::Cases(cases) | Piece::Silent(cases) => {
                        cases.iter().for_each(|case| each(case.pieces, visit));
                    }
                    Piece::Same(same) => {
                        each(same.same, visit);
                        each(same.differ, visit);
                    }
                    Piece::Pieces(group) | Piece::Unseen(group) => each(group, visit),
                    _ => {}
                }
            }
        }
        each(self.lead, visit);
        each(self.pieces, visit);
    }

    /// The length in bytes of a word of this row.
    pub const fn length(&self, word: u128) -> u8 {
        length_of(self.bytes, self.short, word)
    }

    /// The bits that a word of this row has, without the ones that its short form omits.
    pub(crate) const fn kept(&self, word: u128) -> u128 {
        ones(8 * self.length(word) as u32)
    }

    /// The stem of the mnemonic, by which the assembler finds the row: its letters, digits and `_` up to another
    /// character; a `.` before them is skipped.
    pub fn stem(&self) -> &'static str {
        stem(self.mnemonic)
    }
}

/// The length of a word of an instruction of `bytes` bytes that may have a short form.
pub(crate) const fn length_of(bytes: u8, short: Option<Short>, word: u128) -> u8 {
    match short {
        Some(Short { bit, bytes }) if word >> (bit & 127) & 1 == 0 => bytes,
        _ => bytes,
    }
}

/// The stem of a mnemonic or of a token of a text.
pub(crate) fn stem(token: &str) -> &str {
    let token = token.strip_prefix('.').unwrap_or(token);
    let other = |byte: u8| !byte.is_ascii_alphanumeric() && byte != b'_';
    &token[..token.bytes().position(other).unwrap_or(token.len())]
}
