//! Blocks as gates, in place of their kernels, with faults that can be switched on.

use hdlkit::gates::{StuckPin, Unit};

/// A block as gates, in place of its kernel and of all that is in it but its memories.
///
/// Each of its faults is a bit of a register of its own, which is 0, and is 0 again after every clock edge: the fault is there
/// in the cycles in which the bit is 1. A bit that is stuck at 1 is a fault for the whole run, one that flips a pulse of a
/// cycle. [`Code::gate_fault`](crate::Code::gate_fault) tells which bit it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gates {
    /// The block.
    pub unit: Unit,
    /// The faults that can be switched on.
    pub faults: Vec<StuckPin>,
}

impl Gates {
    /// The block's path in the circuit that is compiled: `top.sm[0].fetch`.
    pub fn path(&self) -> String {
        format!("top.{}", self.unit.path)
    }
}
