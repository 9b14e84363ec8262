//! Stuck-at faults of the gates of a unit, with inputs recorded while a kernel runs on the circuits.
//!
//! [`unit`] converts a block of the machine to gates. [`record`](record::record) runs a kernel and records the unit's
//! ports, and [`windows`](windows::windows) finds the cycles of a warp's instructions in the unit.
//! [`run`](campaign::run) simulates faults with both; the simulation itself is in the crate `flexgrip-faults`. [`pins`]
//! injects the same faults into the whole machine, in which the gates replace the unit's circuit.

pub mod campaign;
pub mod pins;
pub mod record;
pub mod windows;
mod words;

use crate::big_stack::on_big_stack;
use crate::engines::error::RunError;
use crate::outside::IoError;
use flexgrip_faults::gates::Unlike;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_hdl::tops::machine;
use hdlkit::gates::{GatesError, Unit};
use std::path::Path;
use thiserror::Error;

/// The folder in which the command line caches yosys's results.
pub const FOLDER: &str = "build/gates";

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

/// The gates of a block of the machine, by its path, such as `sm[0].scheduler.decode`. `folder` caches yosys's results.
///
/// # Errors
/// The block does not exist, it is a memory, or yosys cannot be run.
pub fn unit(path: &str, parameters: MachineParameters, folder: &Path) -> Result<Unit, UnitError> {
    on_big_stack(
        |panic| UnitError::Run(RunError::Bench(panic)),
        || Ok(Unit::of(&*machine(parameters), path, folder)?),
    )
}
