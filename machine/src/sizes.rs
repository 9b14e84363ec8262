//! Sizes of a machine and its parts.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Threads of a warp.
pub const WARP_THREADS: u32 = 32;
/// Maximum number of threads of a block.
pub const MAX_BLOCK_THREADS: u32 = 1024;
/// Maximum number of registers of a thread.
pub const MAX_REGISTERS: u32 = 128;
/// Maximum number of parameter words of a launch, in shared memory.
pub const MAX_PARAMETERS: usize = 64;
/// The constant bank in which the compiler's kernels have further parameter words, from byte 0.
pub const PARAMETER_BANK: u8 = 2;
/// Maximum number of 32-bit words of a program.
pub const MAX_PROGRAM_WORDS: usize = 64 * 1024;
/// Largest grid dimension.
pub const MAX_GRID: u32 = 65_535;
/// Maximum local memory of a thread in bytes.
pub const MAX_LOCAL_BYTES: u32 = 65_536;
/// Shared memory is allocated to blocks in multiples of this many bytes.
pub const SHARED_GRANULE: u32 = 64;

/// Warps that an SM holds at a time, as on FlexGripPlus and on chips of compute capability 1.2 and 1.3; earlier ones
/// have 24. This core has the same sizes at every capability.
pub const WARPS_PER_SM: u32 = 32;
/// 32-bit registers of an SM, as on FlexGripPlus and on chips of compute capability 1.2 and 1.3; earlier ones have
/// 8,192.
pub const REGISTERS_PER_SM: u32 = 16_384;
/// Blocks that an SM holds at a time.
pub const BLOCKS_PER_SM: u32 = 8;
/// Shared memory of an SM in bytes.
pub const SHARED_BYTES_PER_SM: u32 = 16_384;
/// Default size of the global memory in bytes.
pub const GLOBAL_BYTES: u32 = 1 << 20;
/// Number of constant banks.
pub const CONSTANT_BANKS: usize = 16;
/// Size of one constant bank in bytes.
pub const CONSTANT_BANK_BYTES: u32 = 4096;
/// Shared byte address of the first kernel parameter, after the header.
pub const PARAMETERS_AT: u32 = 16;

/// Entries of a warp's divergence stack.
pub const STACK_ENTRIES: usize = 32;
/// Barriers of a block.
pub const BARRIERS: usize = 16;

/// The error for a size that no machine has.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("unsupported number of {what}: {value}; expected {possible}")]
pub struct SizeError {
    what: &'static str,
    value: String,
    possible: String,
}

/// Defines a type for a size with a few possible values, including its parser and the list of values. Later checks are
/// unnecessary.
macro_rules! counts {
    ($(#[$about:meta])* $type:ident $what:literal { $($(#[$doc:meta])* $name:ident $value:literal)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type {
            $($(#[$doc])* $name = $value,)*
        }

        impl $type {
            /// All sizes, smallest first.
            pub const ALL: &'static [$type] = &[$($type::$name),*];
            /// The sizes as numbers.
            pub const COUNTS: [u32; Self::ALL.len()] = [$($value),*];
            /// The sizes as texts, as on command lines.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($value)),*];

            /// Refuses a number that no machine has; `const { Lanes::assert(LANES) }` in a circuit's constructor makes
            /// it a compile-time error.
            ///
            /// # Panics
            /// If no machine has this number.
            pub const fn assert(count: usize) {
                assert!(
                    matches!(count, $($value)|*),
                    concat!("unsupported number of ", $what)
                );
            }

            /// The size as a number.
            pub const fn count(self) -> u32 {
                self as u32
            }

            /// The possible numbers in words, as `8, 16 or 32`.
            pub fn possible() -> String {
                match Self::NAMES.split_last() {
                    Some((last, [])) => last.to_string(),
                    Some((last, first)) => format!("{} or {last}", first.join(", ")),
                    None => String::new(),
                }
            }

            fn refuse(value: impl fmt::Display) -> SizeError {
                SizeError {
                    what: $what,
                    value: value.to_string(),
                    possible: Self::possible(),
                }
            }
        }

        impl TryFrom<u32> for $type {
            type Error = SizeError;

            fn try_from(value: u32) -> Result<Self, SizeError> {
                match value {
                    $($value => Ok($type::$name),)*
                    _ => Err(Self::refuse(value)),
                }
            }
        }

        impl FromStr for $type {
            type Err = SizeError;

            fn from_str(text: &str) -> Result<Self, SizeError> {
                match text {
                    $(stringify!($value) => Ok($type::$name),)*
                    _ => Err(Self::refuse(format_args!("`{text}`"))),
                }
            }
        }

        impl From<$type> for u32 {
            fn from(size: $type) -> u32 {
                size.count()
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.count().fmt(f)
            }
        }
    };
}

counts! {
    /// Scalar processors of a streaming multiprocessor.
    Lanes "lanes" {
        /// 8, as on the G80: a warp instruction takes four beats.
        #[default]
        Eight 8
        /// 16: two beats.
        Sixteen 16
        /// 32: one beat.
        ThirtyTwo 32
    }
}

impl Lanes {
    /// Cycles that a warp instruction takes in the lanes: each beat executes LANES threads.
    pub const fn beats(self) -> u32 {
        WARP_THREADS / self.count()
    }
}

counts! {
    /// Streaming multiprocessors of a chip that circuits exist for.
    Sms "SMs" {
        /// 1.
        #[default]
        One 1
        /// 2.
        Two 2
        /// 4.
        Four 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_possible_sizes_are_accepted() {
        for &lanes in Lanes::ALL {
            assert_eq!(Lanes::try_from(lanes.count()), Ok(lanes));
            assert_eq!(lanes.to_string().parse(), Ok(lanes));
            assert_eq!(lanes.beats() * lanes.count(), WARP_THREADS);
        }
        assert_eq!(
            (Lanes::COUNTS, Lanes::NAMES),
            ([8, 16, 32], ["8", "16", "32"].as_slice())
        );
        assert_eq!((Lanes::default().count(), Sms::default().count()), (8, 1));
        let error = Lanes::try_from(12).unwrap_err().to_string();
        assert_eq!(error, "unsupported number of lanes: 12; expected 8, 16 or 32");
        let error = "eight".parse::<Sms>().unwrap_err().to_string();
        assert_eq!(error, "unsupported number of SMs: `eight`; expected 1, 2 or 4");
        assert!("08".parse::<Lanes>().is_err() && Sms::try_from(3).is_err());
    }
}
