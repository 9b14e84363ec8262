//! Programs with control codes to bytes.

use super::reuse::without_reuse;
use super::source::{self, Line, Span, Wrong};
use super::{Notation, Slot};
use crate::set::{Control, Set};
use crate::text::failure::{self, ParseError};
use crate::text::parse::Word;

/// The result of assembling a part of a program.
#[derive(Default)]
pub(crate) struct AssembledLines {
    /// The assembled bytes.
    pub bytes: Vec<u8>,
    /// The errors, in the order of the lines.
    pub errors: Vec<ParseError>,
    /// The number of instructions.
    pub instructions: usize,
    /// True if the part has any control text or control word.
    pub has_control: bool,
}

/// A span of a source line, for an error that is detected later.
struct SourceSpan {
    line: usize,
    raw: String,
    code: String,
    span: Span,
}

impl SourceSpan {
    fn new(line: usize, raw: &str, code: &str, span: Span) -> SourceSpan {
        SourceSpan {
            line,
            raw: raw.to_string(),
            code: code.to_string(),
            span,
        }
    }

    fn error(&self, message: impl Into<String>) -> ParseError {
        // The columns refer to the code, in which each character keeps its column; the whole line is shown.
        let mut error = failure::error(self.line, &self.code, self.span, message.into());
        error.text = failure::error(self.line, &self.raw, (0, 0), String::new()).text;
        error
    }
}

/// Two instructions in braces.
struct Pair {
    brace: SourceSpan,
    /// The number of instructions so far.
    count: usize,
}

/// The control word of the following instructions.
#[derive(Clone, Copy)]
struct Group {
    /// Byte offset of the control word.
    at: usize,
    /// The word in the source; `None` if it was inserted.
    given: Option<u64>,
}

struct Assembler<'s> {
    set: &'s Set,
    control: Control,
    part: AssembledLines,
    group: Option<Group>,
    pair: Option<Pair>,
    /// A control text before its instruction.
    waiting: Option<(Slot, SourceSpan)>,
    /// True if the last instruction's line has its word.
    has_word: bool,
    /// True if the line before ended with a brace and had no word: the word may be alone in the next line.
    word_follows: bool,
}

/// Assembles lines with control codes in any notation; `first` is the number of the first line.
pub(crate) fn assemble(set: &Set, control: Control, source: &str, first: usize) -> AssembledLines {
    let mut assembler = Assembler {
        set,
        control,
        part: AssembledLines::default(),
        group: None,
        pair: None,
        waiting: None,
        has_word: false,
        word_follows: false,
    };
    let mut comment = false;
    for (number, raw) in (first..).zip(source.lines()) {
        match source::line(raw, &mut comment) {
            Ok(line) => assembler.line(number, raw, line),
            Err(Wrong { code, span, message }) => {
                let error = SourceSpan::new(number, raw, &code, span).error(message);
                assembler.part.errors.push(error);
                assembler.skip();
            }
        }
    }
    if let Some(pair) = assembler.pair.take() {
        assembler.part.errors.push(pair.brace.error("this brace is not closed"));
    }
    if let Some((_, span)) = assembler.waiting.take() {
        assembler
            .part
            .errors
            .push(span.error("expected an instruction after this control text"));
    }
    assembler.part
}

