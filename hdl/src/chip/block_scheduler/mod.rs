//! The block scheduler: hands the blocks of a grid to the SMs in linear order, and signals the end of the grid.
//!
//! An SM is divided statically: block slot `s` owns the warps from `s*W` (W warps per block), the register-file rows
//! from `s*W*registers` and the 64-byte rows of shared memory from `s*shared_rows`. A slot gets its next block as soon
//! as all warps of its previous one have ended. Among the SMs with a free slot, the one with the fewest blocks is
//! served first, on a tie the lowest; on that SM, the lowest free slot.
//!
//! ```text
//! cycle     0      2     3 ..        +shared_rows  +4+parameters  +W*beats
//! launch_   start
//! dispatch         pick  clear rows  header words  R0 of warp 0, warp 1, ..  pick the next block
//!                                    parameters           └ launch └ launch
//! walk             warp 0, warp 1, .. : their slots and rows, into tables (once per grid)
//! tids             thread 0, 1, .. LANES-1, step (once per grid)
//! ```
//! A warp runs from its launch, while later warps and blocks are still being set up. Blocks are set up one after the
//! other, whichever SM they are for.
//!
//! There is no multiplier: bases are accumulated, and a lane's next thread index is its last one plus the index of
//! thread LANES (the step), in the mixed radix of the block's shape.
//!
//! After an SM error or `abort` no more blocks are handed out, and the grid ends once all SMs are idle. A launch with a
//! size of 0 has no threads and ends at once. The host must ensure that the slots fit into an SM.

mod block_slots;
mod dispatch;
mod grid;
mod shared_memory;
mod thread_index;

pub use block_slots::BlockSlots;
pub use thread_index::{thread_index_sum, ThreadIndex, ThreadIndexLane};

use crate::bundles::*;
use flexgrip_machine::sizes::Lanes;
use hdlkit::prelude::*;

/// Data of a hardware warp while a grid runs.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WarpPlace {
    /// The block slot that owns it.
    pub slot: Bits<3>,
    /// Its first row in the register file.
    pub row: Bits<9>,
}

/// Data of a block slot while a grid runs.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SlotPlace {
    /// Its first warp.
    pub warp: Bits<5>,
    /// Its first row of 64 bytes in shared memory.
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

/// State of the dispatch.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum DispatchState {
    /// No grid.
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
    // From and to the host interface.
    pub launch_start: Signal<In, Bit>,
    pub launch_abort: Signal<In, Bit>,
    /// Stable while the grid runs.
    pub launch_configuration: Signal<In, LaunchConfiguration>,
    /// Stable while the grid runs.
    pub grid_configuration: Signal<In, GridConfiguration>,
    /// The parameter to write to shared memory in the next cycle, when its word comes.
    pub parameter_index: Signal<Out, Bits<6>>,
    pub parameter_word: Signal<In, Bits<32>>,
    /// High from the cycle after `launch_start` through that of `grid_done`.
    pub grid_running: Signal<Out, Bit>,
    /// One cycle: all blocks have ended (or the grid was stopped) and the SMs are idle.
    pub grid_done: Signal<Out, Bit>,

    // To and from the SMs. Signals that are not per SM are for the SM whose valid is high.
    /// A grid begins: discard all warps and errors. In the cycle of `launch_start`.
    pub sm_clear: Signal<Out, Bit>,
    /// A warp begins; valid stays until ready.
    pub launch_valid: [Signal<Out, Bit>; SMS],
    pub launch_ready: [Signal<In, Bit>; SMS],
    pub launch: Signal<Out, WarpLaunch>,
    /// R0 of a beat's threads, before their warp launches; valid stays until ready.
    pub init_valid: [Signal<Out, Bit>; SMS],
    pub init_ready: [Signal<In, Bit>; SMS],
    /// The warp's first row, that of R0.
    pub init_row: Signal<Out, Bits<9>>,
    pub init_beat: Signal<Out, Bits<2>>,
    /// Undefined for threads that do not exist.
    pub init_data: [Signal<Out, Bits<32>>; LANES],
    /// A write to shared memory, never refused.
    pub shared_init_valid: [Signal<Out, Bit>; SMS],
    /// Clear the row of 64 bytes; else write one word.
    pub shared_init_clear: Signal<Out, Bit>,
    /// Byte address.
    pub shared_init_address: Signal<Out, Bits<14>>,
    pub shared_init_data: Signal<Out, Bits<32>>,
    /// A warp has ended, at most one per cycle.
    pub warp_ended: [Signal<In, Bit>; SMS],
    pub warp_ended_index: [Signal<In, Bits<5>>; SMS],
    /// No instruction and no memory access in flight.
    pub sm_idle: [Signal<In, Bit>; SMS],
    /// A warp has failed; the SM has stopped issuing.
    pub sm_error: [Signal<In, Bit>; SMS],

    // Once per grid: thread indices of the first LANES threads, and of the step; the tables of warps and slots.
    lanes: [ThreadIndexLane; LANES],
    tid_count: DFF<Bits<6>>,
    tid: DFF<ThreadIndex>,
    step_less_x: DFF<Bits<12>>,
    step_less_y: DFF<Bits<12>>,
    walk: DFF<WarpWalk>,
    warp_places: LutRam<5, WarpPlace>,
    slot_places: LutRam<3, SlotPlace>,

    // The next block, and the one being set up.
    slots: [BlockSlots; SMS],
    state: DFF<DispatchState>,
    /// Its SM, one bit set.
    target: DFF<Bits<8>>,
    /// No block is left.
    exhausted: DFF<Bit>,
    next_block: DFF<BlockPosition>,
    block: DFF<BlockPosition>,
    shared_row: DFF<Bits<8>>,
    row: DFF<Bits<8>>,
    rows_left: DFF<Bits<9>>,
    word: DFF<Bits<7>>,

    // The warp being set up.
    warp: DFF<Bits<5>>,
    warp_index: DFF<Bits<6>>,
    threads_left: DFF<Bits<11>>,
    beat: DFF<Bits<2>>,
    /// A beat of R0 waits for its gap; its SM, one bit set. Registered because writeback waits for it.
    offer: DFF<Bits<8>>,
    launching: DFF<Bit>,
    /// The SM of the launching warp, one bit set; the next block may already be being set up on another one.
    launch_target: DFF<Bits<8>>,
    launch_bundle: DFF<WarpLaunch>,
}

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// A scheduler for SMs without blocks.
    ///
    /// # Panics
    /// If SMS is not 1 to 8.
    pub fn new() -> Self {
        const { Lanes::assert(LANES) };
        assert!((1..=MOST_SMS).contains(&SMS), "blocks are handed to 1 to {MOST_SMS} SMs, not {SMS}");
        Self::default()
    }
}

