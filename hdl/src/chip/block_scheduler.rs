//! The block scheduler: hands the blocks of a grid to the SMs, in the order of their linear number, and tells when the
//! grid has ended.
//!
//! An SM is divided statically: block slot `s` owns the warps from `s*W` (W warps per block), the register-file rows from
//! `s*W*registers` and the 64-byte rows of shared memory from `s*shared_rows`. A slot gets its next block as soon as all
//! warps of its last one have ended. Of the SMs with a free slot, the one with the fewest blocks comes first, of those the
//! lowest; on it, the lowest free slot.
//!
//! ```text
//! cycle     0      2     3 ..        +shared_rows  +4+parameters  +W*beats
//! launch_   start
//! dispatch         pick  clear rows  header words  R0 of warp 0, warp 1, ..  pick the next block
//!                                    parameters           └ launch └ launch
//! walk             warp 0, warp 1, .. : their slots and rows, into tables (once per grid)
//! tids             thread 0, 1, .. LANES-1, step (once per grid)
//! ```
//! A warp runs from its launch on, while later warps and blocks are still being set up. Blocks are set up one after the
//! other, whichever SM they are for.
//!
//! There is no multiplier: bases come from adding up, and a lane's next thread index from adding the index of thread LANES
//! (the step) in the mixed radix of the block's shape.
//!
//! At an SM's error or at `abort` nothing more is handed out, and the grid ends once all SMs are idle. A launch with a size
//! of 0 has no threads and ends at once. That the slots fit into an SM is the host's business.

use crate::bundles::*;
use hdlkit::prelude::*;

/// A thread's place in its block.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ThreadIndex {
    pub x: Bits<10>,
    pub y: Bits<10>,
    pub z: Bits<6>,
}

/// What belongs to a hardware warp while a grid runs.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WarpPlace {
    /// The block slot that owns it.
    pub slot: Bits<3>,
    /// Its first row in the register file.
    pub row: Bits<9>,
}

/// What belongs to a block slot while a grid runs.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SlotPlace {
    /// Its first warp.
    pub warp: Bits<5>,
    /// Its first row of 64 bytes in shared memory.
    pub shared_row: Bits<8>,
}

/// The sum of two thread indices in the mixed radix of the block's shape: x carries into y, y into z. Combinational.
/// Past the block's end z runs on and wraps at 64.
///
/// Of x and y there are two sums, with the block's size taken off and without; the sign of the former chooses.
#[derive(LogicBlock, Cycle, Blank)]
pub struct ThreadIndexSum {
    pub a: Signal<In, ThreadIndex>,
    pub b: Signal<In, ThreadIndex>,
    /// x and y of `b`, less the block's size, modulo 2^12. In x and y `a` is less than the block, and `b` is less or has an x
    /// of 1.
    pub less_x: Signal<In, Bits<12>>,
    pub less_y: Signal<In, Bits<12>>,
    pub sum: Signal<Out, ThreadIndex>,
    a_x: Signal<Local, Bits<12>>,
    sum_x: Signal<Local, Bits<12>>,
    past_x: Signal<Local, Bits<12>>,
    carry_x: Signal<Local, Bit>,
    // With a bit 0 for the carry to come in.
    a_y: Signal<Local, Bits<13>>,
    b_y: Signal<Local, Bits<13>>,
    rest_y: Signal<Local, Bits<13>>,
    sum_y: Signal<Local, Bits<13>>,
    past_y: Signal<Local, Bits<13>>,
    carry_y: Signal<Local, Bit>,
    a_z: Signal<Local, Bits<7>>,
    b_z: Signal<Local, Bits<7>>,
    sum_z: Signal<Local, Bits<7>>,
    _activity: Activity,
}

