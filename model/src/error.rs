//! How a kernel goes wrong.
//!
//! One error type for every engine, so that engines can be compared in this too. It holds what the machine's contract
//! asks for and nothing that depends on the order in which warps ran.

use std::fmt;

/// The cause of a [`KernelError`]. Codes 1 to 15 are those of the machine's contract (`docs/machine.md`, "Errors").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// 1: not an instruction, or one that this core does not execute.
    IllegalInstruction,
    /// 2: program counter out of the program, or misaligned.
    ProgramCounter,
    /// 3: push onto a full divergence stack.
    StackOverflow,
    /// 4: a break without its entry on the divergence stack.
    StackUnderflow,
    /// 5: global address not a multiple of the access size.
    GlobalMisaligned,
    /// 6: global access out of range.
    GlobalRange,
    /// 7: shared access out of range.
    SharedRange,
    /// 8: constant access out of range.
    ConstantRange,
    /// 9: all warps of a block wait at barriers, so that none can open.
    BarrierDeadlock,
    /// 10: a trap instruction.
    Trap,
    /// 11: a breakpoint.
    Breakpoint,
    /// 12: shared address not a multiple of the access size.
    SharedMisaligned,
    /// 13: constant address not a multiple of the access size.
    ConstantMisaligned,
    /// 14: local address not a multiple of the access size.
    LocalMisaligned,
    /// 15: local access out of range.
    LocalRange,
    /// No error of the machine: the kernel did not end within the limit that the caller gave.
    Endless {
        /// The limit, in the unit of the engine: warp instructions for the golden model, else cycles.
        limit: u64,
    },
    /// No error of the machine: the caller asked for a step of a warp that has ended, that waits at a barrier, or
    /// that does not exist.
    NoSuchWarp,
}

impl ErrorKind {
    /// The machine's error code, 1 to 15; `None` for what is no error of the machine.
    pub const fn code(self) -> Option<u8> {
        Some(match self {
            ErrorKind::IllegalInstruction => 1,
            ErrorKind::ProgramCounter => 2,
            ErrorKind::StackOverflow => 3,
            ErrorKind::StackUnderflow => 4,
            ErrorKind::GlobalMisaligned => 5,
            ErrorKind::GlobalRange => 6,
            ErrorKind::SharedRange => 7,
            ErrorKind::ConstantRange => 8,
            ErrorKind::BarrierDeadlock => 9,
            ErrorKind::Trap => 10,
            ErrorKind::Breakpoint => 11,
            ErrorKind::SharedMisaligned => 12,
            ErrorKind::ConstantMisaligned => 13,
            ErrorKind::LocalMisaligned => 14,
            ErrorKind::LocalRange => 15,
            ErrorKind::Endless { .. } | ErrorKind::NoSuchWarp => return None,
        })
    }

    /// The cause with this code of the machine.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            1 => ErrorKind::IllegalInstruction,
            2 => ErrorKind::ProgramCounter,
            3 => ErrorKind::StackOverflow,
            4 => ErrorKind::StackUnderflow,
            5 => ErrorKind::GlobalMisaligned,
            6 => ErrorKind::GlobalRange,
            7 => ErrorKind::SharedRange,
            8 => ErrorKind::ConstantRange,
            9 => ErrorKind::BarrierDeadlock,
            10 => ErrorKind::Trap,
            11 => ErrorKind::Breakpoint,
            12 => ErrorKind::SharedMisaligned,
            13 => ErrorKind::ConstantMisaligned,
            14 => ErrorKind::LocalMisaligned,
            15 => ErrorKind::LocalRange,
            _ => return None,
        })
    }

    /// Whether the report of this cause holds the address of the lowest lane at fault.
    pub const fn has_address(self) -> bool {
        matches!(
            self,
            ErrorKind::GlobalMisaligned
                | ErrorKind::GlobalRange
                | ErrorKind::SharedRange
                | ErrorKind::ConstantRange
                | ErrorKind::SharedMisaligned
                | ErrorKind::ConstantMisaligned
                | ErrorKind::LocalMisaligned
                | ErrorKind::LocalRange
        )
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ErrorKind::IllegalInstruction => "illegal instruction",
            ErrorKind::ProgramCounter => "program counter out of the program or misaligned",
            ErrorKind::StackOverflow => "divergence stack overflow",
            ErrorKind::StackUnderflow => "divergence stack underflow",
            ErrorKind::GlobalMisaligned => "misaligned global access",
            ErrorKind::GlobalRange => "global access out of range",
            ErrorKind::SharedRange => "shared access out of range",
            ErrorKind::ConstantRange => "constant access out of range",
            ErrorKind::BarrierDeadlock => "barrier deadlock",
            ErrorKind::Trap => "trap",
            ErrorKind::Breakpoint => "breakpoint",
            ErrorKind::SharedMisaligned => "misaligned shared access",
            ErrorKind::ConstantMisaligned => "misaligned constant access",
            ErrorKind::LocalMisaligned => "misaligned local access",
            ErrorKind::LocalRange => "local access out of range",
            ErrorKind::Endless { limit } => return write!(f, "no end within {limit} steps"),
            ErrorKind::NoSuchWarp => "no warp to step",
        })
    }
}

