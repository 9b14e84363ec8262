//! A clocked machine as the test bench sees it: the host bus, the port of global memory, trace events, clock edges.

use crate::error::RunError;
use flexgrip_machine::trace::Event;

/// The host's outputs to the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostDrive {
    /// Cycle and strobe, which this host always drives together.
    pub strobe: bool,
    /// True for a write, false for a read.
    pub write: bool,
    /// Byte address.
    pub address: u32,
    /// The word to write.
    pub data: u32,
}

/// The host's inputs from the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostSample {
    /// True when the transfer is done.
    pub acknowledge: bool,
    /// True when the transfer is refused.
    pub error: bool,
    /// The word read.
    pub data: u32,
    /// True when the grid has ended.
    pub interrupt: bool,
}

/// A request to global memory, as sampled in one cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryRequest {
    /// True for a write, false for a read.
    pub write: bool,
    /// Byte address, a multiple of LANES * 4.
    pub address: u32,
    /// Words to write.
    pub data: [u32; 32],
    /// Byte enables of each word to write; for reads, nonzero if the word is wanted.
    pub enable: [u8; 32],
}

/// A clocked machine as the test bench sees it.
pub trait Core {
    /// Number of scalar processors: words per transfer at the memory port.
    fn lanes(&self) -> u32;
    /// Number of SMs.
    fn sms(&self) -> u32;
    /// Sets the inputs of this cycle. `response`: memory's answer, if there is one.
    fn drive(&mut self, host: &HostDrive, response: Option<&[u32; 32]>);
    /// Settles combinational logic.
    fn settle(&mut self);
    /// The outputs to the host.
    fn host(&self) -> HostSample;
    /// The memory port's request.
    fn request(&self) -> Option<MemoryRequest>;
    /// The trace events of this cycle with their SM, SM by SM, each SM's in the order of the variants of [`Event`];
    /// only launches and issues unless `all`.
    fn events(&self, all: bool, sink: &mut dyn FnMut(u32, &Event));
    /// Performs the clock edge, after all signals have settled. `cycle`: the trace cycle that ends, if the grid has
    /// started.
    ///
    /// # Errors
    /// Waves could not be written.
    fn tick(&mut self, cycle: Option<u64>) -> Result<(), RunError>;
    /// Skips up to `most` cycles in which only counters change, with the inputs of the last cycle; returns their
    /// number. To be called after each of several edges in cycles without a request, a trace event or an interrupt.
    fn skip_idle(&mut self, _most: u64) -> u64 {
        0
    }
    /// The state of the circuits, for a snapshot; `None` if the core has none.
    fn save(&self) -> Option<Vec<u64>> {
        None
    }
}
