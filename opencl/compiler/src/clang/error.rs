//! Errors of the front end.

use super::program::OLDEST;
use std::path::PathBuf;
use thiserror::Error;

/// Instructions for installing clang 19, for messages.
const INSTALL: &str = "install one, on Debian with `apt-get install clang-19`, or name one in FLEXGRIP_CLANG";

/// An error of the front end.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClangError {
    /// No clang works.
    #[error("found no clang {oldest} or newer with the target nvptx: {tried}; {INSTALL}", oldest = OLDEST)]
    NotFound {
        /// The programs that were tried, and why each does not work.
        tried: String,
    },
    /// The source has errors.
    #[error("{log}")]
    Source {
        /// clang's messages, with the source's name, lines and columns.
        log: String,
    },
    /// Clang could not be run, or failed for a reason other than errors in the source.
    #[error("{program}: {message}", program = program.display())]
    Failed {
        /// The path of clang.
        program: PathBuf,
        /// The error, or clang's output.
        message: String,
    },
    /// The source's name, or a path in the options, cannot be passed to clang.
    #[error("{0:?} cannot be a source's name: it has a line break or a zero byte")]
    Name(String),
}
