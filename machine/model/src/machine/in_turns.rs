//! Reasons why the blocks of a grid cannot run in parallel.

use flexgrip_machine::KernelError;
use std::fmt;

/// The reason why the blocks of a grid ran in turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InTurns {
    /// An instruction reads the clock, or its warp's location.
    Place {
        /// Byte address of the first such instruction.
        pc: u32,
    },
    /// A block reads a word that another writes, or two write different values.
    Shared {
        /// The byte address of the word in global memory.
        address: u32,
    },
    /// A block reads local memory that it has not written, with contents of other blocks.
    Local {
        /// The byte address in local memory.
        address: u32,
    },
    /// The kernel failed, or did not end.
    Stopped,
}

impl From<KernelError> for InTurns {
    fn from(_: KernelError) -> Self {
        InTurns::Stopped
    }
}

impl fmt::Display for InTurns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InTurns::Place { pc } => write!(
                f,
                "the instruction at {pc:#06x} reads the clock or the warp's physical ID"
            ),
            InTurns::Shared { address } => write!(
                f,
                "several blocks access the word at {address:#x} of global memory, and at least one writes it"
            ),
            InTurns::Local { address } => {
                write!(f, "a block reads byte {address:#x} of local memory before writing it")
            }
            InTurns::Stopped => f.write_str("the kernel failed or did not end"),
        }
    }
}
