//! Explanation of a word, bit by bit: every field with its bits, name, value and meaning, the fixed bits and the unread
//! bits.

use crate::set::{ones, Case, Field, Format, Piece, Row, Set};
use crate::text::print::{alias_texts, data_text, row_text};
use crate::vector::{Channels, Register, Shown};
use crate::walk::{self, Visit};
use std::fmt::Write as _;

/// The bits of a mask as text, highest first: `45..44, 14..9`.
pub fn bit_ranges(mask: u128) -> String {
    let mut ranges: Vec<String> = Vec::new();
    let mut rest = mask;
    while rest != 0 {
        let high = 127 - rest.leading_zeros();
        let run = (rest << (127 - high)).leading_ones().min(high + 1);
        let low = high + 1 - run;
        ranges.push(if run == 1 {
            format!("{high}")
        } else {
            format!("{high}..{low}")
        });
        rest &= ones(low);
    }
    ranges.join(", ")
}

/// True if the bits of a mask are adjacent.
pub(crate) fn is_run(mask: u128) -> bool {
    mask != 0 && mask.count_ones() == 128 - mask.leading_zeros() - mask.trailing_zeros()
}

/// The bits of a field as text, the most significant part first.
pub fn field_bits(field: &Field) -> String {
    let parts = field.parts.iter().rev().filter(|(_, width)| *width > 0);
    let texts: Vec<String> = parts
        .map(|&(low, width)| match width {
            1 => format!("{low}"),
            _ => format!("{}..{low}", u32::from(low) + u32::from(width) - 1),
        })
        .collect();
    texts.join(", ")
}

/// Collects the lines of the table: bits, name, value, meaning.
#[derive(Default)]
struct Lines {
    lines: Vec<[String; 4]>,
    address: u64,
    /// The usual values of unread bits of numbers.
    usual: u128,
}

impl Lines {
    fn add(&mut self, bits: String, name: &str, value: u128, meaning: String) {
        let line = [bits, name.to_string(), format!("{value:#x}"), meaning];
        // A field that both selects and is printed has one line, with its text.
        if !self.lines.contains(&line) {
            self.lines.push(line);
        }
    }
}

impl Visit for Lines {
    fn name(&mut self, field: &Field, value: u128, name: Option<&'static str>) {
        let meaning = match name.map(|name| name.trim().trim_start_matches(", ")) {
            None => "undefined".to_string(),
            Some("") => "(no text)".to_string(),
            Some(name) => name.to_string(),
        };
        self.add(field_bits(field), field.name, value, meaning);
    }

    fn flag(&mut self, field: &Field, value: u128, text: &'static str, shown: bool) {
        let text = text.trim().trim_start_matches(", ");
        let meaning = if shown { text.to_string() } else { format!("no {text}") };
        self.add(field_bits(field), field.name, value, meaning);
    }

    fn number(&mut self, field: &Field, format: Format, value: u128) {
        self.usual |= field.put(crate::number::usual(format, value));
        let mut meaning = String::new();
        crate::number::print(format, value, field.width(), self.address, &mut meaning);
        self.add(field_bits(field), field.name, value, meaning);
    }

    fn register(&mut self, register: &'static Register, word: u128) {
        let mut meaning = String::new();
        register.print(word, None, &mut meaning);
        let bank = register.bank;
        if bank.width() > 0 {
            let place = (bank.get(word), format!("the register's file, `{meaning}`"));
            self.add(field_bits(&bank), bank.name, place.0, place.1);
        }
        let number = register.number;
        self.add(field_bits(&number), number.name, number.get(word), meaning);
    }

    fn channels(&mut self, channels: &'static Channels, word: u128, shown: &Shown) {
        self.usual |= shown.usual;
        channels.each_field(&mut |field| {
            let meaning = match shown.text() {
                "" => "no channels".to_string(),
                text => text.to_string(),
            };
            self.add(field_bits(field), field.name, field.get(word), meaning);
        });
    }

    fn unseen(&mut self, pieces: &'static [Piece], word: u128) {
        let usual = self.usual;
        walk::pieces(pieces, word, self);
        self.usual = usual;
    }

    fn case(&mut self, cases: &'static [Case], chosen: Option<usize>) {
        let Some(case) = chosen.and_then(|chosen| cases.get(chosen)) else {
            return;
        };
        if case.mask == 0 {
            return;
        }
        let low = case.mask.trailing_zeros();
        let value = if is_run(case.mask) {
            case.value >> low
        } else {
            case.value
        };
        let place = chosen.map_or(0, |chosen| chosen + 1);
        let meaning = format!("selects form {place} of {}", cases.len());
        self.add(bit_ranges(case.mask), case.name, value, meaning);
    }
}

