//! A line to a board, over any medium.

use crate::board::error::BoardError;
use std::time::Instant;

/// A line to a board: bytes in both directions.
pub trait Line {
    /// Sends bytes.
    ///
    /// # Errors
    /// The line has failed.
    fn send(&mut self, bytes: &[u8]) -> Result<(), BoardError>;
    /// The next byte, if one arrives before `deadline`.
    ///
    /// # Errors
    /// The line has failed.
    fn receive(&mut self, deadline: Instant) -> Result<Option<u8>, BoardError>;
}

impl Line for Box<dyn Line> {
    fn send(&mut self, bytes: &[u8]) -> Result<(), BoardError> {
        (**self).send(bytes)
    }

    fn receive(&mut self, deadline: Instant) -> Result<Option<u8>, BoardError> {
        (**self).receive(deadline)
    }
}
