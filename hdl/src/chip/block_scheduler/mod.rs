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
pub use thread_index::{ThreadIndex, ThreadIndexLane, ThreadIndexSum};

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
#[derive(LogicBlock, Cycle, Blank)]
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

    lanes: [ThreadIndexLane; LANES],
    lane_number: [Constant<Bits<5>>; LANES],

    // Once per grid: thread indices of the first LANES threads, and of the step.
    tid_count: DFF<Bits<6>>,
    tid: DFF<ThreadIndex>,
    tid_sum: ThreadIndexSum,
    tids_ready: Signal<Local, Bit>,
    one_thread: Constant<ThreadIndex>,
    one: Constant<Bits<12>>,
    zero: Constant<Bits<12>>,
    step_less_x: DFF<Bits<12>>,
    step_less_y: DFF<Bits<12>>,
    block_x: Signal<Local, Bits<12>>,
    block_y: Signal<Local, Bits<12>>,
    tid_x: Signal<Local, Bits<12>>,
    tid_y: Signal<Local, Bits<12>>,
    lane_count: Constant<Bits<6>>,
    no_thread: Constant<ThreadIndex>,

    // Once per grid: the walk over the warps, which fills the tables.
    walk: DFF<Bits<6>>,
    walk_index: DFF<Bits<6>>,
    walk_slot: DFF<Bits<4>>,
    walk_row: DFF<Bits<9>>,
    walk_shared: DFF<Bits<8>>,
    walk_index_next: Signal<Local, Bits<6>>,
    walking: Signal<Local, Bit>,
    walk_place: Signal<Local, WarpPlace>,
    walk_slot_place: Signal<Local, SlotPlace>,
    warp_places: LutRam<5, WarpPlace>,
    slot_places: LutRam<3, SlotPlace>,
    registers: Signal<Local, Bits<9>>,
    shared_rows: Signal<Local, Bits<9>>,
    shared_rows_low: Signal<Local, Bits<8>>,

    // Slots.
    slots: [BlockSlots; SMS],
    sm_bit: [Constant<Bits<8>>; SMS],
    all_slots: Constant<Bits<8>>,
    missing_slots: Signal<Local, Bits<8>>,
    /// The SM that gets the next block, one bit set; none while all are full.
    chosen: Signal<Local, Bits<8>>,
    /// The number of blocks on it.
    fewest: Signal<Local, Bits<4>>,
    /// A warp of the chosen SM ends in this cycle.
    ending: Signal<Local, Bit>,
    free_slot: Signal<Local, Bits<3>>,
    takes: Signal<Local, Bit>,
    all_empty: Signal<Local, Bit>,
    all_idle: Signal<Local, Bit>,
    any_error: Signal<Local, Bit>,

    // The block being set up.
    state: DFF<DispatchState>,
    /// Its SM, one bit set.
    target: DFF<Bits<8>>,
    is_writing: Signal<Local, Bit>,
    init_taken: Signal<Local, Bit>,
    stopping: Signal<Local, Bit>,
    exhausted: DFF<Bit>,
    empty: Signal<Local, Bit>,
    next_x: DFF<Bits<16>>,
    next_y: DFF<Bits<16>>,
    next_block: DFF<Bits<32>>,
    after_x: Signal<Local, Bits<16>>,
    after_y: Signal<Local, Bits<16>>,
    ctaid_x: DFF<Bits<16>>,
    ctaid_y: DFF<Bits<16>>,
    block_number: DFF<Bits<32>>,
    shared_row: DFF<Bits<8>>,
    row: DFF<Bits<8>>,
    rows_left: DFF<Bits<9>>,
    word: DFF<Bits<7>>,
    last_word: Signal<Local, Bits<7>>,
    parameter_number: Signal<Local, Bits<7>>,
    row_address: Signal<Local, Bits<14>>,
    clear_address: Signal<Local, Bits<14>>,
    base_row: Signal<Local, Bits<14>>,
    base_address: Signal<Local, Bits<14>>,
    word_wide: Signal<Local, Bits<14>>,
    word_offset: Signal<Local, Bits<14>>,
    word_address: Signal<Local, Bits<14>>,
    low_half: Signal<Local, Bits<32>>,
    high_half: Signal<Local, Bits<32>>,
    high_shifted: Signal<Local, Bits<32>>,
    header: Signal<Local, Bits<32>>,

    // The warp being set up.
    warp: DFF<Bits<5>>,
    warp_index: DFF<Bits<6>>,
    warp_index_next: Signal<Local, Bits<6>>,
    threads_left: DFF<Bits<11>>,
    threads_rounded: Signal<Local, Bits<11>>,
    warps: Signal<Local, Bits<6>>,
    partial: Signal<Local, Bits<5>>,
    all_threads: Constant<Bits<32>>,
    missing_threads: Signal<Local, Bits<32>>,
    mask: Signal<Local, Bits<32>>,
    place: Signal<Local, WarpPlace>,
    beat: DFF<Bits<2>>,
    last_beat: Constant<Bits<2>>,
    beat_done: Signal<Local, Bit>,
    warp_done: Signal<Local, Bit>,
    block_done: Signal<Local, Bit>,
    /// A beat of R0 waits for its gap; its SM, one bit set. Registered because writeback waits for it.
    offer: DFF<Bits<8>>,
    next_warps: Signal<Local, Bit>,
    next_beat: Signal<Local, Bits<2>>,
    next_launching: Signal<Local, Bit>,
    launching: DFF<Bit>,
    /// The SM of the launching warp, one bit set; the next block may already be being set up on another one.
    launch_target: DFF<Bits<8>>,
    launch_taken: Signal<Local, Bit>,
    launch_bundle: DFF<WarpLaunch>,
    ends: Signal<Local, Bit>,
    _activity: Activity,
}

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// A scheduler for SMs without blocks.
    ///
    /// # Panics
    /// If SMS is not 1 to 8.
    pub fn new() -> Self {
        const { Lanes::assert(LANES) };
        assert!(
            (1..=MOST_SMS).contains(&SMS),
            "blocks are handed to 1 to {MOST_SMS} SMs, not {SMS}"
        );
        BlockScheduler {
            lane_number: std::array::from_fn(|lane| Constant::new(Bits::new(lane as u64))),
            one: Constant::new(1.into()),
            one_thread: Constant::new(ThreadIndex {
                x: 1.into(),
                ..Default::default()
            }),
            lane_count: Constant::new(Bits::new(LANES as u64)),
            all_slots: Constant::new(Bits::new(0xff)),
            slots: std::array::from_fn(|_| BlockSlots::new()),
            sm_bit: std::array::from_fn(|sm| Constant::new(Bits::new(1 << sm))),
            all_threads: Constant::new(Bits::new(0xffff_ffff)),
            last_beat: Constant::new(Bits::new(32 / LANES as u64 - 1)),
            ..Blank::blank()
        }
    }
}

