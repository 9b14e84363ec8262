//! The operand collector: operands that each thread fetches from a place of its own in shared or constant memory, and
//! R2G, which stores to such places.
//!
//! ```text
//! cycle   a0                 a1                      e                h                  b               g
//!         address file,      address = A + offset;   a half-warp      a step: which      rows and words  words to their
//!         execution mask     checks; into the        out of the       threads it serves  to the banks    threads' places
//!         (a beat a cycle)   queue of half-warps     queue                                               in the buffer
//! ```
//! In the cycle after b of its last step, `c_inject` offers the instruction to the read stage, with its operands gathered.
//!
//! An instruction with such an operand leaves the scheduler for the collector and comes to the read stage when its operand
//! is there; its warp is held until then, so that nothing overtakes it. Another warp's instructions meanwhile issue. R2G
//! goes to the collector and to the read stage at once: its addresses come from here, its data from there. A2R and ADA
//! do so too, for the address file alone, and LLD and LST for their addresses.
//!
//! The collector serves its instructions in the order of issue, half-warp by half-warp, a step at a time
//! ([`BankSelect`]): a half-warp takes as many steps as its threads conflict in the banks, and a step as many cycles as it
//! has beats (two with 8 lanes: the data path is LANES words wide, at most 16).
//!
//! | resource | how many | taken | free again |
//! |---|---|---|---|
//! | places | 4 | issue | injection, or b of the last step of R2G |
//! | buffers | 2 | h of the first step | a cycle after the injection |
//!
//! **Errors.** An access that is not allowed is found at h, before its half-warp does anything; it and all that follow are
//! dropped. A step in b goes on.
//!
//! **Post-increment** writes the address file in a1. The scheduler sees to it that no result for an address register comes
//! in the same cycle (`c_incrementing`).

pub mod address_file;
pub mod bank_select;
pub mod gather_buffer;
pub mod warp_queue;

use crate::bundles::*;
use address_file::AddressFile;
use bank_select::BankSelect;
use gather_buffer::GatherBuffer;
use hdlkit::prelude::*;
use warp_queue::WarpQueue;

/// A beat between a0 and a1.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct AddressBeat {
    pub valid: Bit,
    pub tag: Bits<16>,
    pub warp: Bits<5>,
    pub indexing: Indexing,
    /// The address register has been written; else it is 0.
    pub live: Bit,
    pub fill: Bit,
    /// It does not come again for another register.
    pub complete: Bit,
    /// The instruction's place in the queue.
    pub place: Bits<2>,
    pub beat: Bits<2>,
    /// Lanes that execute.
    pub lanes: Bits<32>,
}

/// What is needed, behind a1, of an instruction that gathers or scatters; all else waits for the injection.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct PlacedInstruction {
    pub tag: Bits<16>,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    pub indexing: Indexing,
}

/// A step on its way to the banks.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BankStep {
    pub valid: Bit,
    pub gathers: Bit,
    /// The instruction's last step.
    pub last: Bit,
    /// The instruction's place.
    pub place: Bits<2>,
    /// In constant memory.
    pub address: Bits<16>,
    pub gather: GatherStep,
}

/// A step's words on their way to the threads.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct GatherStep {
    pub buffer: Bit,
    pub upper: Bit,
    pub odd: Bit,
    pub constant: Bit,
    pub access: Bits<2>,
    pub threads: Bits<16>,
}

