//! A backtracking parser from text to words, over the pieces of the rows with the mnemonic.
//!
//! A word is only accepted if printing it makes the same choices, so that the assembler keeps the disassembler's rules:
//! the first matching case wins, rows have ranks, and some values are undefined.

use super::failure::{error, message, nearest, Expected, ParseError, Span};
use crate::field::Count;
use crate::index::Index;
use crate::number::{self, Refusal};
use crate::row::Notation;
use crate::set::{ones, stem, Case, Field, Format, Piece, Row, Same, Set};
use crate::vector::{Channels, Shown};
use crate::walk::{self, Visit};
use std::borrow::Cow;

/// A machine word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The bits; bits above the length are 0.
    pub word: u128,
    /// The length in bytes.
    pub bytes: u8,
}

/// The bits that the text has determined so far.
#[derive(Clone, Copy, Debug, Default)]
struct Writer {
    word: u128,
    decided: u128,
    /// The usual values of undetermined bits of numbers.
    usual: u128,
}

impl Writer {
    /// Sets the bits of `mask` as in `bits`; `None` if one of them is determined otherwise.
    fn set(mut self, mask: u128, bits: u128) -> Option<Writer> {
        if (self.word ^ bits) & mask & self.decided != 0 {
            return None;
        }
        self.word |= bits & mask;
        self.decided |= mask;
        Some(self)
    }

    /// True if a case must match, false if it cannot, `None` if it may.
    fn matches(&self, case: &Case) -> Option<bool> {
        if (self.word ^ case.value) & case.mask & self.decided != 0 {
            Some(false)
        } else if case.mask & !self.decided == 0 {
            Some(true)
        } else {
            None
        }
    }
}

/// The pieces after a group of pieces.
struct Tail<'t> {
    pieces: &'t [Piece],
    next: Option<&'t Tail<'t>>,
}

/// A choice in the text; the walk makes the same ones: the number of a case, a name defined or not, a flag shown or
/// not, the number of registers of a run.
type Choice = u16;
const NONE: Choice = Choice::MAX;

/// Compares a word's choices with the text's choices.
struct Check<'c> {
    choices: std::slice::Iter<'c, Choice>,
    same: bool,
    /// The usual values of unread bits.
    usual: u128,
}

impl Check<'_> {
    fn choice(&mut self, choice: Choice) {
        self.same &= self.choices.next() == Some(&choice);
    }
}

impl Visit for Check<'_> {
    fn name(&mut self, _field: &Field, _value: u128, name: Option<&'static str>) {
        self.choice(if name.is_some() { 0 } else { NONE });
    }

    fn flag(&mut self, _field: &Field, _value: u128, _text: &'static str, shown: bool) {
        self.choice(Choice::from(shown));
    }

    fn number(&mut self, field: &Field, format: Format, value: u128) {
        self.usual |= field.put(number::usual(format, value));
        if let Format::Run {
            count: Count::Fixed(count),
            ..
        } = format
        {
            self.choice(Choice::from(count));
        }
    }

    fn channels(&mut self, channels: &'static Channels, word: u128, shown: &Shown) {
        if !channels.is_absent(word) {
            self.choice(shown.case);
            self.choice(shown.entry);
        }
        self.usual |= shown.usual;
    }

    fn same(&mut self, _fields: &'static Same, same: bool) {
        self.choice(Choice::from(same));
    }

    fn case(&mut self, _cases: &'static [Case], chosen: Option<usize>) {
        self.choice(chosen.map_or(NONE, |chosen| chosen as Choice));
    }
}

/// Limit for the alternatives that are tried for one text.
const STEPS: u32 = 100_000;