impl Logic for ThreadIndexSum {
    #[hdl_gen]
    fn update(&mut self) {
        self.a_x.next = bit_cast::<12, 10>(self.a.val().x);
        self.sum_x.next = self.a_x.val() + bit_cast::<12, 10>(self.b.val().x);
        self.past_x.next = self.a_x.val() + self.less_x.val();
        self.carry_x.next = !self.past_x.val().get_bit(11);
        self.sum.next.x = self.sum_x.val().get_bits::<10>(0);
        self.a_y.next = bit_cast::<13, 10>(self.a.val().y) << 1;
        self.a_y.next = self.a_y.val() | 1;
        self.b_y.next = bit_cast::<13, 10>(self.b.val().y) << 1;
        self.rest_y.next = bit_cast::<13, 12>(self.less_y.val()) << 1;
        if self.carry_x.val() {
            self.sum.next.x = self.past_x.val().get_bits::<10>(0);
            self.b_y.next = self.b_y.val() | 1;
            self.rest_y.next = self.rest_y.val() | 1;
        }
        self.sum_y.next = self.a_y.val() + self.b_y.val();
        self.past_y.next = self.a_y.val() + self.rest_y.val();
        self.carry_y.next = !self.past_y.val().get_bit(12);
        self.sum.next.y = self.sum_y.val().get_bits::<10>(1);
        self.a_z.next = bit_cast::<7, 6>(self.a.val().z) << 1;
        self.a_z.next = self.a_z.val() | 1;
        self.b_z.next = bit_cast::<7, 6>(self.b.val().z) << 1;
        if self.carry_y.val() {
            self.sum.next.y = self.past_y.val().get_bits::<10>(1);
            self.b_z.next = self.b_z.val() | 1;
        }
        self.sum_z.next = self.a_z.val() + self.b_z.val();
        self.sum.next.z = self.sum_z.val().get_bits::<6>(1);
    }
}

/// The thread index of one lane: thread `lane` after set-up or restart, LANES threads on with every step.
///
/// ```text
/// cycle          t                          t+1
/// setup, number  first thread's index, if   r0 of that thread
///                number is this lane
/// step           by `step_index`            r0 of the next beat's thread
/// restart        (over step)                r0 of the first thread
/// ```
#[derive(LogicBlock, Cycle, Blank)]
pub struct ThreadIndexLane {
    pub clock: Signal<In, Clock>,
    /// This lane's number, constant.
    pub lane: Signal<In, Bits<5>>,
    pub setup: Signal<In, Bit>,
    pub setup_lane: Signal<In, Bits<5>>,
    pub setup_index: Signal<In, ThreadIndex>,
    pub restart: Signal<In, Bit>,
    pub step: Signal<In, Bit>,
    pub step_index: Signal<In, ThreadIndex>,
    /// As in [`ThreadIndexSum`].
    pub less_x: Signal<In, Bits<12>>,
    pub less_y: Signal<In, Bits<12>>,
    /// `tid.x | tid.y << 16 | tid.z << 26`
    pub r0: Signal<Out, Bits<32>>,
    first: DFF<ThreadIndex>,
    current: DFF<ThreadIndex>,
    sum: ThreadIndexSum,
    x: Signal<Local, Bits<32>>,
    y: Signal<Local, Bits<32>>,
    y_shifted: Signal<Local, Bits<32>>,
    xy: Signal<Local, Bits<32>>,
    z: Signal<Local, Bits<32>>,
    z_shifted: Signal<Local, Bits<32>>,
    _activity: Activity,
}

impl Logic for ThreadIndexLane {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, first, current);
        self.sum.a.next = self.current.q.val();
        self.sum.b.next = self.step_index.val();
        self.sum.less_x.next = self.less_x.val();
        self.sum.less_y.next = self.less_y.val();
        if self.setup.val() && (self.setup_lane.val() == self.lane.val()) {
            self.first.d.next = self.setup_index.val();
            self.current.d.next = self.setup_index.val();
        } else if self.restart.val() {
            self.current.d.next = self.first.q.val();
        } else if self.step.val() {
            self.current.d.next = self.sum.sum.val();
        }
        self.x.next = bit_cast::<32, 10>(self.current.q.val().x);
        self.y.next = bit_cast::<32, 10>(self.current.q.val().y);
        self.z.next = bit_cast::<32, 6>(self.current.q.val().z);
        self.y_shifted.next = self.y.val() << 16;
        self.z_shifted.next = self.z.val() << 26;
        self.xy.next = self.x.val() | self.y_shifted.val();
        self.r0.next = self.xy.val() | self.z_shifted.val();
    }
}