impl<const LANES: usize, const SMS: usize> Logic for BlockScheduler<LANES, SMS> {
    #[hdl_gen]
    fn update(&mut self) {
        let warps = (self.grid_configuration.val().block_threads + 31).bits::<6>(5);

        // Once per grid.
        let tids_ready = self.count_thread_indices();
        let walking = self.walk_warps(warps);

        // Block by block.
        let (chosen, slot, ending) = self.choose_sm();
        self.slot_places.read_address.next = slot;
        self.warp_places.read_address.next = self.warp.q.val();
        let (takes, ends, stopping) = self.dispatch(warps, tids_ready, chosen, ending);
        self.start_and_end_grid(ends, stopping);

        // The SMs and the lanes.
        self.write_shared_memory();
        self.launch.next = self.launch_bundle.q.val();
        self.init_row.next = self.warp_places.read_data.val().row;
        self.init_beat.next = self.beat.q.val();
        self.connect_sms();
        self.connect_slots(warps, walking, mask(takes, chosen));
        self.connect_lanes(tids_ready);
    }
}

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// Each SM's handshakes.
    #[hdl_part]
    fn connect_sms(&mut self) {
        let state = self.state.q.val();
        let writes = state == DispatchState::Clear || state == DispatchState::Words;
        for s in 0..SMS {
            self.launch_valid[s].next = self.launching.q.val() && self.launch_target.q.val().get_bit(s);
            self.init_valid[s].next = self.offer.q.val().get_bit(s);
            self.shared_init_valid[s].next = writes && self.target.q.val().get_bit(s);
        }
    }

    /// The SMs' block slots; those that `takes` get a block. Slots past the number of blocks per SM do not exist.
    #[hdl_part]
    fn connect_slots(&mut self, warps: Bits<6>, walking: Bit, takes: Bits<8>) {
        let missing = bits::<8>(0xff) << self.grid_configuration.val().blocks_per_sm;
        for s in 0..SMS {
            self.slots[s].clear.next = self.sm_clear.val();
            self.slots[s].missing.next = missing;
            self.slots[s].place_enable.next = walking;
            self.slots[s].place_warp.next = self.walk.q.val().warp.low::<5>();
            self.slots[s].place_slot.next = self.walk.q.val().slot.low::<3>();
            self.slots[s].take.next = takes.get_bit(s);
            self.slots[s].warps.next = warps;
            self.slots[s].warp_ended.next = self.warp_ended[s].val();
            self.slots[s].warp_ended_index.next = self.warp_ended_index[s].val();
        }
    }

    /// Each lane's thread index, which is R0 of the beat.
    #[hdl_part]
    fn connect_lanes(&mut self, tids_ready: Bit) {
        for i in 0..LANES {
            self.lanes[i].lane.next = bits(i as u64);
            self.lanes[i].setup.next = !tids_ready;
            self.lanes[i].setup_lane.next = self.tid_count.q.val().low::<5>();
            self.lanes[i].setup_index.next = self.tid.q.val();
            self.lanes[i].step_index.next = self.tid.q.val();
            self.lanes[i].less_x.next = self.step_less_x.q.val();
            self.lanes[i].less_y.next = self.step_less_y.q.val();
            self.init_data[i].next = self.lanes[i].r0.val();
        }
    }
}
