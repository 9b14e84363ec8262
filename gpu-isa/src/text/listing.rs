//! Listings: disassembly and assembly of whole programs.

use crate::set::Set;
use crate::text::comments::without_comments;
use crate::text::control::{self, assembly::AssembledLines};
use crate::text::decode::Decoded;
use crate::text::failure::{self, ParseError};
use crate::text::ground::Ground;
use crate::text::listed::{Kind, Line, Listed};
use crate::text::parse::{self, Word};
use crate::text::print::{data_text, row_text};

impl Set {
    /// The words of a program, each with its address, decoded.
    pub fn words<'b>(&'b self, bytes: &'b [u8]) -> impl Iterator<Item = (u64, Decoded)> + 'b {
        Ground::words(self, bytes)
    }

    /// Disassembles a program.
    pub fn list(&self, bytes: &[u8]) -> Listed {
        let lines = self.words(bytes).map(|(address, decoded)| {
            let (kind, text) = match decoded.row {
                Some(row) if decoded.control => (Kind::Control, row_text(row, decoded.word, address)),
                Some(row) => (Kind::Instruction, row_text(row, decoded.word, address)),
                None if decoded.padding => (Kind::Padding, format!(".zero {}", decoded.bytes)),
                None => (Kind::Data, data_text(decoded.word, decoded.bytes)),
            };
            let plain = decoded.row.map(|row| (row, row.plain(decoded.word)));
            let plain = plain.filter(|(_, word)| *word != decoded.word);
            Line {
                address,
                word: decoded.word,
                bytes: decoded.bytes,
                kind,
                text,
                plain: plain.map(|(row, word)| row_text(row, word, address)),
                unsure: decoded.unsure,
            }
        });
        Listed { lines: lines.collect() }
    }

    /// Parses one instruction, `.word`, `.byte` or `.zero` line at an address; a `;` may follow.
    pub fn parse_at(&self, text: &str, address: u64) -> Result<Word, ParseError> {
        self.parse_line(text, 1, address)
    }

    pub(crate) fn parse_line(&self, source: &str, line: usize, address: u64) -> Result<Word, ParseError> {
        let text = source.trim_end();
        let text = text.strip_suffix(';').unwrap_or(text);
        let begin = text.len() - text.trim_start().len();
        let word = &text[begin..];
        if let Some(count) = word.strip_prefix(".zero").filter(|count| count.starts_with(' ')) {
            return match count.trim().parse() {
                Ok(bytes @ 1..=16) => Ok(Word { word: 0, bytes }),
                _ => {
                    let message = "expected the number of zero bytes, 1 to 16".to_string();
                    Err(failure::error(line, source, (begin, text.len()), message))
                }
            };
        }
        let data = word.strip_prefix(".word").or(word.strip_prefix(".byte"));
        if let Some(digits) = data.filter(|digits| !digits.starts_with(|next: char| next.is_alphanumeric())) {
            let fail = |message: &str| Err(failure::error(line, source, (begin, text.len()), message.to_string()));
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
        // Tries the names of other tables; the message is for the best match.
        for other in self.synonyms {
            match parse::instruction(other, other.index(), text, line, address) {
                Ok(word) => return Ok(word),
                Err(error) if error.column > nearest.column => nearest = error,
                Err(_) => {}
            }
        }
        Err(nearest)
    }

    /// Assembles lines, one instruction, `.word` or `.zero` each; `first` is the number of the first line. `//` and `/*
    /// */` are comments, `;` may end a line. Where a control word is missing, the first control row's fixed and usual
    /// bits are inserted.
    pub(crate) fn assemble_lines(&self, source: &str, first: usize) -> AssembledLines {
        if let Some(control) = self.control.filter(|control| !control.slots.is_empty()) {
            return control::assembly::assemble(self, control, source, first);
        }
        let mut part = AssembledLines::default();
        let mut comment = false;
        for (line, text) in (first..).zip(source.lines()) {
            let code = without_comments(text, &mut comment);
            let begins = code.trim_start();
            if begins.is_empty() || begins == ";" {
                continue;
            }
            let is_control = begins.starts_with(".control");
            let given = is_control || [".word", ".byte", ".zero"].iter().any(|data| begins.starts_with(data));
            part.instructions += usize::from(!given);
            part.has_control |= given && self.is_control(part.bytes.len() as u64);
            if let Some(control) = self
                .control
                .as_ref()
                .filter(|_| !given && self.is_control(part.bytes.len() as u64))
            {
                if let Some(row) = control.rows.first() {
                    part.bytes
                        .extend_from_slice(&(row.value | row.usual).to_le_bytes()[..usize::from(row.bytes.min(16))]);
                }
            }
            match self.parse_line(&code, line, part.bytes.len() as u64) {
                Ok(Word { word, bytes: count }) => {
                    part.bytes
                        .extend_from_slice(&word.to_le_bytes()[..usize::from(count.min(16))]);
                }
                Err(error) => {
                    part.errors.push(error);
                    // The following lines keep their addresses, if the length is constant.
                    part.bytes.extend(std::iter::repeat_n(0, usize::from(self.length(0))));
                }
            }
        }
        part
    }
}
