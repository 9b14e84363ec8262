//! Errors in PTX text, with the place underlined.

use super::ast::Span;
use std::borrow::Cow;
use std::fmt;

/// The maximum number of characters of a line in an excerpt.
const SHOWN: usize = 100;
/// The maximum number of characters of a token in a message.
const QUOTED: usize = 40;

/// The kind of an error in PTX text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ErrorKind {
    /// An unexpected token.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// The expected token or construct.
        expected: Cow<'static, str>,
        /// The token found, in backticks, or `the end of the text`.
        found: String,
    },
    /// A character outside of strings and comments that PTX does not use.
    #[error("{0:?} is not a character of PTX")]
    Character(char),
    /// `/*` without `*/`.
    #[error("this comment never ends: `*/` is missing")]
    Comment,
    /// A string without its second quote in the same line.
    #[error("unterminated string: `\"` is missing on this line")]
    String,
    /// Digits that do not form a number.
    #[error(
        "`{0}` is not a number; numbers are 12, 0x1f, 017, 0b101, 1.5, 0f and 8 hexadecimal digits, 0d and 16 of them"
    )]
    Number(String),
    /// A number that is too large.
    #[error("`{number}` does not fit in {bits} bits")]
    Large {
        /// The number as written.
        number: String,
        /// The width that it must fit, in bits.
        bits: u32,
    },
    /// Too many nested braces; the limit.
    #[error("braces are nested deeper than {0}")]
    Deep(u32),
    /// The text has 2^32 bytes or more.
    #[error("the text has more than 4 GiB")]
    Long,
}

/// An error in PTX text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The place of the error.
    pub span: Span,
    /// The kind of the error.
    pub kind: ErrorKind,
    /// The line, or the part of a long one around the error; tabs are replaced by blanks.
    pub source_line: String,
    /// Column of the error in [`source_line`](Self::source_line), in characters, from 0.
    pub shown_column: usize,
}

impl Error {
    /// The line with the error underlined: two lines, without a newline at the end.
    #[must_use]
    pub fn excerpt(&self) -> String {
        let rest = self.source_line.chars().count().saturating_sub(self.shown_column);
        let length = (self.span.length as usize).min(rest).max(1);
        format!(
            "    {}\n    {}{}",
            self.source_line.trim_end(),
            " ".repeat(self.shown_column),
            "^".repeat(length)
        )
    }
}

/// `line:column: message`, then the line with the error underlined.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\n{}", self.span, self.kind, self.excerpt())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.kind)
    }
}

/// An error without its source line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub span: Span,
    pub kind: ErrorKind,
}

impl Fault {
    pub fn new(span: Span, kind: ErrorKind) -> Self {
        Fault { span, kind }
    }

    /// Adds the source line from `text`.
    pub fn within(self, text: &str) -> Error {
        let at = (self.span.offset as usize).min(text.len());
        let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
        let before = before.rsplit('\n').next().unwrap_or("");
        let after = after.split('\n').next().unwrap_or("");
        let half = SHOWN / 2;
        let skipped = before.chars().count().saturating_sub(SHOWN - half);
        let before: String = before.chars().skip(skipped).collect();
        let shown_column = before.chars().count();
        let after: String = after.chars().take(SHOWN - shown_column).collect();
        let blank = |c: char| if c.is_control() { ' ' } else { c };
        Error {
            span: self.span,
            kind: self.kind,
            source_line: before.chars().chain(after.chars()).map(blank).collect(),
            shown_column,
        }
    }
}

/// The beginning of a token's text, without control characters.
pub(super) fn quoted(text: &str) -> String {
    let mut shown: String = text
        .chars()
        .take(QUOTED)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(QUOTED).is_some() {
        shown.push_str("...");
    }
    shown
}
