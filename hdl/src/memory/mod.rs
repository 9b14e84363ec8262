//! The memories of an SM with their check bits and locks, its load/store unit with the coalescer, and the arbiter and
//! the atomic unit of the memory port.

pub mod atomic_unit;
pub mod bundles;
pub mod check_bits;
pub mod coalescer;
pub mod constant;
pub mod global;
pub mod instruction;
pub mod lane_ram;
pub mod locks;
pub mod port_arbiter;
pub mod shared;

use flexgrip_machine::host_map::{CONSTANT_BYTES, INSTRUCTION_BYTES};
use hdlkit::prelude::*;

/// Maximum number of 32-bit registers of an SM, FlexGripPlus's number. The G80 has half as many.
pub const REGISTERS: u32 = 16_384;
/// Minimum number of 32-bit registers of an SM: 128 for each thread of a warp.
pub const LEAST_REGISTERS: u32 = 4_096;

/// True if an SM can have this number of registers: a power of two from [`LEAST_REGISTERS`] to [`REGISTERS`].
pub const fn are_registers(number: u32) -> bool {
    number.is_power_of_two() && LEAST_REGISTERS <= number && number <= REGISTERS
}

/// Sizes of an SM's register file and of the memories that the host loads. Boards with smaller FPGAs use smaller sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemorySizes {
    /// Bytes of instruction memory, a power of two of at most [`INSTRUCTION_BYTES`].
    pub instructions: u32,
    /// Bytes of constant memory, a power of two of at most [`CONSTANT_BYTES`].
    pub constants: u32,
    /// Number of 32-bit registers of an SM, see [`are_registers`].
    pub registers: u32,
}

impl MemorySizes {
    /// The sizes in the host's map, and the maximum number of registers.
    pub const MOST: MemorySizes =
        MemorySizes { instructions: INSTRUCTION_BYTES, constants: CONSTANT_BYTES, registers: REGISTERS };
}

/// A word that the host loads into instruction or constant memory.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct HostLoad {
    pub valid: Bit,
    /// Constant memory, else instruction memory.
    pub constant: Bit,
    /// Byte address, a multiple of 4.
    pub address: Bits<18>,
    pub data: Bits<32>,
}

/// Writes the bytes of `data` selected by `enable`, one bit per byte, bit 0 for the lowest.
pub fn write_bytes(word: &mut u32, data: u32, enable: u8) {
    let enabled = (0..4).filter(|byte| enable >> byte & 1 == 1);
    let mask = enabled.fold(0, |mask, byte| mask | 0xff << (8 * byte));
    *word = *word & !mask | data & mask;
}
