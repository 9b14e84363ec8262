//! Errors when waves are written or shown.

use crate::outside::{IoError, ToolError};
use hdlkit::waves::WaveError;
use thiserror::Error;

/// Waves cannot be written or shown.
#[derive(Debug, Error)]
pub enum WavesError {
    /// Waves cannot be written or shown as requested.
    #[error("waves: {0}")]
    Asked(String),
    /// The requested window contains no cycle of any kernel: wrong usage.
    #[error("waves: {0}")]
    Window(String),
    /// The circuits could not be built, or cannot be shown: a defect in them.
    #[error("test bench: {0}")]
    Circuits(String),
    /// A tool is missing or failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] IoError),
}

impl From<WaveError> for WavesError {
    fn from(error: WaveError) -> Self {
        match error {
            WaveError::Io(error) => WavesError::Io(IoError::of("cannot write the waves")(error)),
            WaveError::UnknownScope(_) => WavesError::Asked(error.to_string()),
            WaveError::Window { .. } => WavesError::Window(error.to_string()),
            other => WavesError::Circuits(format!("waves: {other}")),
        }
    }
}
