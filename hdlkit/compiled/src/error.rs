//! The reasons why a circuit has no machine code.

use std::fmt;

/// The reason why a circuit was not compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// An error in the circuit.
    #[error("{place}: {reason}")]
    Circuit {
        /// The block or signal, such as `top.lanes[3].alu`.
        place: String,
        /// The reason, for the message.
        reason: String,
    },
    /// This processor is not supported.
    #[error("no machine code for this processor: {0}")]
    Processor(String),
}

impl CompileError {
    /// An error at `place`.
    pub(crate) fn new(place: impl fmt::Display, reason: impl Into<String>) -> Self {
        CompileError::Circuit {
            place: place.to_string(),
            reason: reason.into(),
        }
    }
}
