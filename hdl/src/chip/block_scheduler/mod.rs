//! The block scheduler: assigns the blocks of a grid to the SMs in linear order, and signals the end of the grid.
//!
//! An SM is divided statically: block slot `s` owns the warps from `s*W` (W warps per block), the register-file rows
//! from `s*W*registers` and the 64-byte rows of shared memory from `s*shared_rows`. A slot gets its next block as soon
//! as all warps of its previous one have ended. Among the SMs with a free slot, the one with the fewest blocks is
//! served first, on a tie the lowest; on that SM, the lowest free slot.
//!
//! ```text
//! cycle     0      1       2     3 ..        +shared_rows  +4+parameters  +W*beats
//! grid      start
//! dispatch                 pick  clear rows  header words  R0 of warp 0, warp 1, ..  pick the next block
//!                                            parameters           └ launch └ launch
//! walk             warp 0, warp 1, .. : their slots and rows, into tables (once per grid)
//! tids             thread 0, 1, .. LANES-1, step (once per grid)
//! ```
//! A launched warp runs while later warps and blocks are still being set up. Blocks are set up one after the other,
//! whichever SM they are for.
//!
//! There is no multiplier: bases are accumulated, and a lane's next thread index is its last one plus the index of
//! thread LANES (the step), in the mixed radix of the block's shape.
//!
//! After an SM error or `abort` no more blocks are assigned, and the grid ends once all SMs are idle. A launch with a
//! size of 0 has no threads and ends at once. The host must ensure that the slots fit into an SM.

mod block_slots;
mod dispatch;
mod grid;
mod thread_index;

pub use block_slots::BlockSlots;
pub use thread_index::{thread_index_sum, ThreadIndex, ThreadIndexLane, ThreadIndices};

use crate::bundles::*;
use crate::memory::shared::SharedInit;
use crate::streaming_multiprocessor::block_port::BlockMasterPort;
use hdlkit::prelude::*;

/// The grid, on the host interface's side. `launch` and `shape` are stable while it runs.
#[interface(mirror = GridSlavePort)]
pub struct GridMasterPort {
    pub start: Signal<Out, Bit>,
    /// The grid is stopped: by the host's abort, while the host interface is `restarting`, or after an error of the
    /// external memory.
    pub abort: Signal<Out, Bit>,
    pub launch: Signal<Out, LaunchConfiguration>,
    pub shape: Signal<Out, GridConfiguration>,
    /// Index of the parameter to write to shared memory in the next cycle, in which its word is valid.
    pub parameter_index: Signal<In, Bits<6>>,
    pub parameter_word: Signal<Out, Bits<32>>,
    /// High from the cycle after `start` through the cycle of `done`.
    pub running: Signal<In, Bit>,
    /// High for one cycle: all blocks have ended (or the grid was stopped) and the SMs are idle.
    pub done: Signal<In, Bit>,
}

/// A hardware warp's block slot and registers while a grid runs.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WarpPlace {
    /// The block slot that owns the warp.
    pub slot: Bits<3>,
    /// The warp's first row in the register file.
    pub row: Bits<9>,
}

/// A block slot's warps and shared memory while a grid runs.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SlotPlace {
    /// The slot's first warp.
    pub warp: Bits<5>,
    /// The slot's first row of 64 bytes in shared memory.
    pub shared_row: Bits<8>,
}

/// The walk over an SM's warps: the next warp, which is number `index` of the block in `slot`, and its rows.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WarpWalk {
    pub warp: Bits<6>,
    pub index: Bits<6>,
    pub slot: Bits<4>,
    pub row: Bits<9>,
    pub shared_row: Bits<8>,
}

/// A block's position in the grid, and its linear number.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BlockPosition {
    pub x: Bits<16>,
    pub y: Bits<16>,
    pub number: Bits<32>,
}

/// The block that is being set up.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BlockSetup {
    /// The block's SM, one-hot.
    pub target: Bits<8>,
    pub position: BlockPosition,
    pub shared_row: Bits<8>,
    /// The next row to clear; the number of rows left.
    pub row: Bits<8>,
    pub rows_left: Bits<9>,
    /// The next word of header and parameters.
    pub word: Bits<7>,
}

/// The warp that is being set up.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WarpSetup {
    pub warp: Bits<5>,
    pub index: Bits<6>,
    /// Number of threads of the block from this warp onward.
    pub threads_left: Bits<11>,
    pub beat: Bits<2>,
}

