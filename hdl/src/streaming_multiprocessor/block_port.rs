//! The port of an SM to the block scheduler.

use crate::bundles::*;
use crate::memory::shared::SharedInit;
use hdlkit::prelude::*;

/// The blocks of an SM, on the block scheduler's side.
#[interface(mirror = BlockSlavePort)]
pub struct BlockMasterPort<const LANES: usize> {
    /// A warp is launched; valid stays until ready.
    pub launch_valid: Signal<Out, Bit>,
    pub launch_ready: Signal<In, Bit>,
    pub launch: Signal<Out, WarpLaunch>,
    /// R0 of a beat's threads, before their warp launches; valid stays until ready.
    pub init_valid: Signal<Out, Bit>,
    pub init_ready: Signal<In, Bit>,
    /// The warp's first row, which holds R0.
    pub init_row: Signal<Out, Bits<9>>,
    pub init_beat: Signal<Out, Bits<2>>,
    /// Undefined for threads that do not exist.
    pub init_data: [Signal<Out, Bits<32>>; LANES],
    /// A write to shared memory, never refused.
    pub shared_init: Signal<Out, SharedInit>,
    /// A warp has ended, at most one per cycle.
    pub ended: Signal<In, WarpSelect>,
    /// No instruction and no memory access is in flight.
    pub idle: Signal<In, Bit>,
    /// A warp has failed; the SM has stopped issuing.
    pub error: Signal<In, Bit>,
}
