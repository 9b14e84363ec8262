//! The error that every stage reports.

use crate::ptx::ast::Span;
use std::fmt;
use thiserror::Error;

/// A place in the OpenCL source, from `.loc`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SourceLine {
    /// Index of the `.file`.
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 if not known.
    pub column: u32,
}

/// Where something comes from: the PTX text, and the OpenCL source if the PTX names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Place {
    /// In the PTX.
    pub span: Span,
    /// In the OpenCL source.
    pub source: Option<SourceLine>,
}

/// Why a kernel was not compiled: its place, and what is missing or wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct CompileError {
    /// Where.
    pub place: Place,
    /// What.
    pub message: String,
}

impl CompileError {
    /// An error at a place.
    pub fn new(place: Place, message: impl Into<String>) -> Self {
        CompileError {
            place,
            message: message.into(),
        }
    }
}

/// `line:column: message`, with the OpenCL line behind it if known.
impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place.span, self.message)?;
        match self.place.source {
            Some(source) => write!(f, " (OpenCL line {}, column {})", source.line, source.column),
            None => Ok(()),
        }
    }
}