/// State of the dispatch.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum DispatchState {
    /// No grid runs.
    Idle,
    /// Look for a free slot, or for the grid's end.
    Pick,
    /// Clear the block's shared memory, a row a cycle.
    Clear,
    /// Write header and parameters, a word a cycle.
    Words,
    /// Write R0 of each warp, a beat a cycle, and launch it.
    Warps,
    /// After an error or an abort: wait for the SMs.
    Stop,
}

/// The block scheduler for SMS SMs (1 to 8) of LANES lanes. See the module for the sequence.
#[circuit]
pub struct BlockScheduler<const LANES: usize, const SMS: usize> {
    pub clock: Signal<In, Clock>,
    pub grid: GridSlavePort,
    /// High in the cycle of a grid's start: all SMs discard their warps and errors.
    pub sm_clear: Signal<Out, Bit>,
    pub sm: [BlockMasterPort<LANES>; SMS],
    /// The external memory has requests that are not done yet: the end of the grid waits.
    pub memory_busy: Signal<In, Bit>,

    // Computed once per grid: the indices of the first LANES threads, the step to the next LANES threads, and the
    // tables of warps and slots.
    lanes: [ThreadIndexLane; LANES],
    tids: DFF<ThreadIndices>,
    walk: DFF<WarpWalk>,
    warp_places: LutRam<5, WarpPlace>,
    slot_places: LutRam<3, SlotPlace>,
    // The blocks are dispatched one after another, and the warps of a block in order.
    slots: [BlockSlots; SMS],
    state: DFF<DispatchState>,
    next_block: DFF<BlockPosition>,
    /// All blocks have been assigned.
    exhausted: DFF<Bit>,
    block: DFF<BlockSetup>,
    warp: DFF<WarpSetup>,
    /// The SM to which a beat of R0 is offered, one-hot. Registered because writeback depends on it.
    offer: DFF<Bits<8>>,
    /// A warp waits for its launch; its SM, one-hot: the next block's setup may already have begun on another SM.
    launching: DFF<Bit>,
    launch_target: DFF<Bits<8>>,
    launch: DFF<WarpLaunch>,
}

impl<const LANES: usize, const SMS: usize> Logic for BlockScheduler<LANES, SMS> {
    #[hdl_gen]
    fn update(&mut self) {
        let warps = (self.grid.shape.val().block_threads + 31).bits::<6>(5);

        // Work that is done once per grid.
        let tids_ready = self.count_thread_indices();
        let walking = self.walk_warps(warps);

        // Work that is done for each block.
        let sms = self.observe_sms();
        let takes = self.dispatch(warps, tids_ready, sms);
        self.start_and_end_grid(sms);

        self.connect_sms();
        self.connect_slots(warps, walking, mask(takes, sms.chosen));
    }
}

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// Drives the inputs of the SMs, which differ only in their valid signals.
    #[hdl_part]
    fn connect_sms(&mut self) {
        let init = self.shared_init();
        let warp = self.warp.q.val();
        let place = self.warp_places.read(warp.warp);
        for s in 0..SMS {
            self.sm[s].launch_valid.next = self.launching.q.val() && self.launch_target.q.val().get_bit(s);
            self.sm[s].launch.next = self.launch.q.val();
            self.sm[s].init_valid.next = self.offer.q.val().get_bit(s);
            self.sm[s].init_row.next = place.row;
            self.sm[s].init_beat.next = warp.beat;
            for i in 0..LANES {
                self.sm[s].init_data[i].next = self.lanes[i].r0.val();
            }
            let here = self.block.q.val().target.get_bit(s);
            self.sm[s].shared_init.next = SharedInit { valid: init.valid && here, ..init };
        }
    }

    /// Drives the block slots. The SMs in `takes` get a block. Slots past the number of blocks per SM do not exist.
    #[hdl_part]
    fn connect_slots(&mut self, warps: Bits<6>, walking: Bit, takes: Bits<8>) {
        let missing = bits::<8>(0xff) << self.grid.shape.val().blocks_per_sm;
        for s in 0..SMS {
            self.slots[s].clear.next = self.sm_clear.val();
            self.slots[s].missing.next = missing;
            self.slots[s].place_enable.next = walking;
            self.slots[s].place_warp.next = self.walk.q.val().warp.low::<5>();
            self.slots[s].place_slot.next = self.walk.q.val().slot.low::<3>();
            self.slots[s].take.next = takes.get_bit(s);
            self.slots[s].warps.next = warps;
            self.slots[s].ended.next = self.sm[s].ended.val();
        }
    }
}
