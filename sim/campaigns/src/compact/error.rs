//! The error of a compaction.

use crate::unit::error::UnitError;
use flexgrip_engines::error::RunError;
use flexgrip_engines::files::error::FileError;
use flexgrip_engines::outside::IoError;
use thiserror::Error;

/// The reason why a kernel cannot be compacted.
#[derive(Debug, Error)]
pub enum CompactError {
    /// An error in a file of the kernel.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file that cannot be written.
    #[error(transparent)]
    Io(#[from] IoError),
    /// Faults cannot be simulated.
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// The kernel cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Results cannot be written.
    #[error(transparent)]
    Results(#[from] flexgrip_faults::Error),
    /// A branch with a numeric target.
    #[error(
        "{path}:{line}: `{text}` branches to an address, which changes when instructions are deleted; expected a label"
    )]
    Target {
        /// The launch file.
        path: String,
        /// The line of the program.
        line: usize,
        /// The instruction.
        text: String,
    },
    /// The folder has other contents.
    #[error("{folder}: {wrong}; expected a new folder, or the folder of the same compaction, which is then continued")]
    Folder {
        /// The path of the folder.
        folder: String,
        /// A description of the contents.
        wrong: &'static str,
    },
    /// Model and circuits leave different memory.
    #[error(
        "the circuits and the model leave different contents in memory: flexgrip lockstep shows the first difference"
    )]
    Unlike,
}