/// The operand collector of an SM.
#[derive(LogicBlock, Cycle, Blank)]
pub struct OperandCollector<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// Start of a grid.
    pub c_clear: Signal<In, Bit>,
    pub shared_rows: Signal<In, Bits<9>>,
    // A warp begins: its place in shared memory.
    pub c_launch: Signal<In, Bit>,
    pub c_launch_warp: Signal<In, WarpLaunch>,
    // From the scheduler: an instruction with use for the address file.
    pub c_take: Signal<In, Bit>,
    /// .. one that gathers or scatters; one that gathers.
    pub c_takes_place: Signal<In, Bit>,
    pub c_holds: Signal<In, Bit>,
    pub c_issued: Signal<In, Issued>,
    /// The next cycle can take one.
    pub c_slot: Signal<Out, Bit>,
    /// There is a place for one that gathers or scatters.
    pub c_room: Signal<Out, Bit>,
    /// R2G is under way.
    pub c_storing: Signal<Out, Bit>,
    /// A post-increment is under way.
    pub c_incrementing: Signal<Out, Bit>,
    /// Warps whose instruction has not come to the read stage yet.
    pub c_held: Signal<Out, Bits<32>>,
    // The read stage finds the execution mask, in a0 of the first beat.
    pub c_first: Signal<Out, Bit>,
    pub c_query: Signal<Out, MaskQuery>,
    pub c_executed: Signal<In, Bits<32>>,
    /// The address registers of the beat, or for LLD and LST the addresses, in a1, which for those, R2G, A2R and ADA is r1.
    pub c_address: [Signal<Out, Bits<16>>; LANES],
    /// Source b of R2G, in the cycle after a1.
    pub c_data: [Signal<In, Bits<32>>; LANES],
    // To the read stage: an instruction whose operand is gathered. Taken in a cycle with valid and ready.
    pub c_inject: Signal<Out, Issued>,
    pub c_inject_ready: Signal<In, Bit>,
    /// The beat in r1; 0 if it has no gathered operand.
    pub c_read_buffer: Signal<In, Bit>,
    pub c_read_beat: Signal<In, Bits<2>>,
    pub c_gathered: [Signal<Out, Bits<32>>; LANES],
    // Results for address registers, from writeback.
    pub w_address_lanes: Signal<In, Bits<32>>,
    pub w_address_warp: Signal<In, Bits<5>>,
    pub w_address_register: Signal<In, Bits<2>>,
    pub w_address_beat: Signal<In, Bits<2>>,
    pub w_address_data: [Signal<In, Bits<16>>; LANES],
    // Shared memory, which others may be using.
    pub shared_busy: Signal<In, Bit>,
    pub shared_init_busy: Signal<In, Bit>,
    pub access_banks: Signal<Out, Bits<16>>,
    pub access_store: Signal<Out, Bit>,
    pub access_row: [Signal<Out, Bits<8>>; 16],
    pub access_bytes: [Signal<Out, Bits<4>>; 16],
    pub access_word: [Signal<Out, Bits<32>>; 16],
    pub bank_word: [Signal<In, Bits<32>>; 16],
    // Constant memory.
    pub constant_busy: Signal<In, Bit>,
    pub constant_enable: Signal<Out, Bit>,
    pub constant_address: Signal<Out, Bits<16>>,
    pub constant_word: Signal<In, Bits<32>>,
    /// Stays until `c_clear`; code 0 is none.
    pub c_error: Signal<Out, KernelError>,
    /// Its instruction's tag.
    pub c_error_tag: Signal<Out, Bits<16>>,
    pub c_idle: Signal<Out, Bit>,
    /// The cycle is spent on a bank conflict: a step of shared memory after a half-warp's first one.
    pub c_conflict: Signal<Out, Bit>,
    // For the trace: R2G's accesses, a half-warp at a time, and post-increments, a beat at a time.
    pub c_store_valid: Signal<Out, Bit>,
    pub c_store_tag: Signal<Out, Bits<16>>,
    pub c_store_upper: Signal<Out, Bit>,
    pub c_store_access: Signal<Out, Bits<2>>,
    pub c_store_threads: Signal<Out, Bits<16>>,
    pub c_store_address: [Signal<Out, Bits<16>>; 16],
    pub c_store_data: [Signal<Out, Bits<32>>; 16],
    pub c_increment_valid: Signal<Out, Bit>,
    pub c_increment_tag: Signal<Out, Bits<16>>,
    pub c_increment_beat: Signal<Out, Bits<2>>,
    pub c_increment_lanes: Signal<Out, Bits<32>>,
    pub c_increment_register: Signal<Out, Bits<2>>,
    pub c_increment_data: [Signal<Out, Bits<16>>; LANES],

    address_file: AddressFile<LANES>,
    shared_row: LutRam<5, Bits<8>>,
    instructions: LutRam<2, Issued>,
    placed: LutRam<2, PlacedInstruction>,
    addresses: WarpQueue<18, LANES>,
    data: WarpQueue<32, LANES>,
    select: BankSelect<LANES>,
    buffer: GatherBuffer<LANES>,
    gathered_place: LutRam<1, Bits<2>>,

    held: DFF<Bits<32>>,
    places_busy: DFF<Bits<4>>,
    tail: DFF<Bits<2>>,
    storing: DFF<Bits<3>>,
    a0: DFF<Issued>,
    a0_place: DFF<Bits<2>>,
    a0_beat: DFF<Bits<2>>,
    /// A store of several registers takes each beat once for each, as in the read stage.
    a0_part: DFF<Bits<2>>,
    /// The beat is an instruction's first one, its last one.
    a0_first: DFF<Bit>,
    a0_last: DFF<Bit>,
    a0_mask: DFF<Bits<32>>,
    a1: DFF<AddressBeat>,
    a2_store: DFF<Bit>,
    a2_place: DFF<Bits<2>>,
    a2_beat: DFF<Bits<2>>,
    /// Half-warps in the queue.
    ready: DFF<Bits<4>>,
    next_place: DFF<Bits<2>>,
    next_upper: DFF<Bit>,
    e_valid: DFF<Bit>,
    e_place: DFF<Bits<2>>,
    e_upper: DFF<Bit>,
    h_valid: DFF<Bit>,
    h_address: [DFF<Bits<16>>; 16],
    /// Threads that execute; for the trace.
    h_threads: DFF<Bits<16>>,
    /// Some thread must not access. Those that must not are what is pending.
    h_faulty: DFF<Bit>,
    h_first: DFF<Bit>,
    h_again: DFF<Bit>,
    h_odd: DFF<Bit>,
    h_place: DFF<Bits<2>>,
    h_upper: DFF<Bit>,
    h_pending: DFF<Bits<16>>,
    /// Threads that the step serves, as its first phase has found: the end of the second one needs it early.
    h_served_first: DFF<Bits<16>>,
    h_buffer: DFF<Bit>,
    buffers_used: DFF<Bits<2>>,
    b: DFF<BankStep>,
    b_place: [DFF<Bits<6>>; 16],
    g: DFF<GatherStep>,
    g_place: [DFF<Bits<6>>; 16],
    gathered: DFF<Bits<2>>,
    inject_buffer: DFF<Bit>,
    frees_buffer: DFF<Bit>,
    error: DFF<KernelError>,
    error_tag: DFF<Bits<16>>,

    one: Constant<Bits<32>>,
    one_place: Constant<Bits<4>>,
    last_beat: Constant<Bits<2>>,
    lane_count: Constant<Bits<6>>,
    lane_mask: Constant<Bits<32>>,
    /// Bits of a beat's number inside of a half-warp.
    half_mask: Constant<Bits<2>>,
    /// Half-warps that such a beat completes.
    half_count: Constant<Bits<4>>,
    /// A step takes two cycles.
    two_phases: Constant<Bit>,
    no_step: Constant<GatherStep>,
    no_error: Constant<KernelError>,
    codes: Constant<ErrorCodes>,

    taken: Signal<Local, Issued>,
    taken_instruction: Signal<Local, Decoded>,
    launched: Signal<Local, WarpLaunch>,
    a0_uses_place: Signal<Local, Bit>,
    new_place: Signal<Local, Bits<4>>,
    free_places: Signal<Local, Bits<4>>,
    stored_place: Signal<Local, Bits<4>>,
    taken_warp: Signal<Local, Bits<32>>,
    held_now: Signal<Local, Bits<32>>,
    released: Signal<Local, Bits<32>>,
    stopped: Signal<Local, Bit>,
    a0_issued: Signal<Local, Issued>,
    a0_instruction: Signal<Local, Decoded>,
    a0_indexing: Signal<Local, Indexing>,
    a0_parts: Signal<Local, Bits<2>>,
    a0_complete: Signal<Local, Bit>,
    next_valid: Signal<Local, Bit>,
    next_beat: Signal<Local, Bits<2>>,
    next_part: Signal<Local, Bits<2>>,
    next_parts: Signal<Local, Bits<2>>,
    query: Signal<Local, MaskQuery>,
    mask: Signal<Local, Bits<32>>,
    beat: Signal<Local, AddressBeat>,
    a1_beat: Signal<Local, AddressBeat>,
    a1_indexing: Signal<Local, Indexing>,
    a1_queues: Signal<Local, Bit>,
    a1_completes: Signal<Local, Bit>,
    a1_half: Signal<Local, Bits<2>>,
    a2_half: Signal<Local, Bits<2>>,
    a1_increments: Signal<Local, Bit>,
    /// Of the memory, in units of 64 bytes.
    limit: Signal<Local, Bits<10>>,
    low_bits: Signal<Local, Bits<16>>,
    base_value: Signal<Local, Bits<16>>,
    sum: Signal<Local, Bits<16>>,
    address: Signal<Local, Bits<16>>,
    remainder: Signal<Local, Bits<16>>,
    bad: Signal<Local, Bit>,
    entry: Signal<Local, Bits<18>>,
    increment_lanes: Signal<Local, Bits<32>>,
    completes: Signal<Local, Bits<4>>,
    e_threads: Signal<Local, Bits<16>>,
    e_faults: Signal<Local, Bits<16>>,
    e_moves: Signal<Local, Bit>,
    h_placed: Signal<Local, PlacedInstruction>,
    h_indexing: Signal<Local, Indexing>,
    h_fault: Signal<Local, Bit>,
    h_blocked: Signal<Local, Bit>,
    h_step: Signal<Local, BankStep>,
    b_step: Signal<Local, BankStep>,
    b_gather: Signal<Local, GatherStep>,
    b_blocked: Signal<Local, Bit>,
    b_go: Signal<Local, Bit>,
    b_gathered: Signal<Local, Bit>,
    b_stored: Signal<Local, Bit>,
    h_go: Signal<Local, Bit>,
    h_last_phase: Signal<Local, Bit>,
    h_left: Signal<Local, Bits<16>>,
    h_served: Signal<Local, Bits<16>>,
    h_done: Signal<Local, Bit>,
    h_allocates: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    step: Signal<Local, GatherStep>,
    inject: Signal<Local, Issued>,
    injected: Signal<Local, Bit>,
    leader_above: Signal<Local, Bits<16>>,
    misaligned: Signal<Local, Bit>,
    _activity: Activity,
}

