//! Blocks as gates in place of their kernels, with faults that can be switched on.

use hdlkit::gates::{StuckPin, Unit};

/// A block as gates, in place of its kernel and its contents, except memories.
///
/// Each of its faults is a bit of a register of its own, which is 0, and is 0 again after every clock edge: the fault
/// is active in the cycles in which the bit is 1. A bit that is stuck at 1 is a fault for the whole run, a bit flip a
/// pulse of one cycle. [`Code::gate_fault`](crate::Code::gate_fault) returns the bit.
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
