//! Errors of files, patterns and campaigns.

use super::names::did_you_mean;
use std::path::PathBuf;
use thiserror::Error as ThisError;

/// An error in user input: a file, a name or a number.
#[derive(Debug, ThisError)]
pub enum Error {
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// JSON with a syntax error, or without the expected fields.
    #[error("{file}: {source}")]
    Json {
        /// The path of the file.
        file: String,
        /// The reason, with line and column.
        source: serde_json::Error,
    },
    /// A line of a CSV file is malformed.
    #[error("{file}:{line}: {wrong}")]
    Line {
        /// The path of the file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The problem, and the expected value.
        wrong: String,
    },
    /// A value in a CSV file is wrong.
    #[error("{file}:{line}: column {column}: {wrong}; expected {expected}")]
    Cell {
        /// The path of the file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The column's name.
        column: &'static str,
        /// The problem.
        wrong: String,
        /// A description of the expected values.
        expected: String,
    },
    /// A file that contradicts another one or itself.
    #[error("{file}: {wrong}")]
    Contents {
        /// The path of the file.
        file: String,
        /// The problem, and the expected value.
        wrong: String,
    },
    /// Results that do not exist yet.
    #[error("{file}: {wrong}")]
    NoResults {
        /// The path of the file.
        file: String,
        /// The message, with the command that creates the file.
        wrong: String,
    },
    /// A name that no value of the enum has.
    #[error("`{found}`: expected {expected}{}", did_you_mean(near))]
    Name {
        /// The name.
        found: String,
        /// The possible names.
        expected: String,
        /// Up to three similar names, the nearest first.
        near: Vec<String>,
    },
    /// A pattern or name that matches no site.
    #[error("no site matches `{pattern}`{}", did_you_mean(near))]
    NoSite {
        /// The pattern or name.
        pattern: String,
        /// Up to three similar names, the nearest first.
        near: Vec<String>,
    },
    /// A malformed pattern.
    #[error("pattern `{pattern}`: {wrong}")]
    Pattern {
        /// The pattern as it was given.
        pattern: String,
        /// The problem, and the expected value.
        wrong: String,
    },
    /// An invalid site.
    #[error("site `{name}`: {wrong}")]
    Site {
        /// The site's name.
        name: String,
        /// The problem.
        wrong: String,
    },
    /// An invalid fault.
    #[error("fault {id}: {column} {wrong}; expected {expected}")]
    Fault {
        /// The fault's number.
        id: u64,
        /// The field, by its name in files.
        column: &'static str,
        /// The problem.
        wrong: String,
        /// A description of the expected values.
        expected: String,
    },
    /// A sample that cannot be drawn.
    #[error("sample of `{pattern}`: {wrong}")]
    Sample {
        /// The sample's pattern.
        pattern: String,
        /// The problem.
        wrong: String,
    },
    /// A malformed shard, or an index outside the campaign's shards.
    #[error("`{found}` is not a shard; expected I/N with I from 0 to N-1")]
    Shard {
        /// The text.
        found: String,
    },
    /// A confidence level that is not between 0 and 1, or another parameter of a statistic outside its range.
    #[error("{what} {value}; expected {expected}")]
    Statistic {
        /// The parameter.
        what: &'static str,
        /// The value given.
        value: String,
        /// The range.
        expected: &'static str,
    },
}

impl Error {
    /// A [`Error::File`] at `path`, for `map_err`.
    pub(crate) fn at(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::File { path, source }
    }

    /// An [`Error::Json`] in `file`, for `map_err`.
    pub(crate) fn json(file: &str) -> impl FnOnce(serde_json::Error) -> Error + '_ {
        move |source| Error::Json {
            file: file.to_string(),
            source,
        }
    }
}

/// `std::io::Error` has no equality, so errors are compared by the message that a user sees.
impl PartialEq for Error {
    fn eq(&self, other: &Error) -> bool {
        self.to_string() == other.to_string()
    }
}
