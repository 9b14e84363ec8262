//! Errors in PTX text, with the line underlined.

use super::ast::Span;
use std::borrow::Cow;
use std::fmt;

/// Characters of a line that an excerpt shows at most.
const SHOWN: usize = 100;
/// Characters of a token that a message shows at most.
const QUOTED: usize = 40;

/// What is wrong with PTX text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ErrorKind {
    /// Something else belongs here.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// What belongs here.
        expected: Cow<'static, str>,
        /// What is here, in backticks, or `the end of the text`.
        found: String,
    },
    /// A character outside of strings and comments that PTX has no use for.
    #[error("{0:?} is not a character of PTX")]
    Character(char),
    /// `/*` without `*/`.
    #[error("this comment never ends: `*/` is missing")]
    Comment,
    /// A string without its second quote in the same line.
    #[error("this string does not end in its line: `\"` is missing")]
    String,
    /// Digits that form no number.
    #[error(
        "`{0}` is not a number; numbers are 12, 0x1f, 017, 0b101, 1.5, 0f and 8 hexadecimal digits, 0d and 16 of them"
    )]
    Number(String),
    /// A number that does not fit.
    #[error("`{number}` does not fit {bits} bits")]
    Large {
        /// As written.
        number: String,
        /// How many bits there are.
        bits: u32,
    },
    /// Braces within braces, too many of them.
    #[error("braces nest deeper than {0}")]
    Deep(u32),
    /// The text has 2^32 bytes or more.
    #[error("the text has more than 4 GiB")]
    Long,
}

/// An error in PTX text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: ErrorKind,
    /// The line, or the part of a long one that is around the error; tabs are blanks.
    pub source_line: String,
    /// Column of the error in [`source_line`](Self::source_line), in characters, from 0.
    pub shown_column: usize,
}

impl Error {
    /// The line with what is wrong underlined: two lines, without a newline at the end.
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

/// `line:column: message`, then the line with what is wrong underlined.
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

/// An error without its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub span: Span,
    pub kind: ErrorKind,
}

impl Fault {
    pub fn new(span: Span, kind: ErrorKind) -> Self {
        Fault { span, kind }
    }

    /// With the line of `text` that it is in.
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
