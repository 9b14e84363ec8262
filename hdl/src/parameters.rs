//! The parameters of circuits: the sizes and the capability of an SM, and the sizes of a whole machine.

use crate::memory::MemorySizes;
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::{Capability, Protect};

/// The parameters of an SM, apart from its number of lanes.
///
/// The capability is a constant in a circuit. Parts and conditions that its instructions do not need are absent from
/// the Verilog and from the machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmParameters {
    /// The sizes of its memories.
    pub memories: MemorySizes,
    /// The compute capability of its instructions.
    pub capability: Capability,
    /// The check bits of the register file and of shared memory, and whether there is a second scheduler.
    pub protect: Protect,
}

impl Default for SmParameters {
    /// Returns the largest memories, capability 1.0 and no protection.
    fn default() -> Self {
        SmParameters { memories: MemorySizes::MOST, capability: Capability::V1_0, protect: Protect::None }
    }
}

/// The parameters of a whole machine that change its circuits. Its memories have the sizes of the host's map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MachineParameters {
    /// Scalar processors (lanes) of each SM.
    pub lanes: Lanes,
    /// Number of SMs.
    pub sms: Sms,
    /// The compute capability of its instructions.
    pub capability: Capability,
    /// The check bits of the register files and shared memories, and whether there are second schedulers.
    pub protect: Protect,
}

impl MachineParameters {
    /// Returns a machine of capability 1.0 without protection.
    pub const fn new(lanes: Lanes, sms: Sms) -> Self {
        MachineParameters { lanes, sms, capability: Capability::V1_0, protect: Protect::None }
    }

    /// Returns the parameters of its SMs, with the largest memories.
    pub const fn of_sms(self) -> SmParameters {
        SmParameters { memories: MemorySizes::MOST, capability: self.capability, protect: self.protect }
    }
}
