//! Whole programs: bytes to lines, lines to bytes.

use crate::index::Index;
use crate::set::{Row, Set};
use crate::text::parse::{self, ParseError, Word};
use crate::text::print::{data_text, row_text};

/// What a line of a listing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An instruction.
    Instruction,
    /// A control word.
    Control,
    /// Bytes that no row covers.
    Data,
}

/// A line of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Address in bytes, from the begin of the program.
    pub address: u64,
    /// The word, of `bytes` bytes; the first byte is the lowest.
    pub word: u128,
    /// Length in bytes.
    pub bytes: u8,
    /// What it is.
    pub kind: Kind,
    /// Its text; the assembler makes the same bytes of it.
    pub text: String,
}

/// A disassembled program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// All lines; their bytes without a gap are the program.
    pub lines: Vec<Line>,
}

impl Listed {
    /// How many lines are of a kind.
    pub fn count(&self, kind: Kind) -> usize {
        self.lines.iter().filter(|line| line.kind == kind).count()
    }

    /// The text for the assembler: a line for each, control words as `.control` lines.
    pub fn source(&self) -> String {
        self.text(|_| true)
    }

    /// The text for readers, without control words.
    pub fn plain(&self) -> String {
        self.text(|line| line.kind != Kind::Control)
    }

    fn text(&self, shown: impl Fn(&Line) -> bool) -> String {
        let mut text = String::new();
        for line in self.lines.iter().filter(|line| shown(line)) {
            text.push_str(&line.text);
            text.push('\n');
        }
        text
    }
}

/// A decoded word.
#[derive(Clone, Copy, Debug)]
pub struct Decoded {
    /// The word; bits above its length are 0.
    pub word: u128,
    /// Length in bytes.
    pub bytes: u8,
    /// The row, if one covers the word.
    pub row: Option<&'static Row>,
    /// Whether it is a control word or stands in the place of one.
    pub control: bool,
}

/// The first bytes as a number, little-endian.
fn word(bytes: &[u8]) -> u128 {
    bytes
        .iter()
        .take(16)
        .rev()
        .fold(0, |word, &byte| word << 8 | u128::from(byte))
}

impl Set {
    /// Whether a control word stands at the address.
    pub fn is_control(&self, address: u64) -> bool {
        let control = self.control.as_ref();
        control.is_some_and(|control| address % u64::from(control.period.max(1)) == 0)
    }

    /// The rows for the address: those of control words or of instructions.
    fn index_at(&self, address: u64) -> &Index {
        let index = self.index();
        match &index.control {
            Some(control) if self.is_control(address) => control,
            _ => index,
        }
    }

    /// Decodes what the bytes begin with; none if there are none. Too few bytes for an instruction are data.
    pub fn decode(&self, bytes: &[u8], address: u64) -> Option<Decoded> {
        if bytes.is_empty() {
            return None;
        }
        let first = [bytes[0], bytes.get(1).copied().unwrap_or(0)];
        let length = usize::from(self.length(u16::from_le_bytes(first)));
        let control = self.is_control(address);
        let Some(own) = bytes.get(..length) else {
            return Some(Decoded {
                word: word(bytes),
                bytes: bytes.len().min(16) as u8,
                row: None,
                control,
            });
        };
        let word = word(own);
        let index = self.index_at(address);
        Some(Decoded {
            word,
            bytes: length as u8,
            row: index.find(word).map(|row| index.rows[row as usize]),
            control,
        })
    }

    /// The words of a program, each with its address, decoded.
    pub fn words<'b>(&'b self, bytes: &'b [u8]) -> impl Iterator<Item = (u64, Decoded)> + 'b {
        let mut at = 0;
        std::iter::from_fn(move || {
            let address = at as u64;
            let decoded = self.decode(&bytes[at..], address)?;
            at += usize::from(decoded.bytes);
            Some((address, decoded))
        })
    }

    /// Disassembles a program.
    pub fn list(&self, bytes: &[u8]) -> Listed {
        let lines = self.words(bytes).map(|(address, decoded)| {
            let (kind, text) = match decoded.row {
                Some(row) if decoded.control => (Kind::Control, row_text(row, decoded.word, address)),
                Some(row) => (Kind::Instruction, row_text(row, decoded.word, address)),
                None => (Kind::Data, data_text(decoded.word, decoded.bytes)),
            };
            Line {
                address,
                word: decoded.word,
                bytes: decoded.bytes,
                kind,
                text,
            }
        });
        Listed { lines: lines.collect() }
    }

