//! Blocks as gates in place of their kernels, with faults that can be switched on.

use hdlkit::gates::{StuckPin, Unit};

/// A block as gates, in place of its kernel and its contents, except memories.
///
/// Each fault is enabled by its own bit of an extra register. The register is cleared by every clock edge, so a fault
/// is active only in cycles in which its bit is set to 1. Forcing the bit to 1 makes the fault permanent; flipping it
/// makes a pulse of one cycle. [`Code::gate_fault`](crate::Code::gate_fault) returns the bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gates {
    /// The block.
    pub unit: Unit,
    /// The faults that can be switched on.
    pub faults: Vec<StuckPin>,
}

impl Gates {
    /// The block's path in the compiled circuit: `top.sm[0].fetch`.
    pub fn path(&self) -> String {
        format!("top.{}", self.unit.path)
    }
}
