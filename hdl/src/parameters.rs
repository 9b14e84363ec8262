//! The parameters of circuits: what an SM is built with, and what distinguishes one machine from another.

use crate::memory::MemorySizes;
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::Capability;
use hdlkit::Blank;
use thiserror::Error;

/// What an SM is built with, besides its lanes.
///
/// The capability is constant in a circuit: the parts and conditions of instructions that it lacks are left out of the
/// Verilog and of the machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmParameters {
    /// The sizes of the memories.
    pub memories: MemorySizes,
    /// The instructions that the SM has, at most [`LATEST`].
    pub capability: Capability,
}

impl Default for SmParameters {
    /// The largest memories; capability 1.0.
    fn default() -> Self {
        SmParameters { memories: MemorySizes::MOST, capability: Capability::V1_0 }
    }
}

/// A part that a circuit has or lacks, by its capability.
pub(crate) fn optional<T: Blank>(exists: bool) -> Vec<T> {
    exists.then(T::blank).into_iter().collect()
}

/// The latest compute capability that the circuits have.
pub const LATEST: Capability = Capability::V1_2;

/// The circuits do not have a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the circuits have compute capability 1.0 to {LATEST}, not {0}; the golden model (--engine model) has all")]
pub struct NoCircuits(pub Capability);

/// Checks that the circuits have a capability.
///
/// # Errors
/// They do not.
pub fn has_circuits(capability: Capability) -> Result<(), NoCircuits> {
    if capability > LATEST {
        return Err(NoCircuits(capability));
    }
    Ok(())
}

/// The parameters of a whole machine that change its circuits; its memories have the sizes of the host's map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MachineParameters {
    /// Scalar processors of an SM.
    pub lanes: Lanes,
    /// Number of SMs.
    pub sms: Sms,
    /// The instructions that the machine has, at most [`LATEST`].
    pub capability: Capability,
}

impl MachineParameters {
    /// A machine of capability 1.0.
    pub const fn new(lanes: Lanes, sms: Sms) -> Self {
        MachineParameters { lanes, sms, capability: Capability::V1_0 }
    }
}
