//! Accesses to global and local memory.

/// Size of an access to global or local memory, and how the loaded value fills its 32-bit register.
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
            // The value 7 is undefined, and the rows' names for the field have no entry for it, so it never arrives
            // here.
            _ => MemoryAccess::B32,
        }
    }
}