/// Pushes the lines as columns.
fn columns(out: &mut String, lines: &[[String; 4]]) {
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    for [bits, name, value, meaning] in lines {
        let line = format!(
            "  {bits:<0$}  {name:<1$}  {value:<2$}  {meaning}",
            widths[0], widths[1], widths[2]
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

impl Set {
    /// Explains a word at an address in bytes. Bits above the word's length are ignored.
    pub fn explain_at(&self, word: u128, address: u64) -> String {
        let bytes = self.length(word);
        let word = word & ones(8 * u32::from(bytes));
        let mut out = match self.find(word) {
            Some(row) => self.explain_row(row, word, address),
            None => self.explain_data(word, bytes),
        };
        if let Some((control, row)) = self.control.zip(self.find_control(word)) {
            let _ = writeln!(
                out,
                "\nAt a multiple of {} bytes it is a control word:\n",
                control.period
            );
            out.push_str(&self.explain_row(row, word, address));
        }
        out
    }

    fn explain_row(&self, row: &'static Row, word: u128, address: u64) -> String {
        let mut out = String::new();
        let bytes = row.length(word);
        let digits = 2 * usize::from(bytes);
        let own = row_text(row, row.plain(word), address);
        let _ = writeln!(out, "{word:0digits$x}  {own}");
        for text in alias_texts(row, word, address).iter().filter(|text| **text != own) {
            let _ = writeln!(out, "{:digits$}  {text}", "or");
        }
        let _ = write!(out, "\n{}, {}", self.title, row.mnemonic);
        if !row.description.is_empty() {
            let _ = write!(out, ": {}", row.description);
        }
        let _ = writeln!(out, "\n{bytes} bytes");
        if let Some(short) = row.short {
            let form = if bytes == short.bytes { "short" } else { "long" };
            let _ = writeln!(
                out,
                "{form} form: bit {} selects {} or {} bytes",
                short.bit, short.bytes, row.bytes
            );
        }
        let mut lines = Lines {
            address,
            ..Lines::default()
        };
        let read = walk::notation(&row.notation(0), word, &mut lines);
        let _ = writeln!(out, "\nFixed");
        let kept = ones(8 * u32::from(bytes));
        let _ = writeln!(out, "  {}  {:#x}", bit_ranges(row.mask & kept), row.value);
        if !lines.lines.is_empty() {
            let _ = writeln!(out, "\nFields");
            columns(&mut out, &lines.lines);
        }
        let unknown = kept & !read;
        if unknown != 0 {
            let _ = writeln!(out, "\nUnread");
            let usual = (row.usual | lines.usual) & unknown;
            let state = match ((word ^ usual) & unknown, usual) {
                (0, 0) => "all 0".to_string(),
                (0, usual) => format!("{usual:#x}, as usual"),
                (shown, 0) => format!("{shown:#x}, printed as ?{shown:#x}"),
                (shown, usual) => format!("{:#x}, usually {usual:#x}: printed as ?{shown:#x}", word & unknown),
            };
            let _ = writeln!(out, "  {}  {state}", bit_ranges(unknown));
        }
        for other in self.synonyms {
            if let Some(text) = other.text_at(word, address) {
                let _ = writeln!(out, "\nIn {}\n  {text}", other.title);
            }
        }
        if !row.source.is_empty() {
            let _ = writeln!(out, "\nSource: {}", row.source);
        }
        for note in row.notes {
            let _ = writeln!(out, "Note: {note}");
        }
        out
    }

    fn explain_data(&self, word: u128, bytes: u8) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "{}", data_text(word, bytes));
        let length = match self.known_length(word) {
            Some(bytes) => format!("it has {bytes} bytes"),
            None => "its length is unknown".to_string(),
        };
        let _ = writeln!(out, "\nNo row of {} covers this word; {length}.", self.title);
        // The row that differs in the fewest fixed bits.
        let distance = |row: &Row| ((row.value ^ word) & row.mask).count_ones();
        let rows = self.all_rows();
        let least = rows.iter().map(|row| distance(row)).min().unwrap_or(0);
        let nearest: Vec<_> = rows.iter().filter(|row| distance(row) == least).collect();
        if !nearest.is_empty() {
            let _ = writeln!(out, "\nNearest");
            for row in nearest.iter().take(4) {
                let bits = bit_ranges((row.value ^ word) & row.mask);
                let _ = writeln!(out, "  {} if bits {bits} were different", row.mnemonic);
            }
        }
        if !self.open.is_empty() {
            let _ = writeln!(out, "\nOpen questions of {}", self.title);
            for note in self.open {
                let _ = writeln!(out, "  {note}");
            }
        }
        out
    }
}
