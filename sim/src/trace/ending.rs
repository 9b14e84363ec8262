//! How a run ends.

use flexgrip_machine::KernelError;
use std::time::Duration;
use thiserror::Error;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All blocks have ended.
    Complete,
    /// The observer ended the run. Counters are as of somewhere near there, and global memory may be left out.
    Stopped,
    /// The kernel went wrong, or did not end within its limit of cycles (`ErrorKind::Endless`).
    Failed(KernelError),
    /// The kernel did not end in the time that it had on a board. Counters are as of then, and global memory is left out.
    OutOfTime(OutOfTime),
}

/// A grid did not end in its time, and was stopped.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the grid did not end within {} s; stopped after {cycles} cycles", .time.as_secs_f64())]
pub struct OutOfTime {
    /// How long it was waited for.
    pub time: Duration,
    /// The chip's count.
    pub cycles: u64,
}
