//! Parser of compiled PS Vita shaders: `.gxp` files, with code of PowerVR USSE.
//!
//! ```text
//! 0x00 "GXP\0"           0x3c instructions of the primary program
//! 0x08 size in bytes     0x40 its offset from this field
//! 0x14 flags, bit 0: of  0x48 offset of the secondary program from this field
//!      a fragment        0x4c offset of its end from this field
//! ```
//! Numbers are little-endian and have 32 bits. The secondary program runs once, before the primary one.

use thiserror::Error;

/// The bytes up to the last field that is read.
const HEADER: usize = 0x50;
/// Bytes of an instruction.
const WORD: usize = 8;

/// The code of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gxp {
    /// True for a fragment shader, false for a vertex shader.
    pub fragment: bool,
    /// The program that runs for each vertex or fragment, in bytes.
    pub primary: Vec<u8>,
    /// The program that runs before it, in bytes; often empty.
    pub secondary: Vec<u8>,
}

/// The error for a file that is not a shader, or is damaged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GxpError {
    /// The magic number is missing.
    #[error("this is not a .gxp file; expected `GXP` and a byte of 0 at its beginning")]
    Magic,
    /// The file is shorter than its header, or than the size in the header.
    #[error("the .gxp file has {bytes} bytes; expected at least {expected}")]
    Short {
        /// The file's length in bytes.
        bytes: usize,
        /// The smallest valid length in bytes.
        expected: usize,
    },
    /// A program is outside the file.
    #[error("the {program} program is at bytes {from} to {to}; the .gxp file has {bytes}")]
    Outside {
        /// The program's name.
        program: &'static str,
        /// Byte offset of its first byte.
        from: u64,
        /// Byte offset after its last byte.
        to: u64,
        /// The file's length in bytes.
        bytes: usize,
    },
    /// A program has a fraction of an instruction, or ends before its beginning.
    #[error("the {program} program is at bytes {from} to {to}; expected instructions of 8 bytes")]
    Uneven {
        /// The program's name.
        program: &'static str,
        /// Byte offset of its first byte.
        from: u64,
        /// Byte offset after its last byte.
        to: u64,
    },
}

/// The field of the header at a byte offset.
fn field(file: &[u8], at: usize) -> u64 {
    let bytes = file.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
    u64::from(u32::from_le_bytes(bytes.unwrap_or_default()))
}

fn program(file: &[u8], program: &'static str, from: u64, to: u64) -> Result<Vec<u8>, GxpError> {
    if to < from || (to - from) % WORD as u64 != 0 {
        return Err(GxpError::Uneven { program, from, to });
    }
    let place = usize::try_from(from).ok().zip(usize::try_from(to).ok());
    match place.and_then(|(from, to)| file.get(from..to)) {
        Some(bytes) => Ok(bytes.to_vec()),
        None => Err(GxpError::Outside {
            program,
            from,
            to,
            bytes: file.len(),
        }),
    }
}

impl Gxp {
    /// Reads a file.
    ///
    /// # Errors
    /// The file is not a .gxp file, or its header and its length contradict each other.
    pub fn read(file: &[u8]) -> Result<Gxp, GxpError> {
        if !file.starts_with(b"GXP\0") {
            return Err(GxpError::Magic);
        }
        let bytes = file.len();
        let size = usize::try_from(field(file, 0x08)).unwrap_or(usize::MAX);
        let expected = size.max(HEADER);
        if bytes < expected {
            return Err(GxpError::Short { bytes, expected });
        }
        let primary = 0x40 + field(file, 0x40);
        let primary_end = primary + WORD as u64 * field(file, 0x3c);
        let (secondary, secondary_end) = (0x48 + field(file, 0x48), 0x4c + field(file, 0x4c));
        Ok(Gxp {
            fragment: field(file, 0x14) & 1 == 1,
            primary: program(file, "primary", primary, primary_end)?,
            secondary: program(file, "secondary", secondary, secondary_end)?,
        })
    }
}
