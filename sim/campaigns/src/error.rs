//! The error of a campaign.

use flexgrip_engines::error::RunError;
use flexgrip_faults::Error;
use thiserror::Error;

/// An error that ends a campaign.
#[derive(Debug, Error)]
pub enum CampaignError {
    /// An error in a file, a name or a number.
    #[error(transparent)]
    Campaign(#[from] Error),
    /// The kernel cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The campaign belongs to another kernel, or to other circuits.
    #[error("the campaign was planned with {what} {planned}; this program has {found}: plan it again")]
    Other {
        /// The property that differs.
        what: &'static str,
        /// The value in the plan.
        planned: String,
        /// The value found.
        found: String,
    },
    /// A fault in bits that do not exist.
    #[error("fault {id} is not in a bit of the circuits")]
    NoSuch {
        /// The number of the fault.
        id: u64,
    },
    /// A fault has a different verdict in another simulation: a defect of this program.
    #[error("fault {id}: found {found}, but {other} {place}: a defect of this program")]
    Unlike {
        /// The number of the fault.
        id: u64,
        /// The result of the pass.
        found: String,
        /// The result of the other simulation.
        other: String,
        /// The other simulation, such as `in Verilator`.
        place: &'static str,
    },
}