impl<const LANES: usize, const SMS: usize> Logic for BlockScheduler<LANES, SMS> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            tid_count,
            tid,
            step_less_x,
            step_less_y,
            walk,
            walk_index,
            walk_slot,
            walk_row,
            walk_shared,
            state,
            target,
            exhausted,
            next_x,
            next_y,
            next_block,
            ctaid_x,
            ctaid_y,
            block_number,
            shared_row,
            row,
            rows_left,
            word,
            warp,
            warp_index,
            threads_left,
            beat,
            offer,
            launching,
            launch_target,
            launch_bundle
        );
        clock!(self, clock, warp_places, slot_places);

        // Once per grid.
        self.derive_launch();
        self.count_thread_indices();
        self.walk_warps();
        // Block by block.
        self.choose_sm();
        self.address_shared_memory();
        self.compose_header();
        self.offer_shared_word();
        self.mask_threads();
        self.take_handshakes();
        self.dispatch();
        // The grid's start and end, and the ports.
        self.start_and_end_grid();
        self.offer_next_beat();
        self.drive_outputs();
        self.connect_sms();
        self.connect_lanes();
    }
}

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// The signals shared by all SMs.
    #[hdl_part]
    fn drive_outputs(&mut self) {
        self.grid_running.next = self.state.q.val() != DispatchState::Idle;
        self.grid_done.next = self.ends.val();
        self.launch.next = self.launch_bundle.q.val();
        self.init_row.next = self.place.val().row;
        self.init_beat.next = self.beat.q.val();
    }

    /// Each SM's handshakes, and its block slots.
    #[hdl_part]
    fn connect_sms(&mut self) {
        for s in 0..SMS {
            self.launch_valid[s].next = self.launching.q.val() && self.launch_target.q.val().get_bit(s);
            self.init_valid[s].next = self.offer.q.val().get_bit(s);
            self.shared_init_valid[s].next = self.is_writing.val() && self.target.q.val().get_bit(s);
            self.slots[s].clock.next = self.clock.val();
            self.slots[s].clear.next = self.sm_clear.val();
            self.slots[s].missing.next = self.missing_slots.val();
            self.slots[s].place_enable.next = self.walking.val();
            self.slots[s].place_warp.next = self.walk.q.val().get_bits::<5>(0);
            self.slots[s].place_slot.next = self.walk_slot.q.val().get_bits::<3>(0);
            self.slots[s].take.next = self.takes.val() && self.chosen.val().get_bit(s);
            self.slots[s].warps.next = self.warps.val();
            self.slots[s].warp_ended.next = self.warp_ended[s].val();
            self.slots[s].warp_ended_index.next = self.warp_ended_index[s].val();
        }
    }

    /// Each lane's thread index, which is R0 of the beat.
    #[hdl_part]
    fn connect_lanes(&mut self) {
        for i in 0..LANES {
            self.lanes[i].clock.next = self.clock.val();
            self.lanes[i].lane.next = self.lane_number[i].val();
            self.lanes[i].setup.next = !self.tids_ready.val();
            self.lanes[i].setup_lane.next = self.tid_count.q.val().get_bits::<5>(0);
            self.lanes[i].setup_index.next = self.tid.q.val();
            self.lanes[i].restart.next = self.block_done.val();
            self.lanes[i].step.next = self.beat_done.val();
            self.lanes[i].step_index.next = self.tid.q.val();
            self.lanes[i].less_x.next = self.step_less_x.q.val();
            self.lanes[i].less_y.next = self.step_less_y.q.val();
            self.init_data[i].next = self.lanes[i].r0.val();
        }
    }
}
