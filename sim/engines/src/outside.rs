//! Failures outside this program: files that cannot be written, tools that are missing or fail.
//!
//! The error type of every module includes these two.

use std::io;
use thiserror::Error;

/// A file could not be read or written, or a process or thread could not be started.
#[derive(Debug, Error)]
#[error("{what}: {error}")]
pub struct IoError {
    /// The action that failed.
    pub what: String,
    /// The system's error.
    pub error: io::Error,
}

impl IoError {
    /// Adds the action that failed to a system error, for `map_err`.
    pub fn of(what: impl Into<String>) -> impl FnOnce(io::Error) -> IoError {
        let what = what.into();
        move |error| IoError { what, error }
    }
}

/// A tool is missing or failed.
#[derive(Debug, Error)]
#[error("{tool}: {message}")]
pub struct ToolError {
    /// The tool's name.
    pub tool: &'static str,
    /// The failure, and the remedy.
    pub message: String,
}

impl ToolError {
    /// Creates the error of a tool that could not be started, for `map_err`.
    pub fn not_started(tool: &'static str) -> impl FnOnce(io::Error) -> ToolError {
        move |error| ToolError {
            tool,
            message: match error.kind() {
                io::ErrorKind::NotFound => {
                    "is not installed; install its package, or run `make tools` in the project's folder".into()
                }
                _ => format!("cannot be run: {error}"),
            },
        }
    }
}
