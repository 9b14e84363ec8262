//! Texts that are not instructions: the error, with the place and the alternatives there.

use crate::number::{self, Refusal};
use crate::set::Format;
use crate::vector::Register;

/// A text that is not an instruction.
///
/// The error's text shows the line with the error underlined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}\n{}", self.excerpt())]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The length of the error in characters; at least 1.
    pub width: usize,
    /// The message: the text found and the text expected.
    pub message: String,
    /// The line's text, with tabs and other control characters as spaces.
    pub text: String,
}

impl ParseError {
    /// The line with the error underlined, two lines without a newline at the end.
    pub fn excerpt(&self) -> String {
        let (spaces, marks) = (" ".repeat(self.column.saturating_sub(1)), "^".repeat(self.width));
        format!("    {}\n    {spaces}{marks}", self.text)
    }
}

/// An alternative at the furthest position that parsing reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Text(&'static str),
    Names(&'static [Option<&'static str>]),
    Number(Format),
    Register(&'static Register, Refusal),
    Channels,
    End,
    Refused(Format, u32, Refusal),
    Conflict(&'static str),
}

/// Begin and end of a token in bytes.
pub(super) type Span = (usize, usize);

/// The error at bytes `from .. to` of a line.
pub(crate) fn error(line: usize, text: &str, (from, to): Span, message: String) -> ParseError {
    let count = |to: usize| text.get(..to).unwrap_or(text).chars().count();
    let clean = |letter: char| if letter.is_control() { ' ' } else { letter };
    ParseError {
        line,
        column: count(from) + 1,
        width: count(to).saturating_sub(count(from)).max(1),
        message,
        text: text.chars().map(clean).collect(),
    }
}

/// The message for the alternatives.
pub(super) fn message(expected: &[Expected], found: &str, rest: &str) -> String {
    // The most specific alternatives come first.
    for expected in expected {
        match *expected {
            Expected::Refused(format, width, refusal) => {
                let what = number::range(format, width);
                return match refusal {
                    Refusal::Multiple(scale) => format!("{found} is not a multiple of {scale} ({what})"),
                    Refusal::Inexact => format!("{rest} has more digits than the bits can hold ({what})"),
                    _ => format!("{found} is out of range ({what})"),
                };
            }
            Expected::Register(register, refusal) if refusal != Refusal::Other => {
                let name = register.name;
                return match refusal {
                    Refusal::Multiple(scale) => {
                        format!("{found}: the number of the {name} is not a multiple of {scale}")
                    }
                    _ => format!("{found}: the {name} has no register of this number"),
                };
            }
            Expected::Conflict(name) if expected_only_conflicts(expected) => {
                return format!("{found} contradicts an earlier part of the instruction (field `{name}`)");
            }
            _ => {}
        }
    }
    let mut list: Vec<String> = Vec::new();
    let mut add = |text: String| {
        if !text.is_empty() && !list.contains(&text) {
            list.push(text);
        }
    };
    for expected in expected {
        match *expected {
            Expected::Text(text) => add(match text.trim() {
                "" => "a space".to_string(),
                text => format!("`{text}`"),
            }),
            Expected::Names(names) => {
                for name in names.iter().flatten().filter(|name| !name.trim().is_empty()) {
                    add(format!("`{}`", name.trim()));
                }
            }
            Expected::Number(format) => add(number::expected(format)),
            Expected::Register(register, _) => add(register.expected()),
            Expected::Channels => add("channels that the other operands also have".to_string()),
            Expected::End => add("the end".to_string()),
            Expected::Refused(..) | Expected::Conflict(_) => {}
        }
    }
    const MOST: usize = 8;
    let more = list.len().saturating_sub(MOST);
    list.truncate(MOST);
    let tail = match more {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    format!("expected {}{tail}, found {found}", list.join(" or "))
}

fn expected_only_conflicts(expected: &Expected) -> bool {
    matches!(expected, Expected::Conflict(_))
}

/// The nearest of the names by edit distance, in upper or lower case, if it is close enough.
pub(crate) fn nearest<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let names: Vec<(String, &str)> = names.map(|name| (name.to_ascii_lowercase(), name)).collect();
    let lower = names.iter().map(|(lower, _)| lower.as_str());
    let found = flexgrip_isa::nearest(&text.to_ascii_lowercase(), lower)?;
    names.iter().find(|(lower, _)| lower == found).map(|&(_, name)| name)
}
