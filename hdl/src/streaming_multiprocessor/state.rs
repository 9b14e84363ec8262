//! State of an SM: its errors, and results and stores that outlive their warp.

use crate::bundles::*;
use hdlkit::prelude::*;

/// The errors of a grid so far.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ErrorState {
    /// The first error, except errors of global memory.
    pub stopped_by: KernelError,
    /// The error to report, determined once no instruction is in flight.
    pub counts: KernelError,
    /// The host has aborted the grid.
    pub aborted: Bit,
}

/// Results of instructions with an exit marker that may be in flight.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LateResults {
    /// A load or a special function may be in flight.
    pub queued: Bit,
    /// Remaining cycles in which a result may be in the pipeline.
    pub cycles: Bits<4>,
    /// Either of the two, one cycle late, because the paths of its readers are long.
    pub any: Bit,
}

/// A warp that may end while stores of the collector are in flight; it counts as ended when they are done.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LateStore {
    pub valid: Bit,
    pub warp: Bits<5>,
    /// Number of stores before the end of the warp that are in flight. Stores are done in the order of their issue.
    pub left: Bits<3>,
    /// The branch unit has resolved the end of the warp.
    pub ended: Bit,
}
