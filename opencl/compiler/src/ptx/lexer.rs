//! The lexer of PTX text.

use super::ast::{Float, Integer, Span};
use super::error::{quoted, ErrorKind};

/// A token of the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token<'t> {
    pub kind: TokenKind,
    pub span: Span,
    pub text: &'t str,
}

/// The kind of a token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// A name, or a mnemonic with its modifiers: `%r1`, `$L__BB0_1`, `ld.global.f32`, `%tid.x`.
    Word,
    /// A dot with a name: `.reg`, `.align`.
    Dot,
    /// An integer without sign.
    Integer(Integer),
    /// A float without sign.
    Float(Float),
    /// A string with its quotes.
    String,
    /// A single character.
    Punctuation(u8),
    /// The end of the text.
    End,
    /// An invalid token.
    Bad(ErrorKind),
}

/// Reads tokens one by one. After the last token, it always returns `End`.
pub(super) struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    line: u32,
    line_start: usize,
    /// UTF-8 continuation bytes in this line so far. They do not count as characters in columns.
    continuations: usize,
}

/// True if names may contain this byte.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Self {
        Lexer {
            text,
            bytes: text.as_bytes(),
            at: 0,
            line: 1,
            line_start: 0,
            continuations: 0,
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Advances by one byte, which may be a newline or a part of a character.
    fn step(&mut self) {
        match self.bytes.get(self.at) {
            Some(b'\n') => {
                self.line = self.line.saturating_add(1);
                self.line_start = self.at + 1;
                self.continuations = 0;
            }
            Some(0x80..=0xbf) => self.continuations += 1,
            _ => {}
        }
        self.at += 1;
    }

    /// The place of the next byte, with length 0.
    fn here(&self) -> Span {
        let column = self.at - self.line_start - self.continuations + 1;
        Span {
            offset: u32::try_from(self.at).unwrap_or(u32::MAX),
            length: 0,
            line: self.line,
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    /// Skips blanks and comments; the error is the place of an unterminated comment.
    fn skip(&mut self) -> Result<(), Span> {
        loop {
            match self.peek(0) {
                b' ' | b'\t' | b'\r' | 0x0c => self.at += 1,
                b'\n' => self.step(),
                b'/' if self.peek(1) == b'/' => {
                    while self.at < self.bytes.len() && self.peek(0) != b'\n' {
                        self.step();
                    }
                }
                b'/' if self.peek(1) == b'*' => {
                    let start = Span {
                        length: 2,
                        ..self.here()
                    };
                    self.at += 2;
                    while !(self.peek(0) == b'*' && self.peek(1) == b'/') {
                        if self.at >= self.bytes.len() {
                            return Err(start);
                        }
                        self.step();
                    }
                    self.at += 2;
                }
                _ => return Ok(()),
            }
        }
    }

    /// The next token.
    pub fn next(&mut self) -> Token<'t> {
        if let Err(span) = self.skip() {
            let kind = TokenKind::Bad(ErrorKind::Comment);
            return Token { kind, span, text: "/*" };
        }
        let start = self.here();
        let from = self.at;
        let first = self.peek(0);
        let kind = match first {
            b'0'..=b'9' => self.number(),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'%' if first != b'%' || is_word(self.peek(1)) => self.word(),
            b'.' if is_word(self.peek(1)) => {
                self.at += 1;
                self.segment();
                TokenKind::Dot
            }
            b'"' => self.string(),
            0 if from >= self.bytes.len() => TokenKind::End,
            0x80.. => self.foreign(),
            _ => {
                self.at += 1;
                match first {
                    b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b',' | b';' | b':' | b'=' | b'+' | b'-'
                    | b'!' | b'@' | b'|' | b'.' => TokenKind::Punctuation(first),
                    _ => TokenKind::Bad(ErrorKind::Character(char::from(first))),
                }
            }
        };
        let text = self.text.get(from..self.at).unwrap_or("");
        let length = u32::try_from(self.at - from).unwrap_or(u32::MAX);
        Token {
            kind,
            span: Span { length, ..start },
            text,
        }
    }

    /// Skips the bytes of a name, and `::` between two names.
    fn segment(&mut self) {
        loop {
            if is_word(self.peek(0)) {
                self.at += 1;
            } else if self.peek(0) == b':' && self.peek(1) == b':' && is_word(self.peek(2)) {
                self.at += 2;
            } else {
                return;
            }
        }
    }

    fn word(&mut self) -> TokenKind {
        self.at += 1;
        while is_word(self.peek(0)) {
            self.at += 1;
        }
        while self.peek(0) == b'.' && is_word(self.peek(1)) {
            self.at += 1;
            self.segment();
        }
        TokenKind::Word
    }

    /// A character that is not ASCII.
    fn foreign(&mut self) -> TokenKind {
        let character = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        for _ in 0..character.len_utf8() {
            self.step();
        }
        TokenKind::Bad(ErrorKind::Character(character))
    }

    fn string(&mut self) -> TokenKind {
        self.at += 1;
        loop {
            match self.peek(0) {
                b'"' => {
                    self.at += 1;
                    return TokenKind::String;
                }
                b'\n' => return TokenKind::Bad(ErrorKind::String),
                0 if self.at >= self.bytes.len() => return TokenKind::Bad(ErrorKind::String),
                b'\\' if !matches!(self.peek(1), b'\n' | 0x80..) && self.at + 1 < self.bytes.len() => self.at += 2,
                _ => self.step(),
            }
        }
    }

    fn number(&mut self) -> TokenKind {
        let from = self.at;
        while is_word(self.peek(0)) {
            self.at += 1;
        }
        let digits = self.bytes.get(from..self.at).unwrap_or_default();
        let hexadecimal = matches!(digits, [b'0', b'x' | b'X' | b'f' | b'F' | b'd' | b'D', ..]);
        let mut fraction = false;
        if !hexadecimal {
            if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
                fraction = true;
                self.at += 1;
                while is_word(self.peek(0)) {
                    self.at += 1;
                }
            }
            let exponent = matches!(self.bytes.get(self.at - 1), Some(b'e' | b'E'));
            if exponent && matches!(self.peek(0), b'+' | b'-') && self.peek(1).is_ascii_digit() {
                fraction = true;
                self.at += 1;
                while is_word(self.peek(0)) {
                    self.at += 1;
                }
            }
        }
        let text = self.text.get(from..self.at).unwrap_or("");
        value(text, fraction)
    }
}

