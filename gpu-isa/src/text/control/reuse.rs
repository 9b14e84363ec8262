//! `.reuse` after a register: the bit of the control word that keeps the operand's register in a cache.

use crate::set::{Field, Format, Row};
use crate::walk::{self, Visit};

/// The reuse bit of the operand with its register field at this bit of the word.
const fn bit(low: u8) -> Option<u32> {
    match low {
        8 => Some(1),
        20 => Some(2),
        39 => Some(4),
        _ => None,
    }
}

/// Instructions with a name for each of the bits in the mnemonic: `TEXS.T.P`.
const NAMED: (&str, [(&str, u32); 2]) = ("TEXS", [(".T", 1), (".P", 2)]);

/// Begin and end of a range of bytes.
pub type Span = (usize, usize);

/// The registers in a text: `R12` and `RZ`, not `.RZ`.
pub fn registers(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = at + bytes[at..].iter().take_while(|&&byte| is_word(byte)).count();
        if end == at {
            at += 1;
            continue;
        }
        let digits = &bytes[at + 1..end];
        let number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        let joined = at > 0 && bytes[at - 1] == b'.';
        if bytes[at] == b'R' && !joined && (number || digits == b"Z") {
            found.push((at, end));
        }
        at = end;
    }
    found
}

/// The registers in a word's text, in order, each with the lowest bit of its field; `None` for a register without a
/// field.
#[derive(Default)]
struct Places(Vec<Option<u8>>);

impl Places {
    fn fixed(&mut self, text: &str) {
        self.0.extend(registers(text).iter().map(|_| None));
    }
}

impl Visit for Places {
    fn text(&mut self, text: &'static str) {
        self.fixed(text);
    }

    fn name(&mut self, _field: &Field, _value: u128, name: Option<&'static str>) {
        self.fixed(name.unwrap_or(""));
    }

    fn flag(&mut self, _field: &Field, _value: u128, text: &'static str, shown: bool) {
        if shown {
            self.fixed(text);
        }
    }

    fn number(&mut self, field: &Field, format: Format, _value: u128) {
        match format {
            Format::Register { prefix: "R", .. } => self.0.push(Some(field.parts[0].0)),
            Format::Next { prefix: "R", .. } => self.0.push(None),
            _ => {}
        }
    }
}

/// The reuse bit of each register in a word's text.
fn bits(row: &'static Row, word: u128) -> Vec<Option<u32>> {
    let mut places = Places::default();
    walk::notation(&row.notation(0), word, &mut places);
    places.0.iter().map(|place| place.and_then(bit)).collect()
}

/// The text of a word with `.reuse` for these bits; `None` if the text has no register for one of them.
pub fn with_reuse(row: &'static Row, word: u128, text: &str, reuse: u32) -> Option<String> {
    let mut text = text.to_string();
    if reuse == 0 {
        return Some(text);
    }
    let (mnemonic, names) = NAMED;
    let mut left = reuse;
    if row.stem() == mnemonic {
        let begin = text.find(mnemonic)?;
        let at = begin + text[begin..].find(' ')?;
        let shown: String = names
            .iter()
            .filter(|(_, bit)| reuse & bit != 0)
            .map(|(name, _)| *name)
            .collect();
        text.insert_str(at, &shown);
        left &= !names.iter().fold(0, |all, (_, bit)| all | bit);
    } else {
        let (spans, bits) = (registers(&text), bits(row, word));
        if spans.len() != bits.len() {
            return None;
        }
        // Marks the first register of each bit, from the last to the first, so offsets remain valid.
        let mut marked: Vec<usize> = Vec::new();
        for (span, bit) in spans.iter().zip(&bits) {
            if let Some(bit) = bit.filter(|bit| left & bit != 0) {
                left &= !bit;
                let rest = &text[span.1..];
                marked.push(span.1 + rest.find([',', ' ', ']', '+']).unwrap_or(rest.len()));
            }
        }
        for at in marked.into_iter().rev() {
            text.insert_str(at, REUSE);
        }
    }
    (left == 0).then_some(text)
}

/// The mark after a kept register.
const REUSE: &str = ".reuse";

/// A `.reuse`, `.T` or `.P` in an instruction's text.
pub struct Mark {
    /// The byte range of the mark.
    pub span: Span,
    /// The register before it, counted from 0; for a name in the mnemonic, the bit.
    kind: MarkKind,
}

enum MarkKind {
    Register(Option<usize>),
    Named(u32),
}

/// The text with its marks as spaces, and the marks.
pub fn without_reuse(text: &str) -> (String, Vec<Mark>) {
    let mut plain = text.to_string();
    let mut marks = Vec::new();
    let spans = registers(text);
    let mut at = 0;
    while let Some(found) = text[at..].find(REUSE) {
        let span = (at + found, at + found + REUSE.len());
        let register = spans.iter().rposition(|register| register.1 <= span.0);
        // Between a register and its mark only parts of the register are allowed.
        let register = register.filter(|&number| {
            let between = &text[spans[number].1..span.0];
            !between.contains([',', ' ', ']'])
        });
        marks.push(Mark {
            span,
            kind: MarkKind::Register(register),
        });
        at = span.1;
    }
    let (mnemonic, names) = NAMED;
    if let Some(begin) = text.find(mnemonic) {
        let end = text[begin..].find(' ').map_or(text.len(), |length| begin + length);
        let mut part = begin;
        while let Some(dot) = text[part..end].find('.') {
            let from = part + dot;
            let to = text[from + 1..end].find('.').map_or(end, |length| from + 1 + length);
            if let Some((_, bit)) = names.iter().find(|(name, _)| *name == &text[from..to]) {
                marks.push(Mark {
                    span: (from, to),
                    kind: MarkKind::Named(*bit),
                });
            }
            part = to;
        }
    }
    // A name is removed from the mnemonic, which has to stay contiguous; the spaces are moved to its end.
    for mark in &marks {
        plain.replace_range(mark.span.0..mark.span.1, &" ".repeat(mark.span.1 - mark.span.0));
    }
    (joined(&plain, &marks), marks)
}

/// The text with the mnemonic joined where a name was removed.
fn joined(plain: &str, marks: &[Mark]) -> String {
    let mut text = plain.to_string();
    for mark in marks.iter().rev() {
        let (from, to) = mark.span;
        let tail = text[to..].find(' ').map_or(text.len(), |length| to + length);
        if matches!(mark.kind, MarkKind::Named(_)) && tail > to {
            let moved = text[to..tail].to_string() + &text[from..to];
            text.replace_range(from..tail, &moved);
        }
    }
    text
}

impl Mark {
    /// The bit that the mark sets for a word.
    ///
    /// # Errors
    /// The mark does not follow a register that can be kept.
    pub fn bit(&self, row: &'static Row, word: u128) -> Result<u32, String> {
        let number = match self.kind {
            MarkKind::Named(bit) => return Ok(bit),
            MarkKind::Register(number) => number,
        };
        if row.stem() == NAMED.0 {
            return Err(format!(
                "{} has `.T` and `.P` in its mnemonic instead of `.reuse`",
                NAMED.0
            ));
        }
        let number = number.ok_or("expected `.reuse` after a register")?;
        let bit = bits(row, word).get(number).copied().flatten();
        bit.ok_or_else(|| "this register is not a source that `.reuse` can keep".to_string())
    }
}
