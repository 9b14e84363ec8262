//! The events of an SM that the chip's counters count.

use hdlkit::prelude::*;

/// The use of an SM's cycle: an instruction issued, or the first applicable cause why none did. The order is the host
/// map's.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum IssueCause {
    /// An instruction issued.
    Issued,
    /// The previous instruction still occupies the read stage.
    ReadSlot,
    /// A gap is left for results from outside the pipeline, or the PCs' write port serves a launch or a jump.
    WritePort,
    /// The candidate waits for results.
    Scoreboard,
    /// The memory unit's queue is full.
    MemoryQueue,
    /// The special function units' queue is full.
    SpecialFunction,
    /// The operand collector injects an instruction, has no free entry, or holds the warps.
    Collector,
    /// Warps wait for the branch unit to resolve their next PC, or it is busy.
    Branch,
    /// Warps wait at barriers, or the barrier unit is busy.
    Barrier,
    /// The next instruction is still being fetched, chosen or decoded.
    Fetch,
    /// No warp is running, or issue has stopped.
    NoWarp,
}

/// The events on an SM in a cycle.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Counted {
    /// Threads that execute an instruction.
    pub executed: Bits<32>,
    /// The memory takes a request.
    pub transaction: Bit,
    /// A branch diverges.
    pub divergence: Bit,
    /// A warp starts to wait at a barrier.
    pub barrier_wait: Bit,
    /// Some warp waits at a barrier.
    pub at_barrier: Bit,
    /// An access takes an extra cycle because of a bank conflict.
    pub bank_conflict: Bit,
}