    /// Parses one instruction, `.word` or `.byte` line that stands at an address; a `;` may follow.
    pub fn parse_at(&self, text: &str, address: u64) -> Result<Word, ParseError> {
        self.parse_line(text, 1, address)
    }

    fn parse_line(&self, source: &str, line: usize, address: u64) -> Result<Word, ParseError> {
        let text = source.trim_end();
        let text = text.strip_suffix(';').unwrap_or(text);
        let begin = text.len() - text.trim_start().len();
        let word = &text[begin..];
        let data = word.strip_prefix(".word").or(word.strip_prefix(".byte"));
        if let Some(digits) = data.filter(|digits| !digits.starts_with(|next: char| next.is_alphanumeric())) {
            let fail = |message: &str| Err(parse::error(line, source, (begin, text.len()), message.to_string()));
            let Some(digits) = digits.trim().strip_prefix("0x") else {
                return fail("expected a hexadecimal number, `.word 0x...`");
            };
            if digits.len() % 2 == 1 || digits.is_empty() || digits.len() > 32 {
                return fail("expected two digits for each byte, of 1 to 16 bytes");
            }
            return match u128::from_str_radix(digits, 16) {
                Ok(word) if !digits.starts_with('+') => Ok(Word {
                    word,
                    bytes: (digits.len() / 2) as u8,
                }),
                _ => fail("expected a hexadecimal number, `.word 0x...`"),
            };
        }
        let begins_control = word.starts_with(".control");
        let index = match &self.index().control {
            Some(control) if begins_control => control,
            _ => self.index(),
        };
        let mut nearest = match parse::instruction(self, index, text, line, address) {
            Ok(word) => return Ok(word),
            Err(error) => error,
        };
        // The names of another table; the message is about the one that fits best.
        for other in self.synonyms {
            match parse::instruction(other, other.index(), text, line, address) {
                Ok(word) => return Ok(word),
                Err(error) if error.column > nearest.column => nearest = error,
                Err(_) => {}
            }
        }
        Err(nearest)
    }

    /// Assembles a program: an instruction or `.word` a line; `//` and `/* */` are comments, `;` may end a line. Where a
    /// control word has to stand and none does, the first control row's fixed and usual bits are put in.
    pub fn assemble(&self, source: &str) -> Result<Vec<u8>, Vec<ParseError>> {
        let mut bytes: Vec<u8> = Vec::new();
        let mut errors = Vec::new();
        let mut comment = false;
        for (line, text) in (1..).zip(source.lines()) {
            let code = without_comments(text, &mut comment);
            let begins = code.trim_start();
            if begins.is_empty() || begins == ";" {
                continue;
            }
            let given = begins.starts_with(".control") || begins.starts_with(".word") || begins.starts_with(".byte");
            if let Some(control) = self
                .control
                .as_ref()
                .filter(|_| !given && self.is_control(bytes.len() as u64))
            {
                if let Some(row) = control.rows.first() {
                    bytes.extend_from_slice(&(row.value | row.usual).to_le_bytes()[..usize::from(row.bytes.min(16))]);
                }
            }
            match self.parse_line(&code, line, bytes.len() as u64) {
                Ok(Word { word, bytes: count }) => {
                    bytes.extend_from_slice(&word.to_le_bytes()[..usize::from(count.min(16))]);
                }
                Err(error) => {
                    errors.push(error);
                    // The lines that follow keep their addresses, if the length is always the same.
                    bytes.extend(std::iter::repeat_n(0, usize::from(self.length(0))));
                }
            }
        }
        if errors.is_empty() {
            Ok(bytes)
        } else {
            Err(errors)
        }
    }
}

/// The line with its comments as spaces; `open` says whether a `/*` is open, before and after.
fn without_comments(text: &str, open: &mut bool) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (kept, blank) = match (*open, rest.find("*/"), rest.find("/*"), rest.find("//")) {
            (true, Some(end), ..) => {
                *open = false;
                (0, end + 2)
            }
            (true, ..) => (0, rest.len()),
            (false, _, Some(begin), line) if line.is_none_or(|line| begin < line) => {
                *open = true;
                (begin, 2)
            }
            (false, _, _, Some(line)) => (line, rest.len() - line),
            (false, ..) => (rest.len(), 0),
        };
        code.push_str(&rest[..kept]);
        code.extend(rest[kept..kept + blank].chars().map(|_| ' '));
        rest = &rest[kept + blank..];
    }
    code
}
