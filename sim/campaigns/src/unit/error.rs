//! The error of faults in gates.

use flexgrip_engines::error::RunError;
use flexgrip_engines::outside::IoError;
use flexgrip_faults::gates::Unlike;
use hdlkit::gates::GatesError;
use thiserror::Error;

/// The reason why faults of gates cannot be simulated.
#[derive(Debug, Error)]
pub enum UnitError {
    /// The unit has no gates, or yosys failed.
    #[error(transparent)]
    Gates(#[from] GatesError),
    /// The kernel cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A thread cannot be started, or a file cannot be written.
    #[error(transparent)]
    Io(#[from] IoError),
    /// An error in a name or a file.
    #[error(transparent)]
    Faults(#[from] flexgrip_faults::Error),
    /// No instruction of the warp passed through the unit.
    #[error("warp {0} has no instruction in this unit; expected a warp that the kernel has")]
    NoWarp(u32),
    /// A setup without gates: an error of the caller.
    #[error("the machine has no block as gates")]
    NoGates,
    /// The machine code lacks a port or flip-flop of the gates: a defect of this program.
    #[error("the machine code has no {0}: a defect of this program")]
    Missing(String),
    /// The outputs of the gates differ from the circuits: a defect of this program.
    #[error("{0}: a defect of this program, or of yosys")]
    Unlike(#[from] Unlike),
}
