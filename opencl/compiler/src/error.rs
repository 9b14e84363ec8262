//! The error type of all stages, and messages for features that the machine does not have.

use crate::ptx::ast::Span;
use flexgrip_isa::Capability;
use std::fmt;
use thiserror::Error;

/// The message for atomic functions that no device has.
pub const NO_ATOMICS: &str = "this atomic function is not supported: expected one of OpenCL 1.2; on 64 bits there are \
    atom_add, atom_sub, atom_inc, atom_dec, atom_xchg and atom_cmpxchg";
/// The first capability with double precision.
pub const DOUBLES: Capability = Capability::V1_3;
/// The message for half precision other than `vload_half` and `vstore_half`.
pub const NO_HALF: &str =
    "`half` arithmetic is not supported: use float, with vload_half and vstore_half for half values in memory";
/// The message for images of later versions and of extensions.
pub const NO_IMAGES: &str = "this type of image is not supported: expected one of OpenCL 1.2";
/// The message for PTX's instructions and variables of texture units.
pub const NO_TEXTURES: &str = "textures and surfaces of PTX are not supported: this GPU has no texture units";

/// The message for a feature of a later compute capability than the device's: `feature` in the plural, and how to
/// choose another device.
pub fn needs(feature: &str, since: Capability, has: Capability) -> String {
    format!(
        "{feature} need compute capability {since}, and this device has {has}: choose another by --capability, or \
         for OpenCL programs by FLEXGRIP_DEVICE"
    )
}

/// The message for double precision on a device of an earlier capability.
pub fn no_doubles(has: Capability) -> String {
    needs("doubles", DOUBLES, has)
}

/// A place in the OpenCL source, from `.loc`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SourceLine {
    /// Index of the `.file`.
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
}

/// A place in the PTX, and in the OpenCL source if the PTX has a line for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SourceLocation {
    /// The location in the PTX.
    pub span: Span,
    /// The location in the OpenCL source.
    pub source: Option<SourceLine>,
}

/// The reason why a kernel was not compiled: the construct's place and a message.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct CompileError {
    /// The place of the construct.
    pub place: SourceLocation,
    /// The message, without the place.
    pub message: String,
}

impl CompileError {
    /// An error at a place.
    pub fn new(place: SourceLocation, message: impl Into<String>) -> Self {
        CompileError {
            place,
            message: message.into(),
        }
    }
}

/// `line:column: message`, with the OpenCL line after it if known.
impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place.span, self.message)?;
        match self.place.source {
            Some(source) => write!(f, " (OpenCL line {}, column {})", source.line, source.column),
            None => Ok(()),
        }
    }
}
