//! The error that every stage reports, and what is said of what the machine does not have.

use crate::ptx::ast::Span;
use std::fmt;
use thiserror::Error;

/// What is said of atomic functions.
pub const NO_ATOMICS: &str = "SM 1.0 has no atomic operations";
/// What is said of double precision.
pub const NO_DOUBLE: &str = "`double` is not supported: SM 1.0 has no double precision";
/// What is said of half precision beyond `vload_half` and `vstore_half`.
pub const NO_HALF: &str =
    "`half` arithmetic is not supported: use float, with vload_half and vstore_half where half is in memory";
/// What is said of images and samplers.
pub const NO_IMAGES: &str = "images and samplers are not supported: this GPU has no texture units";
/// What is said of `printf`.
pub const NO_PRINTF: &str = "`printf` is not supported: a kernel has nowhere to print to";

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