impl Assembler<'_> {
    fn is_due(&self) -> bool {
        self.set.is_control(self.part.bytes.len() as u64)
            && self.group.is_none_or(|group| group.at != self.part.bytes.len())
    }

    /// Advances past a line with an error, so that the lines after it keep their addresses.
    fn skip(&mut self) {
        if self.is_due() {
            self.put_in();
        }
        self.part.bytes.extend([0; 8]);
    }

    /// Inserts a control word that the source does not have.
    fn put_in(&mut self) {
        let word = self.control.rows.first().map_or(0, |row| row.value | row.usual);
        self.begin_group(word as u64, None);
    }

    fn begin_group(&mut self, word: u64, given: Option<u64>) {
        self.group = Some(Group {
            at: self.part.bytes.len(),
            given,
        });
        self.part.has_control |= given.is_some();
        self.part.bytes.extend(word.to_le_bytes());
    }

    fn line(&mut self, number: usize, raw: &str, mut line: Line) {
        if line.is_word {
            if !std::mem::take(&mut self.word_follows) && self.is_due() {
                if let Some(word) = line.word {
                    self.begin_group(word, Some(word));
                }
            }
            return;
        }
        let control = line.control.take();
        let span_at = |span: Span| SourceSpan::new(number, raw, &line.code, span);
        if let Some(at) = line.opens {
            let brace = span_at((at, at + 1));
            match &self.pair {
                Some(_) => self
                    .part
                    .errors
                    .push(brace.error("braces cannot be nested: the previous one is still open")),
                None => self.pair = Some(Pair { brace, count: 0 }),
            }
        }
        let mut text = control.map(|(slot, span)| (slot, span_at(span)));
        self.part.has_control |= text.is_some();
        if let Some((_, earlier)) = self.waiting.take_if(|_| text.is_some()) {
            self.part
                .errors
                .push(earlier.error("expected an instruction after this control text"));
        }
        let is_empty = line.code.trim().is_empty();
        if is_empty {
            if text.is_some() {
                self.waiting = text.take();
            }
        } else {
            let text = text.or_else(|| self.waiting.take());
            self.instruction(number, raw, &line, text);
            self.has_word = line.word.is_some();
            self.word_follows = false;
        }
        if let Some(at) = line.closes {
            let brace = span_at((at, at + 1));
            self.word_follows = line.word.is_none() && !self.has_word;
            match self.pair.take() {
                None => self.part.errors.push(brace.error("there is no open brace here")),
                Some(Pair { count: 2, .. }) => {}
                Some(Pair { count, .. }) => {
                    let message = format!("expected two instructions between the braces, found {count}");
                    self.part.errors.push(brace.error(message));
                }
            }
        }
    }

    /// Assembles an instruction, `.control`, `.word` or `.byte` line, with its control text.
    fn instruction(&mut self, number: usize, raw: &str, line: &Line, text: Option<(Slot, SourceSpan)>) {
        let span_at = |span: Span| SourceSpan::new(number, raw, &line.code, span);
        let (begin, end) = (line.begin(), line.code.trim_end().len());
        let code = &line.code[begin..];
        let is_control = code.starts_with(".control");
        let is_data = code.starts_with(".word") || code.starts_with(".byte");
        let is_word = is_control || is_data && text.is_none();
        if is_control && !self.is_due() {
            let message = format!(
                "a control word must be at a multiple of {} bytes; this is {:#x}",
                self.control.period,
                self.part.bytes.len()
            );
            self.part.errors.push(span_at((begin, end)).error(message));
            return;
        }
        let (plain, marks) = without_reuse(&line.code);
        let is_slot = !(is_word && self.is_due());
        if is_slot && self.is_due() {
            self.put_in();
        }
        let parsed = self.set.parse_line(&plain, number, self.part.bytes.len() as u64);
        let Word { word, bytes } = match parsed {
            Ok(word) => word,
            Err(mut error) => {
                error.text = span_at((0, 0)).error("").text;
                self.part.errors.push(error);
                self.part.bytes.extend([0; 8]);
                return;
            }
        };
        if !is_slot {
            match bytes {
                8 => self.begin_group(word as u64, Some(word as u64)),
                _ => self
                    .part
                    .bytes
                    .extend_from_slice(&word.to_le_bytes()[..usize::from(bytes.min(16))]),
            }
            return;
        }
        self.part.instructions += usize::from(!is_data);
        // The bits for `.reuse`.
        let row = (!is_data).then(|| self.set.find(word)).flatten();
        let mut errors = Vec::new();
        let mut reuse = 0;
        let given = self.slot_of_given();
        for mark in &marks {
            let bit = match row {
                Some(row) => mark.bit(row, word),
                None => Err("only an instruction has `.reuse`".to_string()),
            };
            match bit {
                Ok(bit) if given.is_some_and(|given| given.reuse() & bit == 0) => {
                    errors.push(span_at(mark.span).error("the control word does not have this flag"));
                }
                Ok(bit) => reuse |= bit,
                Err(message) => errors.push(span_at(mark.span).error(message)),
            }
        }
        errors.extend(self.set_slot(text, reuse));
        self.part.errors.extend(errors);
        self.part
            .bytes
            .extend_from_slice(&word.to_le_bytes()[..usize::from(bytes.min(16))]);
    }

    /// The group, and the lowest bit of the next instruction's slot in its control word.
    fn slot_at(&self) -> Option<(Group, u32)> {
        let group = self.group?;
        let slot = (self.part.bytes.len() - group.at) / 8;
        let low = *self.control.slots.get(slot.checked_sub(1)?)?;
        Some((group, u32::from(low)))
    }

    /// The next instruction's slot in the group's given control word.
    fn slot_of_given(&self) -> Option<Slot> {
        let (group, low) = self.slot_at()?;
        Some(Slot((group.given? >> low & Slot::MASK) as u32))
    }

    /// Writes the next instruction's slot, or compares it with the given one.
    fn set_slot(&mut self, text: Option<(Slot, SourceSpan)>, reuse: u32) -> Vec<ParseError> {
        let mut errors = Vec::new();
        let given = self.slot_of_given();
        if let (Some(given), Some((slot, span))) = (given, &text) {
            if given.0 & !Slot::REUSE != slot.0 {
                let said = given.text(Notation::Maxas).unwrap_or_else(|| format!("{:#x}", given.0));
                errors.push(span.error(format!("the control word differs: {said}")));
            }
        }
        let mut slot = text.as_ref().map(|(slot, _)| *slot);
        if let Some(pair) = &mut self.pair {
            pair.count += 1;
            let said = given.or(slot);
            if pair.count == 1 {
                if said.is_some_and(|said| !said.is_paired()) {
                    let what = if given.is_some() { "word" } else { "text" };
                    let message = format!(
                        "the first of two instructions issued together must have stall 0 and yield `-`; its control \
                         {what} differs"
                    );
                    errors.push(pair.brace.error(message));
                }
                slot = slot.or(Some(Slot::DEFAULT.paired()));
            }
        }
        let Some((group, low)) = self.slot_at() else {
            return errors;
        };
        if group.given.is_none() {
            let slot = u64::from(slot.unwrap_or(Slot::DEFAULT).0 | reuse << 17);
            if let Some(bytes) = self.part.bytes.get_mut(group.at..group.at + 8) {
                let word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
                bytes.copy_from_slice(&(word & !(Slot::MASK << low) | slot << low).to_le_bytes());
            }
        }
        errors
    }
}
