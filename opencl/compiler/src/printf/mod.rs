//! `printf` of OpenCL 1.2: formats, the records that a kernel writes, and the text that the host generates from them.
//!
//! ```text
//! format    a format string ──> text and conversions, with the layout of the arguments
//! buffer    the buffer of a launch: its size, and a slice for each warp
//! records   the buffer's contents ──> text, in order
//! convert   a value and its conversion ──> text, as in C
//! floats    exact digits of floats
//! ```
//! [`crate::ir`] compiles the calls: a kernel writes the number of the call and its arguments, and formats nothing.

pub mod buffer;
mod convert;
mod floats;
pub mod format;
pub mod records;

use format::Format;

/// A call of `printf` in a kernel, by its index in [`crate::Compiled::prints`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The format, without the zero at its end.
    pub format: Vec<u8>,
    /// True if `float` arguments are passed as `double`, because the source was compiled with doubles.
    pub promoted: bool,
}

impl Site {
    /// The format's pieces.
    ///
    /// # Errors
    /// The format is not one of OpenCL C.
    pub fn parsed(&self) -> Result<Format, String> {
        format::parse(&self.format, self.promoted)
    }
}
