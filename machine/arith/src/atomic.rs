//! Atomic operations on global memory, GATOM and GRED: of 32 bits since compute capability 1.1, of 64 bits since 1.2.
//!
//! The functions compute a memory operand's new value from its old one and the instruction's operands. GATOM returns
//! the old value, GRED returns nothing; neither writes a condition code. GRED has neither exchange nor compare and
//! swap, and only compare and swap reads operand c.
//!
//! Source: the published hardware tests of the envytools project, restated by the specification.

/// An operation on 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atomic32 {
    /// IADD: `memory + b`, modulo 2^32.
    Add,
    /// EXCH: `b`.
    Exchange,
    /// CAS: `c` if `memory == b`, else `memory`.
    CompareAndSwap,
    /// INC: 0 if `memory >= b`, else `memory + 1`; unsigned.
    Increment,
    /// DEC: `b` if `memory` is 0 or greater than `b`, else `memory - 1`; unsigned.
    Decrement,
    /// IMAX: the larger of `memory` and `b`.
    Maximum {
        /// Compare as two's complement.
        signed: bool,
    },
    /// IMIN: the smaller of `memory` and `b`.
    Minimum {
        /// Compare as two's complement.
        signed: bool,
    },
    /// IAND: `memory & b`.
    And,
    /// IOR: `memory | b`.
    Or,
    /// IXOR: `memory ^ b`.
    Xor,
}

impl Atomic32 {
    /// The operation with this number, as instructions encode it, for the type S32 if `signed`, else U32. `None` if the
    /// instructions have no such operation: numbers 3, 8, 9 and from 13 up, and all signed ones but IADD, IMAX, IMIN.
    pub const fn from_bits(bits: u32, signed: bool) -> Option<Self> {
        Some(match (bits, signed) {
            (0, _) => Atomic32::Add,
            (1, false) => Atomic32::Exchange,
            (2, false) => Atomic32::CompareAndSwap,
            (4, false) => Atomic32::Increment,
            (5, false) => Atomic32::Decrement,
            (6, _) => Atomic32::Maximum { signed },
            (7, _) => Atomic32::Minimum { signed },
            (10, false) => Atomic32::And,
            (11, false) => Atomic32::Or,
            (12, false) => Atomic32::Xor,
            _ => return None,
        })
    }
}

/// The new value of a 32-bit word of memory.
pub const fn atomic32(operation: Atomic32, memory: u32, b: u32, c: u32) -> u32 {
    match operation {
        Atomic32::Add => memory.wrapping_add(b),
        Atomic32::Exchange => b,
        Atomic32::CompareAndSwap if memory == b => c,
        Atomic32::CompareAndSwap => memory,
        Atomic32::Increment if memory >= b => 0,
        Atomic32::Increment => memory + 1,
        Atomic32::Decrement if memory == 0 || memory > b => b,
        Atomic32::Decrement => memory - 1,
        Atomic32::Maximum { signed } if is_less(signed, memory, b) => b,
        Atomic32::Maximum { .. } => memory,
        Atomic32::Minimum { signed } if is_less(signed, b, memory) => b,
        Atomic32::Minimum { .. } => memory,
        Atomic32::And => memory & b,
        Atomic32::Or => memory | b,
        Atomic32::Xor => memory ^ b,
    }
}

const fn is_less(signed: bool, a: u32, b: u32) -> bool {
    if signed {
        (a as i32) < b as i32
    } else {
        a < b
    }
}

/// An operation on 64 bits, the low word at the lower address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atomic64 {
    /// IADD: `memory + b`, modulo 2^64.
    Add,
    /// EXCH: `b`.
    Exchange,
    /// CAS: `c` if `memory == b`, else `memory`.
    CompareAndSwap,
}

impl Atomic64 {
    /// The operation with this number, as instructions encode it. `None` for 3 and above.
    pub const fn from_bits(bits: u32) -> Option<Self> {
        Some(match bits {
            0 => Atomic64::Add,
            1 => Atomic64::Exchange,
            2 => Atomic64::CompareAndSwap,
            _ => return None,
        })
    }
}

/// The new value of a 64-bit word of memory.
pub const fn atomic64(operation: Atomic64, memory: u64, b: u64, c: u64) -> u64 {
    match operation {
        Atomic64::Add => memory.wrapping_add(b),
        Atomic64::Exchange => b,
        Atomic64::CompareAndSwap if memory == b => c,
        Atomic64::CompareAndSwap => memory,
    }
}