impl<const LANES: usize> OperandCollector<LANES> {
    /// An idle collector.
    ///
    /// # Panics
    /// If LANES is not 8, 16 or 32.
    pub fn new() -> Self {
        assert!(matches!(LANES, 8 | 16 | 32), "8, 16 or 32 lanes, not {LANES}");
        OperandCollector {
            address_file: AddressFile::new(),
            one: Constant::new(1.into()),
            one_place: Constant::new(1.into()),
            last_beat: Constant::new(((32 / LANES - 1) as u64).into()),
            lane_count: Constant::new((LANES as u64).into()),
            lane_mask: Constant::new((0xffff_ffff_u64 >> (32 - LANES)).into()),
            half_mask: Constant::new(u64::from(LANES == 8).into()),
            half_count: Constant::new(if LANES == 32 { 2 } else { 1 }.into()),
            two_phases: Constant::new(LANES == 8),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for OperandCollector<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            held,
            places_busy,
            tail,
            storing,
            a0,
            a0_place,
            a0_beat,
            a0_part,
            a0_first,
            a0_last,
            a0_mask,
            a1,
            a2_store,
            a2_place,
            a2_beat,
            ready,
            next_place,
            next_upper,
            e_valid,
            e_place,
            e_upper,
            h_valid,
            h_threads,
            h_faulty,
            h_first,
            h_again,
            h_odd,
            h_place,
            h_upper,
            h_pending,
            h_served_first,
            h_buffer,
            buffers_used,
            b,
            g,
            gathered,
            inject_buffer,
            frees_buffer,
            error,
            error_tag
        );
        clock!(
            self,
            clock,
            address_file,
            shared_row,
            instructions,
            placed,
            addresses,
            data,
            select,
            buffer,
            gathered_place
        );
        self.stopped.next = self.error.q.val().code.any();
        self.launched.next = self.c_launch_warp.val();
        self.shared_row.write_enable.next = self.c_launch.val();
        self.shared_row.write_address.next = self.launched.val().warp;
        self.shared_row.write_data.next = self.launched.val().shared_row;

        // Issue: a place, and the warp is held.
        self.taken.next = self.c_issued.val();
        self.taken_instruction.next = self.taken.val().decoded;
        self.new_place.next = 0.into();
        if self.c_takes_place.val() {
            self.new_place.next = self.one_place.val() << self.tail.q.val();
            self.tail.d.next = self.tail.q.val() + 1;
        }
        self.held_now.next = self.held.q.val();
        self.taken_warp.next = self.one.val() << self.taken.val().warp;
        if self.c_holds.val() {
            self.held_now.next = self.held.q.val() | self.taken_warp.val();
        }
        self.c_held.next = self.held.q.val();
        self.c_room.next = !self.places_busy.q.val().get_bit(self.tail.q.val().index());
        self.c_storing.next = self.storing.q.val().any();

        // a0: the address file's row, and who executes.
        self.a0_issued.next = self.a0.q.val();
        self.a0_instruction.next = self.a0_issued.val().decoded;
        self.a0_indexing.next = self.a0_instruction.val().indexing;
        self.a0_uses_place.next =
            self.a0_first.q.val() && (self.a0_indexing.val().gathers || self.a0_indexing.val().scatters);
        self.instructions.write_enable.next = self.a0_uses_place.val();
        self.instructions.write_address.next = self.a0_place.q.val();
        self.instructions.write_data.next = self.a0_issued.val();
        self.placed.write_enable.next = self.a0_uses_place.val();
        self.placed.write_address.next = self.a0_place.q.val();
        self.placed.write_data.next.tag = self.a0_issued.val().tag;
        self.placed.write_data.next.warp = self.a0_issued.val().warp;
        self.placed.write_data.next.pc = self.a0_issued.val().pc;
        self.placed.write_data.next.indexing = self.a0_indexing.val();
        self.a0_parts.next = 0.into();
        if self.a0_instruction.val().store {
            self.a0_parts.next = self.a0_instruction.val().further_registers;
        }
        self.a0_complete.next = self.a0_part.q.val() == self.a0_parts.val();
        // What the next cycle's beat is, so that a register says whether it is the first or the last.
        self.c_slot.next = !self.a0_issued.val().valid || self.a0_last.q.val();
        self.next_valid.next = self.a0_issued.val().valid;
        self.next_beat.next = self.a0_beat.q.val();
        self.next_part.next = 0.into();
        self.next_parts.next = self.a0_parts.val();
        if self.c_slot.val() {
            self.a0.d.next = self.taken.val();
            self.a0.d.next.valid = self.c_take.val();
            self.a0_place.d.next = self.tail.q.val();
            self.next_valid.next = self.c_take.val();
            self.next_beat.next = 0.into();
            self.next_parts.next = 0.into();
            if self.taken_instruction.val().store {
                self.next_parts.next = self.taken_instruction.val().further_registers;
            }
        } else if self.a0_complete.val() {
            self.next_beat.next = self.a0_beat.q.val() + 1;
        } else {
            self.next_part.next = self.a0_part.q.val() + 1;
        }
        self.a0_beat.d.next = self.next_beat.val();
        self.a0_part.d.next = self.next_part.val();
        self.a0_first.d.next = self.next_valid.val() && !self.next_beat.val().any() && !self.next_part.val().any();
        self.a0_last.d.next =
            (self.next_beat.val() == self.last_beat.val()) && (self.next_part.val() == self.next_parts.val());
        self.c_first.next = self.a0_first.q.val();
        self.query.next.warp = self.a0_issued.val().warp;
        self.query.next.predicated = self.a0_instruction.val().predicated;
        self.query.next.condition = self.a0_instruction.val().condition;
        self.query.next.condition_live = self.a0_issued.val().condition_live;
        self.c_query.next = self.query.val();
        self.mask.next = self.a0_mask.q.val();
        if self.c_first.val() {
            self.mask.next = self.c_executed.val();
        }
        self.a0_mask.d.next = self.mask.val();
        if self.a0_complete.val() {
            self.a0_mask.d.next = self.mask.val() >> self.lane_count.val();
        }
        self.address_file.read_enable.next = self.a0_issued.val().valid && self.a0_indexing.val().register_used;
        self.address_file.read_warp.next = self.a0_issued.val().warp;
        self.address_file.read_register.next = self.a0_indexing.val().register;
        self.address_file.read_beat.next = self.a0_beat.q.val();
        self.beat.next.valid = self.a0_issued.val().valid;
        self.beat.next.tag = self.a0_issued.val().tag;
        self.beat.next.warp = self.a0_issued.val().warp;
        self.beat.next.indexing = self.a0_indexing.val();
        self.beat.next.live = self.a0_issued.val().address_live && self.a0_indexing.val().register_used;
        self.beat.next.fill = !self.a0_issued.val().address_live;
        self.beat.next.complete = self.a0_complete.val();
        self.beat.next.place = self.a0_place.q.val();
        self.beat.next.beat = self.a0_beat.q.val();
        self.beat.next.lanes = self.mask.val() & self.lane_mask.val();
        self.a1.d.next = self.beat.val();

        // a1: addresses, into the queue, with two bits more: see e.
        self.a1_beat.next = self.a1.q.val();
        self.a1_indexing.next = self.a1_beat.val().indexing;
        self.a1_queues.next = self.a1_beat.val().valid
            && (self.a1_indexing.val().gathers || self.a1_indexing.val().scatters)
            && !self.stopped.val();
        self.a1_increments.next =
            self.a1_beat.val().valid && self.a1_indexing.val().increments && self.a1_beat.val().complete;
        self.c_incrementing.next =
            self.a1_increments.val() || self.a0_issued.val().valid && self.a0_indexing.val().increments;
        self.limit.next = bit_cast::<10, 9>(self.shared_rows.val());
        if self.a1_indexing.val().constant {
            self.limit.next = 64.into();
        }
        match self.a1_indexing.val().access.index() {
            0 => self.low_bits.next = 0.into(),
            3 => self.low_bits.next = 3.into(),
            _ => self.low_bits.next = 1.into(),
        }
        self.addresses.write_enable.next = self.a1_queues.val();
        self.addresses.write_place.next = self.a1_beat.val().place;
        self.addresses.write_beat.next = self.a1_beat.val().beat;
        self.increment_lanes.next = 0.into();
        if self.a1_increments.val() {
            self.increment_lanes.next = self.a1_beat.val().lanes;
            if self.a1_beat.val().fill {
                self.increment_lanes.next = self.lane_mask.val();
            }
        }
        self.address_file.write_lanes.next = self.w_address_lanes.val();
        self.address_file.write_warp.next = self.w_address_warp.val();
        self.address_file.write_register.next = self.w_address_register.val();
        self.address_file.write_beat.next = self.w_address_beat.val();
        if self.a1_increments.val() {
            self.address_file.write_lanes.next = self.increment_lanes.val();
            self.address_file.write_warp.next = self.a1_beat.val().warp;
            self.address_file.write_register.next = self.a1_indexing.val().register;
            self.address_file.write_beat.next = self.a1_beat.val().beat;
        }
        self.data.write_enable.next = self.a2_store.q.val();
        self.data.write_place.next = self.a2_place.q.val();
        self.data.write_beat.next = self.a2_beat.q.val();
        for i in 0..LANES {
            self.base_value.next = 0.into();
            if self.a1_beat.val().live {
                self.base_value.next = self.address_file.read_data[i].val();
            }
            self.sum.next = self.base_value.val() + self.a1_indexing.val().offset;
            self.address.next = self.sum.val();
            if self.a1_indexing.val().post_increment {
                self.address.next = self.base_value.val();
            }
            self.c_address[i].next = self.base_value.val();
            if self.a1_indexing.val().local {
                self.c_address[i].next = self.address.val();
            }
            self.remainder.next = self.address.val() & self.low_bits.val();
            // An aligned access is in one such unit.
            self.bad.next = self.remainder.val().any() || (self.address.val().get_bits::<10>(6) >= self.limit.val());
            self.entry.next = bit_cast::<18, 16>(self.address.val());
            if self.a1_beat.val().lanes.get_bit(i) {
                self.entry.next = self.entry.val() | 0x20000_u64;
                if self.bad.val() {
                    self.entry.next = self.entry.val() | 0x10000_u64;
                }
            }
            self.addresses.write_data[i].next = self.entry.val();
            self.c_increment_data[i].next = self.sum.val();
            self.address_file.write_data[i].next = self.w_address_data[i].val();
            if self.a1_increments.val() {
                self.address_file.write_data[i].next = self.sum.val();
                if !self.a1_beat.val().lanes.get_bit(i) {
                    self.address_file.write_data[i].next = 0.into();
                }
            }
            self.data.write_data[i].next = self.c_data[i].val();
        }
        self.c_increment_valid.next = self.a1_increments.val();
        self.c_increment_tag.next = self.a1_beat.val().tag;
        self.c_increment_beat.next = self.a1_beat.val().beat;
        self.c_increment_lanes.next = self.a1_beat.val().lanes;
        self.c_increment_register.next = self.a1_indexing.val().register;
        self.a2_store.d.next = self.a1_queues.val() && self.a1_indexing.val().scatters;
        self.a2_place.d.next = self.a1_beat.val().place;
        self.a2_beat.d.next = self.a1_beat.val().beat;
        // Half-warps that are complete: of R2G when the data are there, which is a cycle later.
        self.a1_half.next = self.a1_beat.val().beat & self.half_mask.val();
        self.a2_half.next = self.a2_beat.q.val() & self.half_mask.val();
        self.a1_completes.next =
            self.a1_queues.val() && !self.a1_indexing.val().scatters && (self.a1_half.val() == self.half_mask.val());
        self.completes.next = self.ready.q.val();
        if self.a1_completes.val() {
            self.completes.next = self.completes.val() + self.half_count.val();
        }
        if self.a2_store.q.val() && (self.a2_half.val() == self.half_mask.val()) {
            self.completes.next = self.completes.val() + self.half_count.val();
        }

        // b: the step's way to the banks is free.
        self.b_step.next = self.b.q.val();
        self.b_gather.next = self.b_step.val().gather;
        self.b_blocked.next = self.shared_busy.val();
        if !self.b_step.val().gathers {
            self.b_blocked.next = self.shared_init_busy.val();
        } else if self.b_gather.val().constant {
            self.b_blocked.next = self.constant_busy.val();
        }
        self.b_go.next = self.b_step.val().valid && !self.b_blocked.val();

        // h: a step of the half-warp.
        self.placed.read_address.next = self.h_place.q.val();
        self.h_placed.next = self.placed.read_data.val();
        self.h_indexing.next = self.h_placed.val().indexing;
        self.shared_row.read_address.next = self.h_placed.val().warp;
        self.h_fault.next = self.h_valid.q.val() && self.h_faulty.q.val();
        self.h_allocates.next = self.h_indexing.val().gathers && self.h_first.q.val() && !self.h_upper.q.val();
        self.h_blocked.next = (self.h_allocates.val() && self.buffers_used.q.val().get_bit(1))
            || (self.b_step.val().valid && self.b_blocked.val());
        self.h_go.next = self.h_valid.q.val() && !self.h_faulty.q.val() && !self.h_blocked.val() && !self.stopped.val();
        self.h_last_phase.next = true;
        if self.two_phases.val() {
            self.h_last_phase.next = self.h_odd.q.val() || !self.h_pending.q.val().any();
        }
        self.select.pending.next = self.h_pending.q.val();
        self.select.odd.next = self.h_odd.q.val();
        self.select.store.next = self.h_indexing.val().scatters;
        self.select.constant.next = self.h_indexing.val().constant;
        self.select.access.next = self.h_indexing.val().access;
        self.select.base.next = self.shared_row.read_data.val();
        self.select.capture.next = self.h_go.val();
        for i in 0..16 {
            self.h_address[i].clock.next = self.clock.val();
            self.h_address[i].d.next = self.h_address[i].q.val();
            self.select.address[i].next = self.h_address[i].q.val();
            self.select.data[i].next = self.data.half[i].val();
            self.c_store_address[i].next = self.h_address[i].q.val();
            self.c_store_data[i].next = self.data.half[i].val();
        }
        self.h_served_first.d.next = self.select.served.val();
        self.h_served.next = self.select.served.val();
        if self.two_phases.val() {
            // The same threads wait in both phases. Who is left matters in a step's last one: the second, or the first if
            // none waits.
            self.h_served.next = self.h_served_first.q.val();
        }
        self.h_left.next = self.h_pending.q.val() & !self.h_served.val();
        self.h_done.next = self.h_go.val() && self.h_last_phase.val() && !self.h_left.val().any();
        if self.h_go.val() {
            self.h_first.d.next = false;
            self.h_odd.d.next = !self.h_last_phase.val();
            if self.h_last_phase.val() {
                self.h_pending.d.next = self.h_left.val();
                self.h_again.d.next = true;
            }
        }
        self.c_conflict.next = self.h_go.val() && self.h_again.q.val() && !self.h_indexing.val().constant;
        self.c_store_valid.next =
            self.h_go.val() && self.h_first.q.val() && self.h_indexing.val().scatters && self.h_threads.q.val().any();
        self.c_store_tag.next = self.h_placed.val().tag;
        self.c_store_upper.next = self.h_upper.q.val();
        self.c_store_access.next = self.h_indexing.val().access;
        self.c_store_threads.next = self.h_threads.q.val();

        // The step to b.
        self.h_step.next.valid = true;
        self.h_step.next.gathers = self.h_indexing.val().gathers;
        self.h_step.next.last = self.h_done.val() && self.h_upper.q.val();
        self.h_step.next.place = self.h_place.q.val();
        self.h_step.next.address = bit_cast::<16, 4>(self.h_indexing.val().bank) << 12;
        self.h_step.next.address =
            self.h_step.val().address | bit_cast::<16, 12>(self.select.leader.val().get_bits::<12>(0));
        self.h_step.next.gather.buffer = self.h_buffer.q.val();
        self.h_step.next.gather.upper = self.h_upper.q.val();
        self.h_step.next.gather.odd = self.h_odd.q.val();
        self.h_step.next.gather.constant = self.h_indexing.val().constant;
        self.h_step.next.gather.access = self.h_indexing.val().access;
        self.h_step.next.gather.threads = self.select.served.val();
        if self.b_go.val() {
            self.b.d.next.valid = false;
        }
        if self.h_go.val() {
            self.b.d.next = self.h_step.val();
        }
        if self.h_done.val() && self.h_upper.q.val() && self.h_indexing.val().gathers {
            self.h_buffer.d.next = !self.h_buffer.q.val();
        }

        // e: the next half-warp. Bit 17 of an entry: the thread executes; bit 16: it must not.
        self.e_threads.next = 0.into();
        self.e_faults.next = 0.into();
        for i in 0..16 {
            self.entry.next = self.addresses.half[i].val();
            self.e_threads.next = self.e_threads.val().replace_bit(i, self.entry.val().get_bit(17));
            self.e_faults.next = self.e_faults.val().replace_bit(i, self.entry.val().get_bit(16));
        }
        self.e_moves.next = self.e_valid.q.val() && (self.h_done.val() || !self.h_valid.q.val());
        self.takes.next =
            (self.e_moves.val() || !self.e_valid.q.val()) && self.ready.q.val().any() && !self.stopped.val();
        self.addresses.take.next = self.takes.val();
        self.addresses.take_place.next = self.next_place.q.val();
        self.addresses.take_upper.next = self.next_upper.q.val();
        self.data.take.next = self.e_moves.val();
        self.data.take_place.next = self.e_place.q.val();
        self.data.take_upper.next = self.e_upper.q.val();
        if self.h_done.val() {
            self.h_valid.d.next = false;
        }
        if self.e_moves.val() {
            self.e_valid.d.next = false;
            self.h_valid.d.next = true;
            self.h_first.d.next = true;
            self.h_again.d.next = false;
            self.h_odd.d.next = false;
            self.h_place.d.next = self.e_place.q.val();
            self.h_upper.d.next = self.e_upper.q.val();
            self.h_threads.d.next = self.e_threads.val();
            self.h_faulty.d.next = self.e_faults.val().any();
            self.h_pending.d.next = self.e_threads.val();
            if self.e_faults.val().any() {
                self.h_pending.d.next = self.e_faults.val();
            }
            for i in 0..16 {
                self.h_address[i].d.next = self.addresses.half[i].val().get_bits::<16>(0);
            }
        }
        self.ready.d.next = self.completes.val();
        if self.takes.val() {
            self.ready.d.next = self.completes.val() - 1;
            self.e_valid.d.next = true;
            self.e_place.d.next = self.next_place.q.val();
            self.e_upper.d.next = self.next_upper.q.val();
            self.next_upper.d.next = !self.next_upper.q.val();
            if self.next_upper.q.val() {
                self.next_place.d.next = self.next_place.q.val() + 1;
            }
        }

        // The banks, and constant memory.
        self.access_banks.next = 0.into();
        if self.b_go.val() {
            self.access_banks.next = self.select.banks.val();
        }
        self.access_store.next = !self.b_step.val().gathers;
        self.constant_enable.next =
            self.b_go.val() && self.b_gather.val().constant && self.b_gather.val().threads.any();
        self.constant_address.next = self.b_step.val().address;
        self.b_gathered.next = self.b_go.val() && self.b_step.val().last && self.b_step.val().gathers;
        self.b_stored.next = self.b_go.val() && self.b_step.val().last && !self.b_step.val().gathers;

        // g: the words arrive.
        self.step.next = self.no_step.val();
        if self.b_go.val() && self.b_step.val().gathers {
            self.step.next = self.b_gather.val();
        }
        self.g.d.next = self.step.val();
        self.buffer.write_buffer.next = self.g.q.val().buffer;
        self.buffer.write_upper.next = self.g.q.val().upper;
        self.buffer.write_odd.next = self.g.q.val().odd;
        self.buffer.write_threads.next = self.g.q.val().threads;
        self.buffer.access.next = self.g.q.val().access;
        self.buffer.constant.next = self.g.q.val().constant;
        self.buffer.constant_word.next = self.constant_word.val();
        for i in 0..16 {
            self.b_place[i].clock.next = self.clock.val();
            self.b_place[i].d.next = self.b_place[i].q.val();
            if self.h_go.val() {
                self.b_place[i].d.next = self.h_address[i].q.val().get_bits::<6>(0);
            }
            self.g_place[i].clock.next = self.clock.val();
            self.g_place[i].d.next = self.g_place[i].q.val();
            if self.b_go.val() {
                self.g_place[i].d.next = self.b_place[i].q.val();
            }
            self.buffer.place[i].next = self.g_place[i].q.val();
            self.buffer.word[i].next = self.bank_word[i].val();
            self.access_row[i].next = self.select.row[i].val();
            self.access_bytes[i].next = self.select.bytes[i].val();
            self.access_word[i].next = self.select.word[i].val();
        }

        // The instruction to the read stage.
        self.gathered_place.write_enable.next = self.b_gathered.val();
        self.gathered_place.write_address.next = self.b_gather.val().buffer.into();
        self.gathered_place.write_data.next = self.b_step.val().place;
        self.gathered_place.read_address.next = self.inject_buffer.q.val().into();
        self.instructions.read_address.next = self.gathered_place.read_data.val();
        self.inject.next = self.instructions.read_data.val();
        self.inject.next.valid = self.gathered.q.val().any() && !self.stopped.val();
        self.inject.next.buffer = self.inject_buffer.q.val();
        self.c_inject.next = self.inject.val();
        self.injected.next = self.inject.val().valid && self.c_inject_ready.val();
        self.released.next = 0.into();
        self.free_places.next = 0.into();
        if self.injected.val() {
            self.inject_buffer.d.next = !self.inject_buffer.q.val();
            self.released.next = self.one.val() << self.inject.val().warp;
            self.free_places.next = self.one_place.val() << self.gathered_place.read_data.val();
        }
        self.held.d.next = self.held_now.val() & !self.released.val();
        if self.b_gathered.val() && !self.injected.val() {
            self.gathered.d.next = self.gathered.q.val() + 1;
        }
        if !self.b_gathered.val() && self.injected.val() {
            self.gathered.d.next = self.gathered.q.val() - 1;
        }
        self.stored_place.next = self.one_place.val() << self.b_step.val().place;
        if self.b_stored.val() {
            self.free_places.next = self.free_places.val() | self.stored_place.val();
        }
        self.places_busy.d.next = (self.places_busy.q.val() | self.new_place.val()) & !self.free_places.val();
        if self.c_takes_place.val() && !self.c_holds.val() {
            if !self.b_stored.val() {
                self.storing.d.next = self.storing.q.val() + 1;
            }
        } else if self.b_stored.val() {
            self.storing.d.next = self.storing.q.val() - 1;
        }
        if self.h_allocates.val() && self.h_go.val() {
            if !self.frees_buffer.q.val() {
                self.buffers_used.d.next = self.buffers_used.q.val() + 1;
            }
        } else if self.frees_buffer.q.val() {
            self.buffers_used.d.next = self.buffers_used.q.val() - 1;
        }
        // The buffer can be filled again a cycle after its instruction went to the read stage: a step of the next one that
        // may begin then writes no beat before the read stage has read it, since both go through the beats in order. (The
        // soonest are the upper beats of an instruction without threads in the lower half-warp.)
        self.frees_buffer.d.next = self.injected.val();
        self.buffer.read_buffer.next = self.c_read_buffer.val();
        self.buffer.read_beat.next = self.c_read_beat.val();
        for i in 0..LANES {
            self.c_gathered[i].next = self.buffer.lane[i].val();
        }

        // Errors: the selection's leader is the lowest thread at fault.
        self.leader_above.next = 0.into();
        match self.h_indexing.val().access.index() {
            0 => {}
            3 => self.leader_above.next = self.select.leader.val() & 3,
            _ => self.leader_above.next = self.select.leader.val() & 1,
        }
        self.misaligned.next = self.leader_above.val().any();
        if self.h_fault.val() && !self.stopped.val() {
            self.error.d.next.code = self.codes.val().shared_range;
            if self.h_indexing.val().constant {
                self.error.d.next.code = self.codes.val().constant_range;
                if self.misaligned.val() {
                    self.error.d.next.code = self.codes.val().constant_misaligned;
                }
            } else if self.misaligned.val() {
                self.error.d.next.code = self.codes.val().shared_misaligned;
            }
            self.error_tag.d.next = self.h_placed.val().tag;
            self.error.d.next.warp = self.h_placed.val().warp;
            self.error.d.next.pc = self.h_placed.val().pc;
            self.error.d.next.address = bit_cast::<32, 16>(self.select.leader.val());
        }
        if self.stopped.val() || self.c_clear.val() {
            self.held.d.next = 0.into();
            self.places_busy.d.next = 0.into();
            self.tail.d.next = 0.into();
            self.storing.d.next = 0.into();
            self.ready.d.next = 0.into();
            self.next_place.d.next = 0.into();
            self.next_upper.d.next = false;
            self.e_valid.d.next = false;
            self.h_valid.d.next = false;
            self.gathered.d.next = 0.into();
        }
        if self.c_clear.val() {
            self.error.d.next = self.no_error.val();
            self.h_buffer.d.next = false;
            self.inject_buffer.d.next = false;
            self.frees_buffer.d.next = false;
            self.buffers_used.d.next = 0.into();
            self.b.d.next.valid = false;
        }
        self.c_error.next = self.error.q.val();
        self.c_error_tag.next = self.error_tag.q.val();
        self.c_idle.next = !self.a0_issued.val().valid
            && !self.a1_beat.val().valid
            && !self.a2_store.q.val()
            && !self.places_busy.q.val().any()
            && !self.b_step.val().valid
            && !self.g.q.val().threads.any();
    }
}
