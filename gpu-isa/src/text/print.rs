//! Printer of words.

use crate::row::Notation;
use crate::set::{Field, Format, Row, Set};
use crate::vector::{Channels, Register, Shown};
use crate::walk::{self, Visit};
use std::fmt::Write as _;

/// The output of the printer.
struct Printer {
    out: String,
    address: u64,
    /// The length of the text after the last number with a space after it, which is dropped at the end.
    spaced: usize,
    /// The usual values of unread bits of numbers.
    usual: u128,
    /// The name for all register files, see [`Register::print`].
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
        crate::number::print(format, value, field.width(), self.address, &mut self.out);
        self.usual |= field.put(crate::number::usual(format, value));
        if matches!(format, Format::WideFloat { .. }) && self.out.ends_with(' ') {
            self.spaced = self.out.len();
        }
    }
}

/// The text of a word of the row at an address; unread bits with unusual values are last, as ` ?0x...`.
pub fn row_text(row: &'static Row, word: u128, address: u64) -> String {
    row_text_with(row, word, address, None)
}

/// Like [`row_text`], with one name for all register files except internal registers, constants and immediates.
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

/// The text of a word without a row, `bytes` bytes long, with as many hexadecimal digits.
pub fn data_text(word: u128, bytes: u8) -> String {
    format!(".word 0x{word:0digits$x}", digits = 2 * usize::from(bytes))
}

impl Set {
    /// The text of a word at an address in bytes; `None` if no row matches the word. Bits above the word's length must
    /// be 0.
    pub fn text_at(&self, word: u128, address: u64) -> Option<String> {
        self.find(word).map(|row| row_text(row, word, address))
    }

    /// Like [`Set::text_at`], for readers: words with the same meaning have the same text, which assembles to one of
    /// them.
    pub fn plain_at(&self, word: u128, address: u64) -> Option<String> {
        self.find(word).map(|row| row_text(row, row.plain(word), address))
    }
}
