//! The operand collector: fetches operands from per-thread addresses in shared or constant memory, and executes R2G,
//! which stores to such addresses.
//!
//! ```text
//! cycle   a0                 a1                      e                h                  b               g
//!         address file,      address = A + offset;   a half-warp      a step: which      rows and words  words to their
//!         execution mask     checks; into the        out of the       threads it serves  to the banks    threads' places
//!         (a beat a cycle)   queue of half-warps     queue                                               in the buffer
//! ```
//! In the cycle after b of its last step, `c_inject` offers the instruction to the read stage, with its operands gathered.
//!
//! An instruction with such an operand goes from the scheduler to the collector, and to the read stage when its operand
//! is there; until then its warp is held, so that nothing overtakes it. Other warps keep issuing. R2G goes to the
//! collector and the read stage at once: its addresses come from here, its data from there. So do A2R and ADA, only for
//! the address file, and LLD and LST, for their addresses.
//!
//! The collector serves its instructions in issue order, half-warp by half-warp, a step at a time ([`BankSelect`]): a
//! half-warp takes as many steps as its threads conflict in the banks, and a step takes as many cycles as it has beats
//! (two with 8 lanes: the data path is LANES words wide, at most 16).
//!
//! | resource | how many | taken | free again |
//! |---|---|---|---|
//! | places | 4 | issue | injection, or b of the last step of R2G |
//! | buffers | 2 | h of the first step | a cycle after the injection |
//!
//! **Errors.** An illegal access is found at h, before its half-warp has any effect; it and everything after it is
//! dropped. A step in b continues.
//!
//! **Post-increment** writes the address file in a1. The scheduler ensures that no result for an address register comes
//! in the same cycle (`c_incrementing`).

pub mod address_file;
mod addresses;
pub mod bank_select;
mod gather;
pub mod gather_buffer;
mod steps;
pub mod warp_queue;

use crate::bundles::*;
use address_file::AddressFile;
use bank_select::BankSelect;
use flexgrip_machine::sizes::Lanes;
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
    /// The address register has been written; else it reads as 0.
    pub live: Bit,
    pub fill: Bit,
    /// The beat does not repeat for another register.
    pub complete: Bit,
    /// The instruction's place in the queue.
    pub place: Bits<2>,
    pub beat: Bits<2>,
    /// Lanes that execute.
    pub lanes: Bits<32>,
}

/// State needed after a1 of an instruction that gathers or scatters; the rest waits for the injection.
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
    // A warp begins: its base in shared memory.
    pub c_launch: Signal<In, Bit>,
    pub c_launch_warp: Signal<In, WarpLaunch>,
    // From the scheduler: an instruction that uses the address file.
    pub c_take: Signal<In, Bit>,
    /// Whether the instruction gathers or scatters, and whether it gathers.
    pub c_takes_place: Signal<In, Bit>,
    pub c_holds: Signal<In, Bit>,
    pub c_issued: Signal<In, Issued>,
    /// The next cycle can take an instruction.
    pub c_slot: Signal<Out, Bit>,
    /// There is a place for an instruction that gathers or scatters.
    pub c_room: Signal<Out, Bit>,
    /// An R2G is in flight.
    pub c_storing: Signal<Out, Bit>,
    /// A post-increment is in flight.
    pub c_incrementing: Signal<Out, Bit>,
    /// Warps whose instruction has not reached the read stage yet.
    pub c_held: Signal<Out, Bits<32>>,
    // The read stage determines the execution mask, in a0 of the first beat.
    pub c_first: Signal<Out, Bit>,
    pub c_query: Signal<Out, MaskQuery>,
    pub c_executed: Signal<In, Bits<32>>,
    /// In a1: the beat's address registers, or for LLD and LST the addresses. For LLD, LST, R2G, A2R and ADA, a1 is r1.
    pub c_address: [Signal<Out, Bits<16>>; LANES],
    /// Source b of R2G, in the cycle after a1.
    pub c_data: [Signal<In, Bits<32>>; LANES],
    // To the read stage: an instruction with a gathered operand. Taken in a cycle with valid and ready.
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
    /// The tag of the faulting instruction.
    pub c_error_tag: Signal<Out, Bits<16>>,
    pub c_idle: Signal<Out, Bit>,
    /// The cycle is lost to a bank conflict: a shared memory step after a half-warp's first one.
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
    /// A store of several registers repeats each beat for each register, as in the read stage.
    a0_part: DFF<Bits<2>>,
    /// Whether the beat is an instruction's first, and its last.
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
    /// Executing threads; for the trace.
    h_threads: DFF<Bits<16>>,
    /// Some thread's access is illegal. The pending threads are then those at fault.
    h_faulty: DFF<Bit>,
    h_first: DFF<Bit>,
    h_again: DFF<Bit>,
    h_odd: DFF<Bit>,
    h_place: DFF<Bits<2>>,
    h_upper: DFF<Bit>,
    h_pending: DFF<Bits<16>>,
    /// Threads that the step serves, as found in its first phase: the end of the second phase needs them early.
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
    /// Bits of a beat's number within a half-warp.
    half_mask: Constant<Bits<2>>,
    /// Half-warps completed by such a beat.
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
    /// Limit of the memory, in units of 64 bytes.
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
    pub fn new() -> Self {
        const { Lanes::assert(LANES) };
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

        self.take_issued();
        self.look_up_addresses();
        self.compute_addresses();
        self.find_way_to_banks();
        self.choose_step();
        self.hand_step_on();
        self.take_half_warp();
        self.access_banks();
        self.gather_words();
        self.inject_instruction();
        self.find_faults();
    }
}

impl<const LANES: usize> OperandCollector<LANES> {
    /// Issue: an instruction takes a place, and its warp is held.
    #[hdl_part]
    fn take_issued(&mut self) {
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
    }

    /// Stage b: whether the step's path to the banks is free.
    #[hdl_part]
    fn find_way_to_banks(&mut self) {
        self.b_step.next = self.b.q.val();
        self.b_gather.next = self.b_step.val().gather;
        self.b_blocked.next = self.shared_busy.val();
        if !self.b_step.val().gathers {
            self.b_blocked.next = self.shared_init_busy.val();
        } else if self.b_gather.val().constant {
            self.b_blocked.next = self.constant_busy.val();
        }
        self.b_go.next = self.b_step.val().valid && !self.b_blocked.val();
    }

    /// Errors: the selection's leader is the lowest faulting thread.
    #[hdl_part]
    fn find_faults(&mut self) {
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