/// The block slots of one SM: which are free, and which warps still hold the others.
///
/// ```text
/// cycle        t                                        t+1
/// take         `free_slot` gets a block of `warps`      the slot is busy
/// warp_ended   with the last warp of a slot's block     the slot is free
/// ```
#[derive(LogicBlock, Cycle, Blank)]
pub struct BlockSlots {
    pub clock: Signal<In, Clock>,
    /// A grid begins: all slots are free but the missing ones.
    pub clear: Signal<In, Bit>,
    /// Slots that no block fits into, a bit each. They are busy for good.
    pub missing: Signal<In, Bits<8>>,
    // The walk: warp `place_warp` belongs to slot `place_slot`.
    pub place_enable: Signal<In, Bit>,
    pub place_warp: Signal<In, Bits<5>>,
    pub place_slot: Signal<In, Bits<3>>,
    /// The lowest free slot gets a block. Not in a cycle in which a warp ends.
    pub take: Signal<In, Bit>,
    /// Warps of a block, 1 to 32.
    pub warps: Signal<In, Bits<6>>,
    /// A warp has ended, at most one per cycle.
    pub warp_ended: Signal<In, Bit>,
    pub warp_ended_index: Signal<In, Bits<5>>,
    /// There is a free slot.
    pub free: Signal<Out, Bit>,
    /// The lowest one.
    pub free_slot: Signal<Out, Bits<3>>,
    /// Blocks that have not ended, 0 to 8.
    pub blocks: Signal<Out, Bits<4>>,

    busy: DFF<Bits<8>>,
    count: DFF<Bits<4>>,
    /// Warps of the slot's block that have not ended.
    remaining: LutRam<3, Bits<6>>,
    slot_of: LutRam<5, Bits<3>>,
    one_slot: Constant<Bits<8>>,
    lowest: Signal<Local, Bits<3>>,
    taken: Signal<Local, Bits<8>>,
    freed: Signal<Local, Bits<8>>,
    kept: Signal<Local, Bits<8>>,
    not_freed: Signal<Local, Bits<8>>,
    ended_slot: Signal<Local, Bits<3>>,
    ended_left: Signal<Local, Bits<6>>,
    _activity: Activity,
}

impl BlockSlots {
    /// The slots of an SM without blocks.
    pub fn new() -> Self {
        BlockSlots {
            one_slot: Constant::new(Bits::new(1)),
            ..Default::default()
        }
    }
}

impl Logic for BlockSlots {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, busy, count);
        clock!(self, clock, remaining, slot_of);
        self.slot_of.write_address.next = self.place_warp.val();
        self.slot_of.write_data.next = self.place_slot.val();
        self.slot_of.write_enable.next = self.place_enable.val();

        // The lowest free slot.
        self.lowest.next = 7.into();
        if !self.busy.q.val().get_bit(0) {
            self.lowest.next = 0.into();
        } else if !self.busy.q.val().get_bit(1) {
            self.lowest.next = 1.into();
        } else if !self.busy.q.val().get_bit(2) {
            self.lowest.next = 2.into();
        } else if !self.busy.q.val().get_bit(3) {
            self.lowest.next = 3.into();
        } else if !self.busy.q.val().get_bit(4) {
            self.lowest.next = 4.into();
        } else if !self.busy.q.val().get_bit(5) {
            self.lowest.next = 5.into();
        } else if !self.busy.q.val().get_bit(6) {
            self.lowest.next = 6.into();
        }
        self.free.next = !self.busy.q.val().all();
        self.free_slot.next = self.lowest.val();
        self.blocks.next = self.count.q.val();

        // A warp has ended; with the last one of its block, the slot is free.
        self.slot_of.read_address.next = self.warp_ended_index.val();
        self.ended_slot.next = self.slot_of.read_data.val();
        self.remaining.read_address.next = self.ended_slot.val();
        self.ended_left.next = self.remaining.read_data.val() - 1;
        self.remaining.write_address.next = self.ended_slot.val();
        self.remaining.write_data.next = self.ended_left.val();
        self.remaining.write_enable.next = self.warp_ended.val();
        self.taken.next = 0.into();
        self.freed.next = 0.into();
        if self.take.val() {
            self.taken.next = self.one_slot.val() << self.lowest.val();
            self.count.d.next = self.count.q.val() + 1;
            self.remaining.write_address.next = self.lowest.val();
            self.remaining.write_data.next = self.warps.val();
            self.remaining.write_enable.next = true;
        } else if self.warp_ended.val() && (self.ended_left.val() == 0) {
            self.freed.next = self.one_slot.val() << self.ended_slot.val();
            self.count.d.next = self.count.q.val() - 1;
        }
        self.kept.next = self.busy.q.val() | self.taken.val();
        self.not_freed.next = !self.freed.val();
        self.busy.d.next = self.kept.val() & self.not_freed.val();
        if self.clear.val() {
            self.busy.d.next = self.missing.val();
            self.count.d.next = 0.into();
        }
    }
}

