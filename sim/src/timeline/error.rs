//! Why a timeline cannot be written.

use crate::outside::IoError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// A timeline cannot be written.
#[derive(Debug, Error)]
pub enum TimelineError {
    /// The file's name has no ending of a format.
    #[error("{}: unknown format of timelines; expected .json, .perfetto or .kanata", .0.display())]
    Format(PathBuf),
    /// The file cannot be created.
    #[error(transparent)]
    Create(#[from] IoError),
    /// The file cannot be continued, for example because the disk is full.
    #[error("cannot write the timeline {}: {error}; {}", path.display(), if *removed { "what there was of it is removed" } else { "it is incomplete" })]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
        /// Whether the incomplete file could be removed.
        removed: bool,
    },
}
