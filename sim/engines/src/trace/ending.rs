//! The ending of a run.

use flexgrip_machine::KernelError;
use std::time::Duration;
use thiserror::Error;

/// The ending of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All blocks have ended.
    Complete,
    /// The observer ended the run. Counters are from about that moment, and global memory may be missing.
    Stopped,
    /// The kernel failed, or exceeded its cycle limit (`ErrorKind::Endless`).
    Failed(KernelError),
    /// The kernel exceeded its time limit on a board. Counters are from that moment, and global memory is missing.
    OutOfTime(OutOfTime),
}

/// A grid exceeded its time limit and was stopped.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the grid did not end within {} s; stopped after {cycles} cycles", .time.as_secs_f64())]
pub struct OutOfTime {
    /// The time limit.
    pub time: Duration,
    /// Clock cycles, as counted by the chip.
    pub cycles: u64,
}
