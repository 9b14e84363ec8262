//! The part of a run that a waveform shows.

use super::scopes::{is_in, paths, UnknownScope};
use crate::circuit::Structure;
use std::io;

/// The part of a run that is written to the file.
#[derive(Clone, Debug)]
pub struct WaveOptions {
    /// Paths of blocks or signals, such as `top.lanes[3]` or `top.lanes` for a whole array, each with all its contents;
    /// an empty list means everything.
    pub scopes: Vec<String>,
    /// The first cycle.
    pub from: u64,
    /// The last cycle.
    pub to: u64,
}

impl Default for WaveOptions {
    /// The whole run.
    fn default() -> Self {
        WaveOptions {
            scopes: vec![],
            from: 0,
            to: u64::MAX,
        }
    }
}

impl WaveOptions {
    /// Checks that the scopes in the options exist.
    ///
    /// # Errors
    /// [`WaveError::Window`] if the first cycle is after the last, [`WaveError::UnknownScope`] if `block`, called
    /// `top`, has no such scope.
    pub fn check(&self, block: &dyn Structure) -> Result<(), WaveError> {
        if self.from > self.to {
            return Err(WaveError::Window {
                from: self.from,
                to: self.to,
            });
        }
        let paths = paths(block);
        for scope in &self.scopes {
            if !paths.iter().any(|path| is_in(path, scope)) {
                return Err(WaveError::UnknownScope(UnknownScope::new(scope, &paths)));
            }
        }
        Ok(())
    }
}

/// The reason why a waveform was not written.
#[derive(Debug, thiserror::Error)]
pub enum WaveError {
    /// A scope does not exist.
    #[error(transparent)]
    UnknownScope(UnknownScope),
    /// The window is empty.
    #[error("the window begins in cycle {from}, after its last cycle, {to}")]
    Window {
        /// The first cycle.
        from: u64,
        /// The last cycle.
        to: u64,
    },
    /// A cycle not after the previous one.
    #[error("cycle {now} after cycle {before}: cycles must ascend")]
    Order {
        /// The previous cycle.
        before: u64,
        /// The cycle that was passed.
        now: u64,
    },
    /// The block is another circuit.
    #[error("the block is not the one that the waveform was opened with")]
    OtherBlock,
    /// The file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}