struct Parser<'p> {
    text: &'p str,
    bytes: &'p [u8],
    address: u64,
    index: &'p Index,
    /// The row under trial, its number, and the notation.
    row: &'static Row,
    number: u32,
    notation: Notation,
    /// The unread bits at the end of the text.
    unread: u128,
    choices: Vec<Choice>,
    steps: u32,
    /// The furthest position that a row reached, and the alternatives there.
    furthest: usize,
    expected: Vec<Expected>,
    /// True while these are collected: only after every row failed.
    explaining: bool,
    /// True if every piece fits, but the choices exclude each other, so that no word has the text.
    excluded: bool,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl Parser<'_> {
    fn expect(&mut self, at: usize, expected: Expected) {
        if !self.explaining {
            return;
        }
        if at > self.furthest {
            self.furthest = at;
            self.expected.clear();
        }
        if at == self.furthest && !self.expected.contains(&expected) {
            self.expected.push(expected);
        }
    }

    /// The position after spaces; spaces are optional where the tokens are separate without them.
    fn skip(&self, at: usize, next_is_word: bool) -> usize {
        if self.bytes.get(at) != Some(&b' ') || (next_is_word && at > 0 && is_word(self.bytes[at - 1])) {
            return at;
        }
        self.spaces(at)
    }

    fn spaces(&self, mut at: usize) -> usize {
        while self.bytes.get(at) == Some(&b' ') {
            at += 1;
        }
        at
    }

    /// The position after a fixed text, if it is next.
    fn literal(&self, mut at: usize, text: &str) -> Option<usize> {
        for &byte in text.as_bytes() {
            if byte == b' ' {
                let after = self.spaces(at);
                let apart = after > at || at == 0 || !is_word(self.bytes[at - 1]);
                if !apart && self.bytes.get(at).is_some_and(|&next| is_word(next)) {
                    return None;
                }
                at = after;
                continue;
            }
            if self.bytes.get(at) != Some(&byte) {
                at = self.skip(at, is_word(byte));
                if self.bytes.get(at) != Some(&byte) {
                    return None;
                }
            }
            at += 1;
        }
        Some(at)
    }

    /// Parses the pieces and the tail; the word if the whole text fits.
    fn go<'t>(
        &mut self,
        mut pieces: &'t [Piece],
        mut next: Option<&'t Tail<'t>>,
        mut at: usize,
        mut writer: Writer,
    ) -> Option<u128> {
        loop {
            let Some((piece, rest)) = pieces.split_first() else {
                match next {
                    None => return self.finish(at, writer),
                    Some(tail) => {
                        pieces = tail.pieces;
                        next = tail.next;
                        continue;
                    }
                }
            };
            match piece {
                Piece::Text(text) => match self.literal(at, text) {
                    Some(after) => at = after,
                    None => {
                        self.expect(at, Expected::Text(text));
                        return None;
                    }
                },
                Piece::Number(field, format) => {
                    let place = self.skip(at, true);
                    let text = self.text.get(place..)?;
                    let parsed = match number::parse(*format, field.width(), self.address, text) {
                        Ok(parsed) => parsed,
                        Err(Refusal::Other) => {
                            self.expect(at, Expected::Number(*format));
                            return None;
                        }
                        Err(refusal) => {
                            self.expect(at, Expected::Refused(*format, field.width(), refusal));
                            return None;
                        }
                    };
                    match writer.set(field.put(parsed.decided), field.put(parsed.value)) {
                        Some(more) => {
                            writer = more;
                            writer.usual |= field.put(number::usual(*format, parsed.value));
                        }
                        None => {
                            self.expect(at, Expected::Conflict(field.name));
                            return None;
                        }
                    }
                    if matches!(format, Format::Run { .. }) {
                        let text = &text[..parsed.length];
                        self.choices.push(text.split('_').count() as Choice);
                    }
                    at = place + parsed.length;
                }
                Piece::Register(register) => {
                    let place = self.skip(at, true);
                    let parsed = match register.parse(self.text.get(place..)?) {
                        Ok(parsed) => parsed,
                        Err(refusal) => {
                            self.expect(at, Expected::Register(register, refusal));
                            return None;
                        }
                    };
                    let number = register.number;
                    let set = writer
                        .set(number.put(parsed.decided), number.put(parsed.number))
                        .and_then(|writer| writer.set(register.bank.mask(), register.bank.put(parsed.bank)));
                    match set {
                        Some(more) => writer = more,
                        None => {
                            self.expect(at, Expected::Conflict(register.name));
                            return None;
                        }
                    }
                    at = place + parsed.length;
                }
                Piece::Channels(channels) => return self.channels(channels, (rest, next), at, writer),
                Piece::Silent(cases) => return self.silent(cases, (rest, next), at, writer),
                Piece::Same(fields) => {
                    self.steps += 1;
                    let tail = Tail { pieces: rest, next };
                    let depth = self.choices.len();
                    self.choices.push(1);
                    if let Some(word) = self.go(fields.same, Some(&tail), at, writer) {
                        return Some(word);
                    }
                    self.choices.truncate(depth);
                    self.choices.push(0);
                    return self.go(fields.differ, Some(&tail), at, writer);
                }
                Piece::Unseen(_) => {}
                Piece::Pieces(group) => {
                    let tail = Tail { pieces: rest, next };
                    return self.go(group, Some(&tail), at, writer);
                }
                Piece::Flag(field, value, text) => {
                    self.steps += 1;
                    let depth = self.choices.len();
                    let shown = writer.set(field.mask(), field.put(*value));
                    if let (Some(writer), Some(after)) = (shown, self.literal(at, text)) {
                        self.choices.push(1);
                        if let Some(word) = self.go(rest, next, after, writer) {
                            return Some(word);
                        }
                        self.choices.truncate(depth);
                    } else if !text.is_empty() {
                        self.expect(at, Expected::Text(text));
                    }
                    if field.width() == 1 {
                        writer = writer.set(field.mask(), field.put(value ^ 1))?;
                    }
                    self.choices.push(0);
                }
                Piece::Names(field, names) => return self.names(field, names, (rest, next), at, writer),
                Piece::Cases(cases) => return self.cases(cases, (rest, next), at, writer),
            }
            if self.steps > STEPS {
                return None;
            }
            pieces = rest;
        }
    }

    /// The word of the first of the rows' texts that matches.
    fn any(&mut self, texts: &[(u32, u8)], start: usize) -> Option<Word> {
        for &(number, notation) in texts {
            let row = self.index.rows[number as usize];
            self.notation = row.notation(usize::from(notation));
            let Notation {
                mask,
                value,
                usual,
                untold,
                ..
            } = self.notation;
            // Of the fixed bits, only those that the text does not determine may be unread, and they must have the
            // row's value.
            if self.unread & mask != (value ^ usual) & untold {
                continue;
            }
            self.row = row;
            self.number = number;
            self.choices.clear();
            let writer = Writer {
                word: self.notation.value,
                decided: self.notation.mask,
                usual: 0,
            };
            if let Some(word) = self.row(start, writer) {
                return Some(Word {
                    word,
                    bytes: row.length(word),
                });
            }
        }
        None
    }

    /// Parses the row's text: lead, mnemonic, pieces.
    fn row(&mut self, at: usize, writer: Writer) -> Option<u128> {
        let notation = self.notation;
        let mnemonic = [Piece::Text(notation.mnemonic)];
        let after = Tail {
            pieces: notation.pieces,
            next: None,
        };
        let tail = Tail {
            pieces: &mnemonic,
            next: Some(&after),
        };
        self.go(notation.lead, Some(&tail), at, writer)
    }

    fn names<'t>(
        &mut self,
        field: &Field,
        names: &'static [Option<&'static str>],
        (rest, next): (&'t [Piece], Option<&'t Tail<'t>>),
        at: usize,
        writer: Writer,
    ) -> Option<u128> {
        self.steps += 1;
        if self.steps > STEPS {
            return None;
        }
        let depth = self.choices.len();
        // Longer names first: a name may be a prefix of another.
        let mut below = usize::MAX;
        loop {
            let mut longest: Option<usize> = None;
            for name in names.iter().flatten() {
                if name.len() >= below || longest.is_some_and(|longest| name.len() <= longest) {
                    continue;
                }
                if self.literal(at, name).is_some() {
                    longest = Some(name.len());
                }
            }
            let Some(length) = longest else { break };
            for (value, name) in names.iter().enumerate() {
                let Some(name) = name.filter(|name| name.len() == length) else {
                    continue;
                };
                let (Some(after), Some(writer)) = (
                    self.literal(at, name),
                    writer.set(field.mask(), field.put(value as u128)),
                ) else {
                    continue;
                };
                self.choices.push(0);
                if let Some(word) = self.go(rest, next, after, writer) {
                    return Some(word);
                }
                self.choices.truncate(depth);
            }
            below = length;
        }
        self.expect(at, Expected::Names(names));
        // An undefined value has no text. Without unread bits it can only be 0.
        let fresh = writer.decided & field.mask() == 0;
        if names.len() as u128 > ones(field.width()) && names.iter().all(Option::is_some)
            || fresh && self.unread & field.mask() == 0 && walk::name(names, 0).is_some()
        {
            return None;
        }
        self.without_choice((rest, next), at, writer)
    }

    /// Parses the tail of a piece without a choice.
    fn without_choice<'t>(
        &mut self,
        (rest, next): (&'t [Piece], Option<&'t Tail<'t>>),
        at: usize,
        writer: Writer,
    ) -> Option<u128> {
        let depth = self.choices.len();
        self.choices.push(NONE);
        let word = self.go(rest, next, at, writer);
        if word.is_none() {
            self.choices.truncate(depth);
        }
        word
    }

    fn cases<'t>(
        &mut self,
        cases: &'static [Case],
        (rest, next): (&'t [Piece], Option<&'t Tail<'t>>),
        at: usize,
        writer: Writer,
    ) -> Option<u128> {
        self.steps += 1;
        if self.steps > STEPS {
            return None;
        }
        let depth = self.choices.len();
        let tail = Tail { pieces: rest, next };
        for (number, case) in cases.iter().enumerate() {
            let matches = writer.matches(case);
            let Some(writer) = writer.set(case.mask, case.value) else {
                continue;
            };
            self.choices.push(number as Choice);
            if let Some(word) = self.go(case.pieces, Some(&tail), at, writer) {
                return Some(word);
            }
            self.choices.truncate(depth);
            // No case after the first match applies.
            if matches == Some(true) {
                return None;
            }
        }
        self.without_choice((rest, next), at, writer)
    }

    /// Tries every case, first the case of the known bits; the text does not determine the case.
    fn silent<'t>(
        &mut self,
        cases: &'static [Case],
        (rest, next): (&'t [Piece], Option<&'t Tail<'t>>),
        at: usize,
        writer: Writer,
    ) -> Option<u128> {
        let assumed = self.assumed(&writer);
        let first = cases.iter().position(|case| assumed & case.mask == case.value);
        let others = (0..cases.len()).filter(|&number| Some(number) != first);
        let tail = Tail { pieces: rest, next };
        let depth = self.choices.len();
        for number in first.into_iter().chain(others) {
            self.steps += 1;
            if self.steps > STEPS {
                return None;
            }
            let case = &cases[number];
            // Bits that are determined otherwise exclude a case.
            if writer.matches(case) == Some(false) {
                continue;
            }
            self.choices.push(number as Choice);
            if let Some(word) = self.go(case.pieces, Some(&tail), at, writer) {
                return Some(word);
            }
            self.choices.truncate(depth);
        }
        self.without_choice((rest, next), at, writer)
    }

    /// The word as far as it is known: the bits that the text has determined, and for the others the unread bits at its
    /// end.
    fn assumed(&self, writer: &Writer) -> u128 {
        let usual = self.notation.usual | writer.usual;
        writer.word | (usual ^ self.unread) & !writer.decided
    }

    fn channels<'t>(
        &mut self,
        channels: &'static Channels,
        (rest, next): (&'t [Piece], Option<&'t Tail<'t>>),
        at: usize,
        writer: Writer,
    ) -> Option<u128> {
        self.steps += 1;
        if self.steps > STEPS {
            return None;
        }
        let assumed = self.assumed(&writer);
        if channels.is_absent(assumed) {
            return self.go(rest, next, at, writer);
        }
        let (mask, letters, length) = Channels::split(self.text.get(at..)?);
        let depth = self.choices.len();
        let mut solvable = false;
        for (case, number) in channels.mask.iter().zip(0..) {
            let Some(solved) = channels.solve(case, mask, &letters, assumed) else {
                continue;
            };
            let Some(mut writer) = writer.set(solved.decided, solved.bits) else {
                continue;
            };
            solvable = true;
            writer.usual |= solved.usual;
            self.choices.extend([number, solved.entry]);
            if let Some(word) = self.go(rest, next, at + length, writer) {
                return Some(word);
            }
            self.choices.truncate(depth);
        }
        if !solvable {
            self.expect(at, Expected::Channels);
        }
        None
    }

    /// Completes a word after all pieces: the word, if it belongs to the row, has this text and nothing follows.
    fn finish(&mut self, at: usize, writer: Writer) -> Option<u128> {
        let end = self.spaces(at);
        if end != self.bytes.len() {
            self.expect(at, Expected::End);
            return None;
        }
        // Undetermined bits have their usual values, except for the ones in the text's unread bits; bits that a short
        // form omits are 0.
        let usual = self.notation.usual | writer.usual;
        let named = self.unread & writer.decided & !self.notation.mask;
        let mut word = writer.word | named | (usual ^ self.unread) & !writer.decided;
        let kept = self.row.kept(word);
        word &= kept | writer.decided;
        let mut check = Check {
            choices: self.choices.iter(),
            same: true,
            usual: self.notation.usual,
        };
        let read = walk::notation(&self.notation, word, &mut check);
        let same = check.same && check.choices.next().is_none();
        let fits = word & !kept == 0;
        let unread = (word ^ check.usual) & !read & kept;
        if same && fits && unread == self.unread && self.index.find(word) == Some(self.number) {
            return Some(word);
        }
        self.excluded = true;
        None
    }
}

