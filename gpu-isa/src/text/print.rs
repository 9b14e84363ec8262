//! Words as text.

use crate::row::Notation;
use crate::set::{Field, Format, Row, Set};
use crate::vector::{Channels, Register, Shown};
use crate::walk::{self, Visit};
use std::fmt::Write as _;

/// Collects the text.
struct Printer {
    out: String,
    address: u64,
    /// The length of the text after the last number that has a space behind it: not at the end.
    spaced: usize,
    /// What unread bits of numbers usually are.
    usual: u128,
    /// What stands for the register files, see [`Register::print`].
    files: Option<&'static str>,
}

impl Visit for Printer {
    fn register(&mut self, register: &'static Register, word: u128) {
        register.print(word, self.files, &mut self.out);
    }

    fn channels(&mut self, _channels: &'static Channels, _word: u128, shown: &Shown) {
        self.out.push_str(shown.text());
        self.usual |= shown.usual;
    }

    fn text(&mut self, text: &'static str) {
        self.out.push_str(text);
    }

    fn name(&mut self, _field: &Field, _value: u128, name: Option<&'static str>) {
        self.out.push_str(name.unwrap_or(""));
    }

    fn flag(&mut self, _field: &Field, _value: u128, text: &'static str, shown: bool) {
        if shown {
            self.out.push_str(text);
        }
    }

    fn number(&mut self, field: &Field, format: Format, value: u128) {
        crate::text::number::print(format, value, field.width(), self.address, &mut self.out);
        self.usual |= field.put(crate::text::number::usual(format, value));
        if matches!(format, Format::WideFloat { .. }) && self.out.ends_with(' ') {
            self.spaced = self.out.len();
        }
    }
}

/// The text of a word of the row at an address; unread bits that are not as usual come last, as ` ?0x...`.
pub fn row_text(row: &'static Row, word: u128, address: u64) -> String {
    row_text_with(row, word, address, None)
}

/// As [`row_text`], with one name for all register files but the internal registers, constants and immediates.
pub fn row_text_with(row: &'static Row, word: u128, address: u64, files: Option<&'static str>) -> String {
    notation_text(row, &row.notation(0), word, address, files)
}

/// The texts that a word of the row has in other notations.
pub fn alias_texts(row: &'static Row, word: u128, address: u64) -> Vec<String> {
    let notations = (1..=row.also.len()).map(|number| row.notation(number));
    let of_word = notations.filter(|notation| word & notation.mask == notation.value);
    of_word
        .map(|notation| notation_text(row, &notation, word, address, None))
        .collect()
}

fn notation_text(
    row: &'static Row,
    notation: &Notation,
    word: u128,
    address: u64,
    files: Option<&'static str>,
) -> String {
    let mut printer = Printer {
        out: String::with_capacity(48),
        address,
        spaced: usize::MAX,
        usual: 0,
        files,
    };
    let read = walk::notation(notation, word, &mut printer);
    if printer.spaced == printer.out.len() {
        printer.out.pop();
    }
    let unread = (word ^ (notation.usual | printer.usual)) & !read & row.kept(word);
    if unread != 0 {
        let _ = write!(printer.out, " ?{unread:#x}");
    }
    printer.out
}

/// The text of a word that no row covers, `bytes` bytes long: as many hexadecimal digits as it has.
pub fn data_text(word: u128, bytes: u8) -> String {
    format!(".word 0x{word:0digits$x}", digits = 2 * usize::from(bytes))
}

impl Set {
    /// The text of a word at an address in bytes; none if no row covers the word. Bits above the word's length are 0.
    pub fn text_at(&self, word: u128, address: u64) -> Option<String> {
        self.find(word).map(|row| row_text(row, word, address))
    }

    /// As [`Set::text_at`], for readers: words that mean the same have the same text, and the assembler makes one of them
    /// of it.
    pub fn plain_at(&self, word: u128, address: u64) -> Option<String> {
        self.find(word).map(|row| row_text(row, row.plain(word), address))
    }
}