/// What the dispatch does.
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
    /// From the cycle after `launch_start` to that of `grid_done`.
    pub grid_running: Signal<Out, Bit>,
    /// One cycle: all blocks have ended (or the grid was stopped) and the SMs are idle.
    pub grid_done: Signal<Out, Bit>,

    // To and from the SMs. What tells no SM is for the one that has the valid.
    /// A grid begins: forget all warps and errors. In the cycle of `launch_start`.
    pub sm_clear: Signal<Out, Bit>,
    /// A warp begins; valid stays until ready.
    pub launch_valid: [Signal<Out, Bit>; SMS],
    pub launch_ready: [Signal<In, Bit>; SMS],
    pub launch: Signal<Out, WarpLaunch>,
    /// R0 of a beat's threads, before the launch of their warp; valid stays until ready.
    pub init_valid: [Signal<Out, Bit>; SMS],
    pub init_ready: [Signal<In, Bit>; SMS],
    /// The warp's first row, that of R0.
    pub init_row: Signal<Out, Bits<9>>,
    pub init_beat: Signal<Out, Bits<2>>,
    /// For threads that do not exist: anything.
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
    /// A warp went wrong; the SM has stopped issuing.
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
    /// Blocks that it has.
    fewest: Signal<Local, Bits<4>>,
    /// A warp of it ends in this cycle.
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
    /// A beat of R0 waits for its gap; its SM, one bit set. In a register, as whoever writes back waits for it.
    offer: DFF<Bits<8>>,
    next_warps: Signal<Local, Bit>,
    next_beat: Signal<Local, Bits<2>>,
    next_launching: Signal<Local, Bit>,
    launching: DFF<Bit>,
    /// The SM of the warp that begins, one bit set; the next block may be set up on another one already.
    launch_target: DFF<Bits<8>>,
    launch_taken: Signal<Local, Bit>,
    launch_bundle: DFF<WarpLaunch>,
    ends: Signal<Local, Bit>,
    _activity: Activity,
}

