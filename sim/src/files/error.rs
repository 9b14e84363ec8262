//! Errors with a location in a file, as shown to the user when a launch file, a program or an image is wrong.

use crate::files::input;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// An error in a file, with its location: shown as `path:line:column: message`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// Line, from 1, if known.
    pub line: Option<usize>,
    /// Column in characters, from 1, if known.
    pub column: Option<usize>,
    /// What is wrong, and what was expected.
    pub message: String,
}

impl FileError {
    /// An error in the file as a whole.
    pub fn whole(path: &Path, message: impl Into<String>) -> Self {
        FileError {
            path: path.into(),
            line: None,
            column: None,
            message: message.into(),
        }
    }

    /// An error at a line and column, both from 1.
    pub fn at(path: &Path, line: usize, column: usize, message: impl Into<String>) -> Self {
        FileError {
            path: path.into(),
            line: Some(line),
            column: Some(column),
            message: message.into(),
        }
    }

    /// An error at the start of a byte range of `text`, the file's contents.
    pub fn span(path: &Path, text: &str, span: &Range<usize>, message: impl Into<String>) -> Self {
        // A span may extend past the text (an unclosed string at the end of the file).
        let mut start = span.start.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &text[..start];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Self::at(path, line, column, message)
    }
}

/// Most mistakes of a program that are shown; after that many the rest is guesswork.
const MOST_SHOWN: usize = 10;

impl FileError {
    /// The mistakes of a program, each with line, column, and a message with an excerpt: the error is at the first one, the
    /// others follow in its message.
    pub fn of_mistakes(path: &Path, mistakes: impl ExactSizeIterator<Item = (usize, usize, String)>) -> Self {
        let more = mistakes.len().saturating_sub(MOST_SHOWN);
        let mut shown = mistakes
            .take(MOST_SHOWN)
            .map(|(line, column, message)| FileError::at(path, line, column, message));
        let Some(mut error) = shown.next() else {
            return FileError::whole(path, "the program cannot be assembled");
        };
        for other in shown {
            error.message.push_str(&format!("\n{other}"));
        }
        if more > 0 {
            error.message.push_str(&format!("\n... and {more} more"));
        }
        error
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
            if let Some(column) = self.column {
                write!(f, ":{column}")?;
            }
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for FileError {}

/// Reads a text file.
///
/// # Errors
/// The file cannot be read (`what` says what it should be), or is not UTF-8.
pub fn read_text(path: &Path, what: &str) -> Result<String, FileError> {
    let bytes = input::read(path)
        .map_err(|error| FileError::whole(path, format!("cannot read the {what}: {}", io_reason(&error))))?;
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|&&b| b == b'\n')
            .count()
            + 1;
        let message = format!("the {what} is not a text file (no UTF-8)");
        FileError {
            path: path.into(),
            line: Some(line),
            column: None,
            message,
        }
    })
}

/// An I/O error in a few plain words.
pub(crate) fn io_reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        std::io::ErrorKind::IsADirectory => "it is a directory".into(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_shown_and_counted_in_characters() {
        let text = "a = 1\nü = \"x";
        let error = FileError::span(Path::new("f"), text, &(9..9), "bad");
        assert_eq!(error.to_string(), "f:2:3: bad");
        assert_eq!(
            FileError::span(Path::new("f"), text, &(99..100), "bad").to_string(),
            "f:2:7: bad"
        );
        assert_eq!(FileError::whole(Path::new("f"), "bad").to_string(), "f: bad");
    }
}
