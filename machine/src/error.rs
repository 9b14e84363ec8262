//! Kernel errors.
//!
//! One error type for every engine, so errors of engines can be compared. It contains only the facts that the machine's
//! contract requires, and nothing that depends on the order in which warps ran.

use flexgrip_isa::{decode_at, Capability, DecodeError};
use std::fmt;

/// The machine's errors, passed to the macro `$define`. A row: code, cause, its names as a field and as a constant,
/// whether its report has an address, and the cause in words.
#[macro_export]
macro_rules! error_table {
    ($define:ident) => {
        $define! {
            /// Not an instruction, or one that this core does not execute.
            1 IllegalInstruction illegal_instruction ILLEGAL_INSTRUCTION false "illegal instruction"
            /// Program counter outside the program, or misaligned.
            2 ProgramCounter program_counter PROGRAM_COUNTER false "program counter outside the program or misaligned"
            /// Push onto a full divergence stack.
            3 StackOverflow stack_overflow STACK_OVERFLOW false "divergence stack overflow"
            /// A break without its entry on the divergence stack.
            4 StackUnderflow stack_underflow STACK_UNDERFLOW false "divergence stack underflow"
            /// Global address not a multiple of the access size.
            5 GlobalMisaligned global_misaligned GLOBAL_MISALIGNED true "misaligned global access"
            /// Global access out of range.
            6 GlobalRange global_range GLOBAL_RANGE true "global access out of range"
            /// Shared access out of range.
            7 SharedRange shared_range SHARED_RANGE true "shared access out of range"
            /// Constant access out of range.
            8 ConstantRange constant_range CONSTANT_RANGE true "constant access out of range"
            /// All warps of a block wait at barriers, so no barrier can open.
            9 BarrierDeadlock barrier_deadlock BARRIER_DEADLOCK false "barrier deadlock"
            /// A trap instruction.
            10 Trap trap TRAP false "trap"
            /// A breakpoint.
            11 Breakpoint breakpoint BREAKPOINT false "breakpoint"
            /// Shared address not a multiple of the access size.
            12 SharedMisaligned shared_misaligned SHARED_MISALIGNED true "misaligned shared access"
            /// Constant address not a multiple of the access size.
            13 ConstantMisaligned constant_misaligned CONSTANT_MISALIGNED true "misaligned constant access"
            /// Local address not a multiple of the access size.
            14 LocalMisaligned local_misaligned LOCAL_MISALIGNED true "misaligned local access"
            /// Local access out of range.
            15 LocalRange local_range LOCAL_RANGE true "local access out of range"
            /// Flipped bits in a protected memory that its check bits do not correct.
            16 Uncorrectable uncorrectable UNCORRECTABLE false "uncorrectable error in a protected memory"
            /// Flipped bits in one of two warp schedulers, which then differ.
            17 SchedulersDiffer schedulers_differ SCHEDULERS_DIFFER false "the two warp schedulers differ"
        }
    };
}

macro_rules! define_errors {
    ($($(#[$doc:meta])* $code:literal $kind:ident $field:ident $name:ident $address:literal $text:literal)*) => {
        /// The cause of a [`KernelError`]. The codes are defined by the machine's contract (`docs/machine.md`,
        /// "Errors").
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorKind {
            $($(#[$doc])* $kind,)*
            /// Not an error of the machine: the kernel did not end within the caller's limit.
            Endless {
                /// The limit, in the unit of the engine: warp instructions for the golden model, else cycles.
                limit: u64,
            },
            /// Not an error of the machine: the run was stopped ([`crate::Watch::stop`]).
            Interrupted,
            /// Not an error of the machine: the caller requested a step of a warp that has ended, that waits at a
            /// barrier, or that does not exist.
            NoSuchWarp,
        }

        /// The machine's error codes, under their names in the C header and the SVD file.
        pub mod code {
            $($(#[$doc])* pub const $name: u8 = $code;)*
        }

        impl ErrorKind {
            /// The errors of the machine, in the order of their codes.
            pub const ALL: &'static [ErrorKind] = &[$(ErrorKind::$kind),*];

            /// The machine's error code; `None` for a kind that is not an error of the machine.
            pub const fn code(self) -> Option<u8> {
                match self {
                    $(ErrorKind::$kind => Some($code),)*
                    ErrorKind::Endless { .. } | ErrorKind::Interrupted | ErrorKind::NoSuchWarp => None,
                }
            }

            /// The name of the code as a constant; `None` for a kind that is not an error of the machine.
            pub const fn name(self) -> Option<&'static str> {
                match self {
                    $(ErrorKind::$kind => Some(stringify!($name)),)*
                    ErrorKind::Endless { .. } | ErrorKind::Interrupted | ErrorKind::NoSuchWarp => None,
                }
            }

            /// The cause with this error code.
            pub const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(ErrorKind::$kind),)*
                    _ => None,
                }
            }

            /// True if the report of this cause has the address of the lowest faulting lane.
            pub const fn has_address(self) -> bool {
                match self {
                    $(ErrorKind::$kind => $address,)*
                    ErrorKind::Endless { .. } | ErrorKind::Interrupted | ErrorKind::NoSuchWarp => false,
                }
            }
        }

        impl fmt::Display for ErrorKind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(ErrorKind::$kind => $text,)*
                    ErrorKind::Endless { limit } => return write!(f, "did not end within {limit} steps"),
                    ErrorKind::Interrupted => "interrupted",
                    ErrorKind::NoSuchWarp => "no warp to step",
                })
            }
        }
    };
}