impl<const LANES: usize, const SMS: usize> BlockScheduler<LANES, SMS> {
    /// The scheduler for SMs without blocks.
    ///
    /// # Panics
    /// If LANES is not 8, 16 or 32, or SMS not 1 to 8.
    pub fn new() -> Self {
        assert!(matches!(LANES, 8 | 16 | 32), "an SM has 8, 16 or 32 lanes, not {LANES}");
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

        // The launch.
        self.threads_rounded.next = self.grid_configuration.val().block_threads + 31;
        self.warps.next = self.threads_rounded.val().get_bits::<6>(5);
        self.registers.next = bit_cast::<9, 8>(self.launch_configuration.val().registers);
        self.shared_rows.next = self.launch_configuration.val().shared_rows;
        self.shared_rows_low.next = self.shared_rows.val().get_bits::<8>(0);
        self.missing_slots.next = self.all_slots.val() << self.grid_configuration.val().blocks_per_sm;
        self.empty.next = (self.grid_configuration.val().grid_x == 0)
            || (self.grid_configuration.val().grid_y == 0)
            || (self.grid_configuration.val().block_threads == 0)
            || (self.grid_configuration.val().blocks_per_sm == 0);

        // Thread indices: `tid` is that of thread `tid_count`, up to thread LANES, which is the step.
        self.tids_ready.next = self.tid_count.q.val() == self.lane_count.val();
        self.tid_sum.a.next = self.tid.q.val();
        self.tid_sum.b.next = self.one_thread.val();
        self.block_x.next = bit_cast::<12, 11>(self.grid_configuration.val().block_x);
        self.block_y.next = bit_cast::<12, 11>(self.grid_configuration.val().block_y);
        self.tid_sum.less_x.next = self.one.val() - self.block_x.val();
        self.tid_sum.less_y.next = self.zero.val() - self.block_y.val();
        // Of the step, in the cycle after it is there; the first beat is not done before.
        self.tid_x.next = bit_cast::<12, 10>(self.tid.q.val().x);
        self.tid_y.next = bit_cast::<12, 10>(self.tid.q.val().y);
        self.step_less_x.d.next = self.tid_x.val() - self.block_x.val();
        self.step_less_y.d.next = self.tid_y.val() - self.block_y.val();
        if !self.tids_ready.val() {
            self.tid.d.next = self.tid_sum.sum.val();
            self.tid_count.d.next = self.tid_count.q.val() + 1;
        }

        // The walk over the warps. It is always ahead of the dispatch, but for the first warp.
        self.walking.next =
            (self.walk.q.val() < 32) && (self.walk_slot.q.val() != self.grid_configuration.val().blocks_per_sm);
        self.walk_index_next.next = self.walk_index.q.val() + 1;
        self.walk_place.next.slot = self.walk_slot.q.val().get_bits::<3>(0);
        self.walk_place.next.row = self.walk_row.q.val();
        self.walk_slot_place.next.warp = self.walk.q.val().get_bits::<5>(0);
        self.walk_slot_place.next.shared_row = self.walk_shared.q.val();
        self.warp_places.write_address.next = self.walk.q.val().get_bits::<5>(0);
        self.warp_places.write_data.next = self.walk_place.val();
        self.warp_places.write_enable.next = self.walking.val();
        self.slot_places.write_address.next = self.walk_slot.q.val().get_bits::<3>(0);
        self.slot_places.write_data.next = self.walk_slot_place.val();
        self.slot_places.write_enable.next = self.walking.val() && (self.walk_index.q.val() == 0);
        if self.walking.val() {
            self.walk.d.next = self.walk.q.val() + 1;
            self.walk_row.d.next = self.walk_row.q.val() + self.registers.val();
            self.walk_index.d.next = self.walk_index_next.val();
            if self.walk_index_next.val() == self.warps.val() {
                self.walk_index.d.next = 0.into();
                self.walk_slot.d.next = self.walk_slot.q.val() + 1;
                self.walk_shared.d.next = self.walk_shared.q.val() + self.shared_rows_low.val();
            }
        }

        // The next block's SM: of those with a free slot the one with the fewest blocks, of those the lowest.
        self.chosen.next = 0.into();
        self.fewest.next = 8.into();
        self.free_slot.next = 0.into();
        self.ending.next = false;
        self.all_empty.next = true;
        self.all_idle.next = true;
        self.any_error.next = false;
        for s in 0..SMS {
            if self.slots[s].free.val() && (self.slots[s].blocks.val() < self.fewest.val()) {
                self.chosen.next = self.sm_bit[s].val();
                self.fewest.next = self.slots[s].blocks.val();
                self.free_slot.next = self.slots[s].free_slot.val();
                self.ending.next = self.warp_ended[s].val();
            }
            if self.slots[s].blocks.val() != 0 {
                self.all_empty.next = false;
            }
            if !self.sm_idle[s].val() {
                self.all_idle.next = false;
            }
            if self.sm_error[s].val() {
                self.any_error.next = true;
            }
        }
        self.slot_places.read_address.next = self.free_slot.val();

        // The words of the block's shared memory.
        self.row_address.next = bit_cast::<14, 8>(self.row.q.val());
        self.clear_address.next = self.row_address.val() << 6;
        self.base_row.next = bit_cast::<14, 8>(self.shared_row.q.val());
        self.base_address.next = self.base_row.val() << 6;
        self.word_wide.next = bit_cast::<14, 7>(self.word.q.val());
        self.word_offset.next = self.word_wide.val() << 2;
        self.word_address.next = self.base_address.val() + self.word_offset.val();
        self.last_word.next = self.grid_configuration.val().parameter_count + 3;
        self.parameter_number.next = self.word.q.val() - 3;
        self.parameter_index.next = self.parameter_number.val().get_bits::<6>(0);
        self.low_half.next = 0.into();
        self.high_half.next = bit_cast::<32, 11>(self.grid_configuration.val().block_x);
        if self.word.q.val() == 1 {
            self.low_half.next = bit_cast::<32, 11>(self.grid_configuration.val().block_y);
            self.high_half.next = bit_cast::<32, 7>(self.grid_configuration.val().block_z);
        } else if self.word.q.val() == 2 {
            self.low_half.next = bit_cast::<32, 16>(self.grid_configuration.val().grid_x);
            self.high_half.next = bit_cast::<32, 16>(self.grid_configuration.val().grid_y);
        } else if self.word.q.val() == 3 {
            self.low_half.next = bit_cast::<32, 16>(self.ctaid_x.q.val());
            self.high_half.next = bit_cast::<32, 16>(self.ctaid_y.q.val());
        }
        self.high_shifted.next = self.high_half.val() << 16;
        self.header.next = self.low_half.val() | self.high_shifted.val();
        self.is_writing.next = false;
        self.shared_init_clear.next = false;
        self.shared_init_address.next = self.word_address.val();
        self.shared_init_data.next = self.header.val();
        if self.word.q.val() > 3 {
            self.shared_init_data.next = self.parameter_word.val();
        }

        // The warp's threads.
        self.warp_places.read_address.next = self.warp.q.val();
        self.place.next = self.warp_places.read_data.val();
        self.warp_index_next.next = self.warp_index.q.val() + 1;
        self.partial.next = self.threads_left.q.val().get_bits::<5>(0);
        self.missing_threads.next = self.all_threads.val() << self.partial.val();
        self.mask.next = !self.missing_threads.val();
        if self.threads_left.q.val() >= 32 {
            self.mask.next = self.all_threads.val();
        }

        // Dispatch.
        self.after_x.next = self.next_x.q.val() + 1;
        self.after_y.next = self.next_y.q.val() + 1;
        self.stopping.next = self.launch_abort.val() || self.any_error.val();
        self.ends.next = false;
        self.beat_done.next = false;
        self.warp_done.next = false;
        self.block_done.next = false;
        self.takes.next = false;
        self.next_beat.next = self.beat.q.val();
        self.init_taken.next = false;
        self.launch_taken.next = false;
        for s in 0..SMS {
            if self.offer.q.val().get_bit(s) && self.init_ready[s].val() {
                self.init_taken.next = true;
            }
            if self.launch_target.q.val().get_bit(s) && self.launch_ready[s].val() {
                self.launch_taken.next = true;
            }
        }
        if self.launch_taken.val() {
            self.launching.d.next = false;
        }
        match self.state.q.val() {
            DispatchState::Pick => {
                if self.exhausted.q.val() {
                    if self.all_empty.val() && self.all_idle.val() && !self.stopping.val() {
                        self.ends.next = true;
                    }
                } else if self.chosen.val().any() && (self.walk.q.val() != 0) && !self.ending.val() {
                    self.takes.next = true;
                    self.target.d.next = self.chosen.val();
                    self.ctaid_x.d.next = self.next_x.q.val();
                    self.ctaid_y.d.next = self.next_y.q.val();
                    self.block_number.d.next = self.next_block.q.val();
                    self.next_block.d.next = self.next_block.q.val() + 1;
                    self.next_x.d.next = self.after_x.val();
                    if self.after_x.val() == self.grid_configuration.val().grid_x {
                        self.next_x.d.next = 0.into();
                        self.next_y.d.next = self.after_y.val();
                        self.exhausted.d.next = self.after_y.val() == self.grid_configuration.val().grid_y;
                    }
                    self.warp.d.next = self.slot_places.read_data.val().warp;
                    self.shared_row.d.next = self.slot_places.read_data.val().shared_row;
                    self.row.d.next = self.slot_places.read_data.val().shared_row;
                    self.rows_left.d.next = self.shared_rows.val();
                    self.word.d.next = 0.into();
                    self.warp_index.d.next = 0.into();
                    self.threads_left.d.next = self.grid_configuration.val().block_threads;
                    self.beat.d.next = 0.into();
                    self.state.d.next = DispatchState::Clear;
                }
            }
            DispatchState::Clear => {
                self.is_writing.next = true;
                self.shared_init_clear.next = true;
                self.shared_init_address.next = self.clear_address.val();
                self.row.d.next = self.row.q.val() + 1;
                self.rows_left.d.next = self.rows_left.q.val() - 1;
                if self.rows_left.q.val() == 1 {
                    self.state.d.next = DispatchState::Words;
                }
            }
            DispatchState::Words => {
                self.is_writing.next = true;
                self.word.d.next = self.word.q.val() + 1;
                if self.word.q.val() == self.last_word.val() {
                    self.state.d.next = DispatchState::Warps;
                }
            }
            DispatchState::Warps => {
                self.beat_done.next = self.init_taken.val();
                self.warp_done.next = self.beat_done.val() && (self.beat.q.val() == self.last_beat.val());
                self.block_done.next = self.warp_done.val() && (self.warp_index_next.val() == self.warps.val());
                if self.beat_done.val() {
                    self.next_beat.next = self.beat.q.val() + 1;
                }
                if self.warp_done.val() {
                    self.next_beat.next = 0.into();
                    self.launching.d.next = true;
                    self.launch_target.d.next = self.target.q.val();
                    self.launch_bundle.d.next.warp = self.warp.q.val();
                    self.launch_bundle.d.next.mask = self.mask.val();
                    self.launch_bundle.d.next.row = self.place.val().row;
                    self.launch_bundle.d.next.shared_row = self.shared_row.q.val();
                    self.launch_bundle.d.next.block = self.block_number.q.val();
                    self.launch_bundle.d.next.index = self.warp_index.q.val().get_bits::<5>(0);
                    self.launch_bundle.d.next.slot = self.place.val().slot;
                    self.launch_bundle.d.next.block_warps = self.warps.val();
                    self.warp.d.next = self.warp.q.val() + 1;
                    self.warp_index.d.next = self.warp_index_next.val();
                    self.threads_left.d.next = self.threads_left.q.val() - 32;
                }
                self.beat.d.next = self.next_beat.val();
                if self.block_done.val() {
                    self.state.d.next = DispatchState::Pick;
                }
            }
            DispatchState::Stop => {
                self.ends.next = self.all_idle.val();
                self.launching.d.next = false;
            }
            _ => {}
        }

        // Begin and end.
        self.sm_clear.next = false;
        if self.ends.val() {
            self.state.d.next = DispatchState::Idle;
        } else if self.state.q.val() == DispatchState::Idle {
            if self.launch_start.val() {
                self.sm_clear.next = true;
                self.state.d.next = DispatchState::Pick;
                self.exhausted.d.next = self.empty.val();
                self.next_x.d.next = 0.into();
                self.next_y.d.next = 0.into();
                self.next_block.d.next = 0.into();
                self.tid_count.d.next = 0.into();
                self.tid.d.next = self.no_thread.val();
                self.walk.d.next = 0.into();
                self.walk_index.d.next = 0.into();
                self.walk_slot.d.next = 0.into();
                self.walk_row.d.next = 0.into();
                self.walk_shared.d.next = 0.into();
                self.launching.d.next = false;
            }
        } else if self.stopping.val() {
            self.state.d.next = DispatchState::Stop;
            self.launching.d.next = false;
        }
        // What the next cycle offers. The last beat of R0 waits for the register of the launch to be free.
        self.next_warps.next = false;
        if self.state.q.val() == DispatchState::Words {
            self.next_warps.next = self.word.q.val() == self.last_word.val();
        } else if self.state.q.val() == DispatchState::Warps {
            self.next_warps.next = !self.block_done.val();
        }
        self.next_launching.next = self.warp_done.val() || (self.launching.q.val() && !self.launch_taken.val());
        self.offer.d.next = 0.into();
        if self.next_warps.val()
            && self.tids_ready.val()
            && !self.stopping.val()
            && !(self.next_launching.val() && (self.next_beat.val() == self.last_beat.val()))
        {
            self.offer.d.next = self.target.q.val();
        }
        self.grid_running.next = self.state.q.val() != DispatchState::Idle;
        self.grid_done.next = self.ends.val();
        self.launch.next = self.launch_bundle.q.val();
        self.init_row.next = self.place.val().row;
        self.init_beat.next = self.beat.q.val();
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
