//! The threads that have arrived at the barriers of a block.

use flexgrip_machine::Fence;

/// A warp's arrival at a barrier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) warp: u32,
    pub(super) lanes: u32,
    pub(super) pc: u32,
    pub(super) fence: Fence,
}

/// A BAR before its execution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    pub(super) barrier: u8,
    pub(super) for_all: bool,
    pub(super) arrive: bool,
    pub(super) wait: bool,
    pub(super) lanes: u32,
    pub(super) pc: u32,
    pub(super) fence: Fence,
}

/// The arrivals at a block's barriers since they last opened.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathering {
    pub(super) arrivals: Vec<(u8, Arrival)>,
    pub(super) waiting: Vec<(u8, u32)>,
    /// Barriers with an arrival by a BAR for a number of threads: for these the set of expected threads is unknown.
    pub(super) counted: u16,
}
