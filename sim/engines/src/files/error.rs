//! Errors with a location in a file, as shown to the user when a launch file, a program or an image is wrong.

use crate::files::input;
use flexgrip_isa::text_of_bytes;
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
    /// The mistake, and what was expected instead.
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

/// Maximum number of mistakes shown for a program; most further ones are consequences of the first ones.
const MOST_SHOWN: usize = 10;

impl FileError {
    /// The mistakes of a program as one error: it is located at the first one, and the others follow in its message,
    /// each with line, column and an excerpt.
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

/// Reads a text file like [`text_of_bytes`]: a byte-order mark is dropped, and bytes that are not UTF-8 become U+FFFD.
///
/// # Errors
/// The file cannot be read, or is not text; `what` names it in the message.
pub fn read_text(path: &Path, what: &str) -> Result<String, FileError> {
    let bytes = input::read(path)
        .map_err(|error| FileError::whole(path, format!("cannot read the {what}: {}", io_reason(&error))))?;
    match text_of_bytes(&bytes) {
        Ok(text) => Ok(text.into_owned()),
        Err(reason) => Err(FileError {
            path: path.into(),
            line: Some(reason.line()),
            column: None,
            message: format!("the {what} cannot be read: {reason}"),
        }),
    }
}

/// An I/O error in a few words.
pub fn io_reason(error: &std::io::Error) -> String {
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