/// The value of a number.
fn value(text: &str, fraction: bool) -> TokenKind {
    let bad = || TokenKind::Bad(ErrorKind::Number(quoted(text)));
    if let (Some(b'0'), Some(digits)) = (text.as_bytes().first(), text.get(2..)) {
        let bits = u64::from_str_radix(digits, 16).ok();
        match (text.as_bytes()[1], digits.len(), bits) {
            (b'f' | b'F', 8, Some(bits)) => return TokenKind::Float(Float::Single(bits as u32)),
            (b'd' | b'D', 16, Some(bits)) => return TokenKind::Float(Float::Double(bits)),
            _ => {}
        }
    }
    let whole = text.strip_suffix('U').unwrap_or(text);
    let (digits, radix) = match whole.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&whole[2..], 16),
        [b'0', b'b' | b'B', ..] => (&whole[2..], 2),
        [b'0', _, ..] => (&whole[1..], 8),
        _ => (whole, 10),
    };
    if !digits.is_empty() && !fraction && digits.chars().all(|c| c.is_digit(radix)) {
        return match u64::from_str_radix(digits, radix) {
            Ok(magnitude) => TokenKind::Integer(Integer {
                magnitude,
                negative: false,
                unsigned: whole.len() < text.len(),
            }),
            Err(_) => TokenKind::Bad(ErrorKind::Large {
                number: quoted(text),
                bits: 64,
            }),
        };
    }
    let decimal = text
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
    let decimal = decimal && text.contains(['.', 'e', 'E']);
    match text.parse::<f64>() {
        Ok(value) if decimal => TokenKind::Float(Float::Double(value.to_bits())),
        _ => bad(),
    }
}
