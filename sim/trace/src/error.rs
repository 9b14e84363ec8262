//! Errors in a trace.

use thiserror::Error;

/// The events contradict each other or break the trace's rules: a defect of the circuits or of their trace.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("cycle {cycle}: {message}")]
pub struct TraceError {
    /// The clock cycle of the event.
    pub cycle: u64,
    /// The rule that is broken.
    pub message: String,
}
