//! The threads that have arrived at the barriers of a block.

use flexgrip_machine::Fence;

/// A warp's arrival at a barrier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) warp: u32,
    pub(crate) lanes: u32,
    pub(crate) pc: u32,
    pub(crate) fence: Fence,
}

/// A BAR before its execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bar {
    pub(crate) barrier: u8,
    pub(crate) for_all: bool,
    pub(crate) arrive: bool,
    pub(crate) wait: bool,
    pub(crate) lanes: u32,
    pub(crate) pc: u32,
    pub(crate) fence: Fence,
}

/// The arrivals at a block's barriers since they last opened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gathering {
    pub(crate) arrivals: Vec<(u8, Arrival)>,
    pub(crate) waiting: Vec<(u8, u32)>,
    /// Barriers with an arrival by a BAR for a number of threads: for these the set of expected threads is unknown.
    pub(crate) counted: u16,
}
