//! How a run ends.

use flexgrip_model::KernelError;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All blocks have ended.
    Complete,
    /// The observer ended the run. Counters are as of somewhere near there, and global memory may be left out.
    Stopped,
    /// The kernel went wrong, or did not end within its limit of cycles (`ErrorKind::Endless`).
    Failed(KernelError),
}
