//! The traversal of a row's pieces for a word, in the order of the text, which also returns the bits that it reads.

use crate::field::{Count, Field, Format};
use crate::row::{Case, Notation, Piece, Same};
use crate::vector::{Channels, Register, Shown};

/// A visitor of the traversal, implemented by the printer, the explanation and the parser's check.
pub(crate) trait Visit {
    /// Receives a fixed text.
    fn text(&mut self, _text: &'static str) {}
    /// Receives a field and the name of its value; `None` if the value is undefined.
    fn name(&mut self, _field: &Field, _value: u128, _name: Option<&'static str>) {}
    /// Receives a flag, and true if its text is shown.
    fn flag(&mut self, _field: &Field, _value: u128, _text: &'static str, _shown: bool) {}
    /// Receives a number; `value` is the field's. Runs of registers have the count for this word.
    fn number(&mut self, _field: &Field, _format: Format, _value: u128) {}
    /// Receives a register operand of a word.
    fn register(&mut self, _register: &'static Register, _word: u128) {}
    /// Receives the channels of an operand.
    fn channels(&mut self, _channels: &'static Channels, _word: u128, _shown: &Shown) {}
    /// Receives two fields, and true if their values are equal.
    fn same(&mut self, _fields: &'static Same, _same: bool) {}
    /// Receives pieces with bits that the text does not show.
    fn unseen(&mut self, _pieces: &'static [Piece], _word: u128) {}
    /// Receives cases and the number of the first match.
    fn case(&mut self, _cases: &'static [Case], _chosen: Option<usize>) {}
}

/// Walks over the pieces of a word and returns the bits that are read.
pub(crate) fn pieces(pieces: &'static [Piece], word: u128, visit: &mut impl Visit) -> u128 {
    let mut read = 0;
    for piece in pieces {
        match piece {
            Piece::Text(text) => visit.text(text),
            Piece::Names(field, names) => {
                let value = field.get(word);
                let name = name(names, value);
                if name.is_some() {
                    read |= field.mask();
                }
                visit.name(field, value, name);
            }
            Piece::Flag(field, value, text) => {
                let found = field.get(word);
                let shown = found == *value;
                if shown || field.width() == 1 {
                    read |= field.mask();
                }
                visit.flag(field, found, text, shown);
            }
            Piece::Number(field, format) => {
                let value = field.get(word);
                read |= field.put(crate::number::read(*format, value, field.width()));
                visit.number(field, of_word(*format, word), value);
            }
            Piece::Cases(cases) => {
                let chosen = cases.iter().position(|case| word & case.mask == case.value);
                visit.case(cases, chosen);
                if let Some(chosen) = chosen {
                    read |= cases[chosen].mask;
                    read |= self::pieces(cases[chosen].pieces, word, visit);
                }
            }
            Piece::Silent(cases) => {
                let chosen = cases.iter().position(|case| word & case.mask == case.value);
                visit.case(cases, chosen);
                if let Some(chosen) = chosen {
                    read |= self::pieces(cases[chosen].pieces, word, visit);
                }
            }
            Piece::Same(fields) => {
                let same = fields.one.get(word) == fields.other.get(word);
                visit.same(fields, same);
                read |= self::pieces(if same { fields.same } else { fields.differ }, word, visit);
            }
            Piece::Register(register) => {
                read |= register.read(word);
                visit.register(register, word);
            }
            Piece::Channels(channels) => {
                let shown = channels.shown(word);
                read |= shown.read;
                visit.channels(channels, word, &shown);
            }
            Piece::Unseen(group) => visit.unseen(group, word),
            Piece::Pieces(group) => read |= self::pieces(group, word, visit),
        }
    }
    read
}

/// Visits all of a row's text, with its mnemonic as text, and returns the bits that are read; they include the fixed
/// bits, except the ones that the text does not determine.
pub(crate) fn notation(notation: &Notation, word: u128, visit: &mut impl Visit) -> u128 {
    let mut read = notation.mask & !notation.untold;
    read |= pieces(notation.lead, word, visit);
    visit.text(notation.mnemonic);
    read |= pieces(notation.pieces, word, visit);
    read
}

/// The format with the count of registers for this word.
fn of_word(format: Format, word: u128) -> Format {
    match format {
        Format::Run {
            prefix,
            halves,
            scale,
            count: Count::Ones(mask),
        } => Format::Run {
            prefix,
            halves,
            scale,
            count: Count::Fixed(mask.get(word).count_ones() as u8),
        },
        format => format,
    }
}

/// A value's name in a list.
pub(crate) fn name(names: &[Option<&'static str>], value: u128) -> Option<&'static str> {
    let value = usize::try_from(value).ok()?;
    names.get(value).copied().flatten()
}
