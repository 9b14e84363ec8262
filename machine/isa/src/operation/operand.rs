//! Sources and destinations of instructions.

/// The part of a register that an operand names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RegisterPart {
    /// All 32 bits.
    Full,
    /// Bits 15..0 (`R3L`).
    Low,
    /// Bits 31..16 (`R3H`).
    High,
}

/// Access size of an `s[]` or `c[]` operand. The value read is extended to 32 bits; a 16-bit operation uses the low 16.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// One byte, zero-extended.
    U8,
    /// Two bytes, zero-extended.
    U16,
    /// Two bytes, sign-extended.
    S16,
    /// Four bytes.
    B32,
}

impl Access {
    /// Number of bytes: also the unit of the offset in the instruction word and in the text.
    pub fn bytes(self) -> u32 {
        match self {
            Access::U8 => 1,
            Access::U16 | Access::S16 => 2,
            Access::B32 => 4,
        }
    }
}

/// An address register in a memory operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Indirect {
    /// The register's number, 0..4; A0 reads 0 (and occurs here only with `post_increment`).
    pub register: u8,
    /// The operand is at the register's address; the (signed) offset is added to the register afterwards.
    pub post_increment: bool,
}

/// Location of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A register or half of one.
    Register {
        /// The register's number, 0..127.
        index: u8,
        /// The part of the register.
        part: RegisterPart,
    },
    /// Shared memory of the block (`g[...]` in the text).
    Shared {
        /// Byte offset (negative only with post-increment).
        offset: i32,
        /// The size of the access.
        access: Access,
        /// Address register, if any.
        indirect: Option<Indirect>,
    },
    /// Constant memory.
    Constant {
        /// Bank, 0..15.
        bank: u8,
        /// Byte offset in the bank (negative only with post-increment).
        offset: i32,
        /// The size of the access.
        access: Access,
        /// Address register, if any.
        indirect: Option<Indirect>,
    },
    /// Local memory of the thread.
    Local {
        /// Byte offset (negative only with post-increment).
        offset: i32,
        /// Address register, if any.
        indirect: Option<Indirect>,
    },
    /// An immediate. A 16-bit operation uses the low 16 bits.
    Immediate(u32),
    /// An address register, 0..7 (A0 reads 0).
    Address(u8),
    /// A condition-code register, 0..3.
    ConditionCode(u8),
    /// A special register, 0..15.
    Special(u8),
}

impl Operand {
    /// The operand's address register, if it has one.
    pub fn indirect(&self) -> Option<Indirect> {
        match *self {
            Operand::Shared { indirect, .. } | Operand::Constant { indirect, .. } | Operand::Local { indirect, .. } => {
                indirect
            }
            _ => None,
        }
    }
}

/// Location of a result. Stores have no destination: their address is source 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Destination {
    /// The instruction has no result.
    None,
    /// `o[0x7f]`: the result is discarded (condition codes are still written).
    Discard,
    /// A register or half of one; the other half is unchanged.
    Register {
        /// The register's number, 0..127.
        index: u8,
        /// The part of the register.
        part: RegisterPart,
    },
    /// An address register, 0..7.
    Address(u8),
    /// A condition-code register, 0..3.
    ConditionCode(u8),
}
