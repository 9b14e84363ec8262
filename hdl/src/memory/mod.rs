//! The memories of an SM.

pub mod coalescer;
pub mod constant;
pub mod global;
pub mod instruction;
pub mod lane_ram;
pub mod port_arbiter;
pub mod shared;

use crate::host_map::{CONSTANT_BYTES, INSTRUCTION_BYTES};

/// Bytes of the memories that the host loads. A board without room for those of the whole chip has smaller ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemorySizes {
    /// A power of two of at most [`INSTRUCTION_BYTES`].
    pub instructions: u32,
    /// A power of two of at most [`CONSTANT_BYTES`].
    pub constants: u32,
}

impl MemorySizes {
    /// Those of the host's map.
    pub const MOST: MemorySizes = MemorySizes {
        instructions: INSTRUCTION_BYTES,
        constants: CONSTANT_BYTES,
    };
}