/// The token at a position: a run of word characters, or one other character.
fn token(text: &str, at: usize) -> Span {
    let from = at + text[at..].bytes().take_while(|&byte| byte == b' ').count();
    let words = text[from..].bytes().take_while(|&byte| is_word(byte)).count();
    let length = match words {
        0 => text[from..].chars().next().map_or(0, char::len_utf8),
        words => words,
    };
    (from, from + length)
}

/// The text for the parser: ignored texts and control characters become spaces, and each byte keeps its position.
fn clean<'t>(text: &'t str, dropped: &[&str]) -> Cow<'t, str> {
    let mut clean = Cow::Borrowed(text);
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        clean = Cow::Owned(text.replace(|letter: char| letter.is_ascii_control(), " "));
    }
    for drop in dropped {
        if !drop.is_empty() && clean.contains(drop) {
            clean = Cow::Owned(clean.replace(drop, &" ".repeat(drop.len())));
        }
    }
    clean
}

/// Parses one instruction with the rows of an index.
pub(crate) fn instruction(
    set: &Set,
    index: &Index,
    source: &str,
    line: usize,
    address: u64,
) -> Result<Word, ParseError> {
    let cleaned = clean(source, set.dropped);
    let whole: &str = &cleaned;
    let fail = |span: Span, message: String| Err(error(line, source, span, message));
    // Unread bits at the end.
    let mut text = whole;
    let mut unread = 0u128;
    if let Some(at) = whole.rfind('?') {
        let number = whole[at + 1..].trim();
        let digits = number.strip_prefix("0x").unwrap_or("");
        match u128::from_str_radix(digits, 16) {
            Ok(bits) if !digits.starts_with('+') => {
                unread = bits;
                text = whole[..at].trim_end();
            }
            // In some sets a `?` is part of a text: an undefined channel, a condition.
            _ if number.starts_with(|letter: char| letter.is_ascii_digit()) && !number.contains(' ') => {
                let message = "expected the unread bits as a hexadecimal number, `?0x...`".to_string();
                return fail((at, whole.len()), message);
            }
            _ => {}
        }
    }
    // The mnemonic: the first token that is the stem of a row.
    let mut rows = None;
    let mut first: Option<(usize, usize, bool)> = None;
    let mut at = 0;
    while at < text.len() {
        let begin = at + text[at..].bytes().take_while(|&byte| byte == b' ').count();
        let end = begin + text[begin..].bytes().take_while(|&byte| byte != b' ').count();
        if begin == end {
            break;
        }
        let name = stem(&text[begin..end]);
        rows = index.stems.get(name);
        if rows.is_some() {
            break;
        }
        // A guard or predicate may come first: the unknown mnemonic is the last of the first two tokens.
        let from = begin + usize::from(text[begin..end].starts_with('.'));
        match first {
            None if name.is_empty() => first = Some((begin, end, true)),
            None => first = Some((from, from + name.len(), false)),
            Some((.., true)) => first = Some((from, from + name.len(), false)),
            _ => {}
        }
        at = end;
    }
    let Some(rows) = rows else {
        let Some((from, to, _)) = first else {
            return fail((0, text.len()), "expected an instruction, found nothing".to_string());
        };
        let mut message = format!("there is no instruction `{}`", &text[from..to]);
        let nearest = nearest(&text[from..to], index.rows.iter().map(|row| row.stem()));
        if let Some(nearest) = nearest {
            message += &format!("; did you mean `{nearest}`?");
        }
        return fail((from, to), message);
    };
    let start = text.bytes().take_while(|&byte| byte == b' ').count();
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        address,
        index,
        row: index.rows[rows[0].0 as usize],
        number: rows[0].0,
        notation: index.rows[rows[0].0 as usize].notation(usize::from(rows[0].1)),
        unread,
        choices: Vec::with_capacity(16),
        steps: 0,
        furthest: 0,
        expected: Vec::new(),
        explaining: false,
        excluded: false,
    };
    if let Some(word) = parser.any(rows, start) {
        return Ok(word);
    }
    // A second pass, to find how far the rows get: with their own texts, if any has this mnemonic.
    parser.explaining = true;
    parser.steps = 0;
    let own = rows.iter().take_while(|(_, notation)| *notation == 0).count();
    let explained = if own == 0 { &rows[..] } else { &rows[..own] };
    if let Some(word) = parser.any(explained, start) {
        return Ok(word);
    }
    if parser.steps > STEPS {
        return fail((start, text.len()), "too many alternatives to try".to_string());
    }
    let span = token(text, parser.furthest.min(text.len()));
    if parser.expected.is_empty() || parser.excluded {
        let message = match unread {
            0 => "no word has this text: its parts exclude each other".to_string(),
            _ => format!("no word has this text and the unread bits {unread:#x}"),
        };
        return fail((start, text.len()), message);
    }
    let found = match &text[span.0..span.1] {
        "" => "the end".to_string(),
        found => format!("`{found}`"),
    };
    fail(span, message(&parser.expected, &found, text[span.0..].trim_end()))
}