/// A kernel that was stopped: where and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelError {
    /// The cause.
    pub kind: ErrorKind,
    /// The SM that ran the warp.
    pub sm: u32,
    /// Linear index of the block, `ctaid.x + ctaid.y * nctaid.x`.
    pub block: u32,
    /// Index of the warp in its block.
    pub warp_in_block: u32,
    /// Byte address of the instruction, or the address at which none could be fetched.
    pub pc: u32,
    /// The instruction word, a short one in bits 31..0; 0 for [`ErrorKind::ProgramCounter`].
    pub word: u64,
    /// For the causes of [`ErrorKind::has_address`]: the byte address of the lowest lane at fault.
    pub address: Option<u32>,
}

impl std::error::Error for KernelError {}

/// Shows an instruction word as program listings do: the low half, then the high half of a long one.
pub(crate) struct Word(pub u64);

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (self.0 as u32, (self.0 >> 32) as u32);
        if low & 1 == 1 {
            write!(f, "{low:08x} {high:08x}")
        } else {
            write!(f, "{low:08x}")
        }
    }
}

impl fmt::Display for KernelError {
    /// One line: the cause, the address if there is one, the place, the word and its disassembly.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if let Some(address) = self.address {
            write!(f, " at address {address:#x}")?;
        }
        let KernelError {
            sm,
            block,
            warp_in_block,
            pc,
            word,
            ..
        } = self;
        write!(f, " at PC {pc:#06x} (SM {sm}, block {block}, warp {warp_in_block})")?;
        match self.kind {
            ErrorKind::ProgramCounter | ErrorKind::Endless { .. } | ErrorKind::NoSuchWarp => Ok(()),
            _ => write!(f, ": {} {}", Word(*word), crate::disassembly(*word)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_a_bijection() {
        for code in 0..=255 {
            if let Some(kind) = ErrorKind::from_code(code) {
                assert_eq!(kind.code(), Some(code));
            } else {
                assert!(!(1..=13).contains(&code));
            }
        }
    }

    #[test]
    fn the_report_is_one_line_with_place_and_cause() {
        let error = KernelError {
            kind: ErrorKind::GlobalRange,
            sm: 0,
            block: 3,
            warp_in_block: 1,
            pc: 0x18,
            word: 0x80c0_0780_d00e_0815,
            address: Some(0x10_0000),
        };
        let text = error.to_string();
        assert!(
            text.starts_with(
                "global access out of range at address 0x100000 at PC 0x0018 (SM 0, block 3, warp 1): \
                 d00e0815 80c00780 GLD"
            ),
            "{text}"
        );
        let error = KernelError {
            kind: ErrorKind::ProgramCounter,
            address: None,
            word: 0,
            pc: 0x120,
            ..error
        };
        assert_eq!(
            error.to_string(),
            "program counter out of the program or misaligned at PC 0x0120 (SM 0, block 3, warp 1)"
        );
    }
}
