//! Token stream of the parser, with errors for unexpected tokens.

use super::ast::{Name, Span};
use super::error::{quoted, ErrorKind, Fault};
use super::lexer::{Lexer, Token, TokenKind};
use std::borrow::Cow;

/// Reads tokens with a lookahead of one.
pub(super) struct Cursor<'t> {
    lexer: Lexer<'t>,
    /// The current token.
    pub token: Token<'t>,
    /// The next token.
    ahead: Token<'t>,
    /// The place of the token before the current one.
    pub last: Span,
    /// The number of open braces.
    depth: u32,
}

/// The maximum depth of nested braces: blocks and initial values.
const DEPTH: u32 = 64;

impl<'t> Cursor<'t> {
    pub fn new(text: &'t str) -> Self {
        let mut lexer = Lexer::new(text);
        let token = lexer.next();
        let ahead = lexer.next();
        let last = Span {
            line: 1,
            column: 1,
            ..Span::default()
        };
        Cursor {
            lexer,
            token,
            ahead,
            last,
            depth: 0,
        }
    }

    /// Consumes the current token.
    pub fn advance(&mut self) -> Token<'t> {
        let next = std::mem::replace(&mut self.ahead, self.lexer.next());
        let token = std::mem::replace(&mut self.token, next);
        self.last = token.span;
        token
    }

    /// True if the current token is this character.
    pub fn at(&self, character: u8) -> bool {
        self.token.kind == TokenKind::Punctuation(character)
    }

    /// True if the next token is this character.
    pub fn before(&self, character: u8) -> bool {
        self.ahead.kind == TokenKind::Punctuation(character)
    }

    /// Consumes this character if it is the current token.
    pub fn eat(&mut self, character: u8) -> bool {
        let here = self.at(character);
        if here {
            self.advance();
        }
        here
    }

    /// Consumes this character, or fails.
    pub fn expect(&mut self, character: u8, expected: &'static str) -> Result<Span, Fault> {
        if self.at(character) {
            Ok(self.advance().span)
        } else {
            Err(self.expected(expected))
        }
    }

    /// True if the current token is a name.
    pub fn at_word(&self) -> bool {
        self.token.kind == TokenKind::Word
    }

    /// True if a label with its colon is next.
    pub fn at_label(&self) -> bool {
        self.at_word() && self.before(b':')
    }

    /// Reads a name.
    pub fn name(&mut self, expected: &'static str) -> Result<Name<'t>, Fault> {
        if self.at_word() {
            let token = self.advance();
            Ok(Name {
                text: token.text,
                span: token.span,
            })
        } else {
            Err(self.expected(expected))
        }
    }

    /// The word after the dot, if the token is one: `reg` for `.reg`.
    pub fn dot(&self) -> Option<&'t str> {
        match self.token.kind {
            TokenKind::Dot => self.token.text.strip_prefix('.'),
            _ => None,
        }
    }

    /// Consumes this word with its dot if it is the current token.
    pub fn eat_dot(&mut self, word: &str) -> bool {
        let here = self.dot() == Some(word);
        if here {
            self.advance();
        }
        here
    }

    /// Consumes a number without sign.
    pub fn number(&mut self, expected: &'static str) -> Result<u64, Fault> {
        match self.token.kind {
            TokenKind::Integer(integer) => {
                self.advance();
                Ok(integer.magnitude)
            }
            _ => Err(self.expected(expected)),
        }
    }

    /// Consumes a number without sign that fits 32 bits.
    pub fn small(&mut self, expected: &'static str) -> Result<u32, Fault> {
        let text = self.token.text;
        let number = self.number(expected)?;
        u32::try_from(number).map_err(|_| self.large(text, self.last, 32))
    }

    /// The error for a number that does not fit.
    pub fn large(&self, number: &str, span: Span, bits: u32) -> Fault {
        Fault::new(
            span,
            ErrorKind::Large {
                number: quoted(number),
                bits,
            },
        )
    }

    /// Consumes a string and returns its contents, with escapes resolved.
    pub fn string(&mut self, expected: &'static str) -> Result<Cow<'t, str>, Fault> {
        if self.token.kind == TokenKind::String {
            let text = self.advance().text;
            Ok(unescaped(text.get(1..text.len() - 1).unwrap_or("")))
        } else {
            Err(self.expected(expected))
        }
    }

    /// The error for an unexpected token.
    pub fn expected(&self, expected: impl Into<Cow<'static, str>>) -> Fault {
        let kind = match &self.token.kind {
            TokenKind::Bad(kind) => kind.clone(),
            TokenKind::End => ErrorKind::Syntax {
                expected: expected.into(),
                found: "the end of the text".to_string(),
            },
            _ => ErrorKind::Syntax {
                expected: expected.into(),
                found: format!("`{}`", quoted(self.token.text)),
            },
        };
        Fault::new(self.token.span, kind)
    }

    /// Consumes `{`. Fails if the braces are nested too deeply.
    pub fn open(&mut self, expected: &'static str) -> Result<Span, Fault> {
        let span = self.expect(b'{', expected)?;
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(Fault::new(span, ErrorKind::Deep(DEPTH)));
        }
        Ok(span)
    }

    /// Consumes `}`.
    pub fn close(&mut self, expected: &'static str) -> Result<Span, Fault> {
        let span = self.expect(b'}', expected)?;
        self.depth = self.depth.saturating_sub(1);
        Ok(span)
    }
}

/// The contents of a string without backslashes: `\"`, `\\`, `\n`, `\t` and octal bytes.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let mut octal: Option<u8> = None;
        for _ in 0..3 {
            let Some(digit @ b'0'..=b'7') = rest.peek().copied() else {
                break;
            };
            octal = Some(octal.unwrap_or(0).wrapping_mul(8).wrapping_add(digit - b'0'));
            rest.next();
        }
        match octal {
            Some(value) => bytes.push(value),
            None => match rest.next() {
                Some(b'n') => bytes.push(b'\n'),
                Some(b't') => bytes.push(b'\t'),
                Some(b'r') => bytes.push(b'\r'),
                Some(other) => bytes.push(other),
                None => bytes.push(b'\\'),
            },
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}
