//! Accesses to global and local memory.

use flexgrip_arith::atomic::{atomic32, atomic64};

pub use flexgrip_arith::atomic::{Atomic32, Atomic64};

/// Size of an access to global or local memory, and the extension of a loaded value to 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryAccess {
    /// One byte, zero-extended.
    U8,
    /// One byte, sign-extended.
    S8,
    /// Two bytes, zero-extended.
    U16,
    /// Two bytes, sign-extended.
    S16,
    /// Eight bytes, two registers.
    B64,
    /// Sixteen bytes, four registers.
    B128,
    /// Four bytes.
    B32,
}

impl MemoryAccess {
    /// Number of bytes.
    pub fn bytes(self) -> u32 {
        match self {
            MemoryAccess::U8 | MemoryAccess::S8 => 1,
            MemoryAccess::U16 | MemoryAccess::S16 => 2,
            MemoryAccess::B32 => 4,
            MemoryAccess::B64 => 8,
            MemoryAccess::B128 => 16,
        }
    }

    pub(crate) fn from_bits(bits: u32) -> Self {
        match bits & 7 {
            0 => MemoryAccess::U8,
            1 => MemoryAccess::S8,
            2 => MemoryAccess::U16,
            3 => MemoryAccess::S16,
            4 => MemoryAccess::B64,
            5 => MemoryAccess::B128,
            // The value 7 is undefined, and the rows' names for the field have no entry for it, so it does not occur
            // here.
            _ => MemoryAccess::B32,
        }
    }
}

/// An atomic operation on memory: the new value of a word, from its old value and operands b (source 2) and c (source
/// 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Atomic {
    /// On four bytes.
    Word(Atomic32),
    /// On eight bytes, two registers.
    Long(Atomic64),
}

impl Atomic {
    /// Number of bytes: 4 or 8.
    pub const fn bytes(self) -> u32 {
        match self {
            Atomic::Word(_) => 4,
            Atomic::Long(_) => 8,
        }
    }

    /// True if it reads operand c, source 3.
    pub const fn has_operand_c(self) -> bool {
        matches!(
            self,
            Atomic::Word(Atomic32::CompareAndSwap) | Atomic::Long(Atomic64::CompareAndSwap)
        )
    }

    /// True if the new value depends on the old one.
    pub const fn reads_memory(self) -> bool {
        !matches!(
            self,
            Atomic::Word(Atomic32::Exchange) | Atomic::Long(Atomic64::Exchange)
        )
    }

    /// The new value; of a word in bits 31..0.
    pub const fn compute(self, memory: u64, b: u64, c: u64) -> u64 {
        match self {
            Atomic::Word(operation) => atomic32(operation, memory as u32, b as u32, c as u32) as u64,
            Atomic::Long(operation) => atomic64(operation, memory, b, c),
        }
    }
}