error_table!(define_errors);

/// A stopped kernel: the location and the cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelError {
    /// The cause.
    pub kind: ErrorKind,
    /// The compute capability of the machine, which determines the instruction of the word.
    pub capability: Capability,
    /// The SM that ran the warp.
    pub sm: u32,
    /// Linear index of the block, `ctaid.x + ctaid.y * nctaid.x`.
    pub block: u32,
    /// Index of the warp in its block.
    pub warp_in_block: u32,
    /// Byte address of the instruction, or the address that could not be fetched.
    pub pc: u32,
    /// The instruction word, a short one in bits 31..0; 0 for [`ErrorKind::ProgramCounter`].
    pub word: u64,
    /// For the causes of [`ErrorKind::has_address`]: the byte address of the lowest faulting lane.
    pub address: Option<u32>,
}

impl std::error::Error for KernelError {}

/// Formats an instruction word as program listings do: low half, then the high half of a long one.
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
    /// One line: the cause, the address if there is one, the location, the word and its disassembly.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if let Some(address) = self.address {
            write!(f, " at address {address:#x}")?;
        }
        let KernelError {
            capability,
            sm,
            block,
            warp_in_block,
            pc,
            word,
            ..
        } = self;
        write!(f, " at PC {pc:#06x} (SM {sm}, block {block}, warp {warp_in_block})")?;
        match self.kind {
            ErrorKind::ProgramCounter | ErrorKind::Endless { .. } | ErrorKind::Interrupted | ErrorKind::NoSuchWarp => {
                Ok(())
            }
            kind => {
                let illegal = kind == ErrorKind::IllegalInstruction;
                write!(f, ": {} {}", Word(*word), disassembly(*word, *capability, illegal))
            }
        }
    }
}

/// The text of an instruction that could not be executed. If `illegal`, the machine does not have the instruction, and
/// the text includes the reason.
fn disassembly(word: u64, capability: Capability, illegal: bool) -> String {
    match decode_at(word, capability) {
        Ok(instruction) => instruction.to_string(),
        Err(error @ DecodeError::Later { since, .. }) => match decode_at(word, since) {
            Ok(instruction) if illegal && instruction.executed() => format!("{instruction} ({error})"),
            Ok(instruction) => instruction.to_string(),
            Err(error) => format!("({error})"),
        },
        Err(error) => format!("({error})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_a_bijection() {
        for (kind, code) in ErrorKind::ALL.iter().zip(1..) {
            assert_eq!(kind.code(), Some(code), "codes are consecutive");
            assert_eq!(ErrorKind::from_code(code), Some(*kind));
        }
        let codes = (0..=255).filter_map(ErrorKind::from_code);
        assert_eq!(codes.count(), ErrorKind::ALL.len());
        assert_eq!(code::LOCAL_RANGE, 15);
        assert_eq!(ErrorKind::LocalRange.name(), Some("LOCAL_RANGE"));
    }

    #[test]
    fn report_is_one_line_with_location_and_cause() {
        let error = KernelError {
            kind: ErrorKind::GlobalRange,
            capability: Capability::V1_0,
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
        let atomic = KernelError {
            word: 0xe0c0_0780_d701_0005,
            ..error
        };
        assert!(
            atomic.to_string().ends_with("GATOM.IADD.U32 R1, global14[R0], R1"),
            "{atomic}"
        );
        let illegal = KernelError {
            kind: ErrorKind::IllegalInstruction,
            ..atomic
        };
        assert!(
            illegal
                .to_string()
                .ends_with("compute capability 1.0: GATOM needs 1.1 (--capability 1.1))"),
            "{illegal}"
        );
        // A double in an odd register: at 1.0 the word is another instruction.
        let odd = KernelError {
            word: 0x4440_0780_a000_0405,
            capability: Capability::V1_3,
            ..illegal
        };
        assert!(odd.to_string().contains("I2F has no destination 0x1"), "{odd}");
        let shared = |capability| KernelError {
            kind: ErrorKind::SharedRange,
            capability,
            word: 0xc460_0780_a000_1009,
            ..error
        };
        let [float, double] = [Capability::V1_2, Capability::V1_3].map(|capability| shared(capability).to_string());
        assert!(float.contains(" F2F.F32.F16 R2, g["), "{float}");
        assert!(double.contains(" F2F.F64.F32 R2, g["), "{double}");
        let error = KernelError {
            kind: ErrorKind::ProgramCounter,
            address: None,
            word: 0,
            pc: 0x120,
            ..error
        };
        assert_eq!(
            error.to_string(),
            "program counter outside the program or misaligned at PC 0x0120 (SM 0, block 3, warp 1)"
        );
    }
}
