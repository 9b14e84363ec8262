//! Stuck-at faults of the gates of a unit, with the unit's inputs as a kernel's run on the circuits has them.
//!
//! [`unit`] makes gates of a block of the machine. [`record`](record::record) runs a kernel and keeps the unit's ports, and
//! [`windows`](windows::windows) says when the instructions of a warp were in the unit. [`run`](campaign::run) simulates faults with that;
//! the simulation is in the crate `flexgrip-faults`. [`pins`] has the same faults in the whole machine, in which the unit's gates
//! take the place of its kernel.

pub mod campaign;
pub mod pins;
pub mod record;
pub mod windows;
mod words;

use crate::big_stack::on_big_stack;
use crate::engines::error::RunError;
use crate::outside::IoError;
use flexgrip_faults::gates::Unlike;
use flexgrip_hdl::tops::machine;
use flexgrip_machine::sizes::{Lanes, Sms};
use hdlkit::gates::{GatesError, Unit};
use std::path::Path;
use thiserror::Error;

/// Where the command line keeps yosys's results.
pub const FOLDER: &str = "build/gates";

/// Why faults of gates cannot be simulated.
#[derive(Debug, Error)]
pub enum UnitError {
    /// There are no gates.
    #[error(transparent)]
    Gates(#[from] GatesError),
    /// The kernel cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A thread cannot be started, or a file not be written.
    #[error(transparent)]
    Io(#[from] IoError),
    /// A name or a file.
    #[error(transparent)]
    Faults(#[from] flexgrip_faults::Error),
    /// No instruction of the warp was in the unit.
    #[error("warp {0} has no instruction in this unit; expected a warp that the kernel has")]
    NoWarp(u32),
    /// A setup without gates: a mistake of the caller.
    #[error("the machine has no block as gates")]
    NoGates,
    /// A port or flip-flop of the gates that the machine code does not have: a defect of this program.
    #[error("the machine code has no {0}: a defect of this program")]
    Missing(String),
    /// The gates do not do what the circuits do: a defect of this program.
    #[error("{0}: a defect of this program, or of yosys")]
    Unlike(#[from] Unlike),
}

/// The gates of a block of the machine, by its path, such as `sm[0].scheduler.decode`. yosys's results are kept in `folder`.
///
/// # Errors
/// There is no such block, it is a memory, or yosys cannot be run.
pub fn unit(path: &str, lanes: Lanes, sms: Sms, folder: &Path) -> Result<Unit, UnitError> {
    on_big_stack(
        |panic| UnitError::Run(RunError::Bench(panic)),
        || Ok(Unit::of(&*machine(lanes, sms), path, folder)?),
    )
}
