//! The result of a fault's simulation, in the open or the closed loop.

use crate::verdict::Verdict;
use flexgrip_faults::gates::grade::{First, Status};

/// The result of a fault's simulation.
#[derive(Clone, Default)]
pub(super) struct Found {
    pub first: Option<First>,
    pub instructions: Option<Vec<u32>>,
    pub verdict: Option<Verdict>,
    /// The status that follows from the verdict.
    pub status: Option<Status>,
}
