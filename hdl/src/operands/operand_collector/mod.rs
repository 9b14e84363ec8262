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
use crate::count::up_down;
use address_file::AddressFile;
use bank_select::BankSelect;
use flexgrip_machine::code;
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
#[circuit]
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
    addresses: WarpQueue<18, 36, LANES>,
    data: WarpQueue<32, 64, LANES>,
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
}

impl<const LANES: usize> OperandCollector<LANES> {
    /// The lanes of a beat, in bits 0..LANES.
    const LANE_MASK: Bits<32> = Bits::new(0xffff_ffff >> (32 - LANES));

    /// Half-warps that a beat completes, if it completes any.
    const HALVES: u64 = if LANES == 32 { 2 } else { 1 };

    /// An idle collector.
    pub fn new() -> Self {
        const { Lanes::assert(LANES) };
        OperandCollector {
            address_file: AddressFile::new(),
            addresses: WarpQueue::new(),
            data: WarpQueue::new(),
            select: BankSelect::new(),
            ..Default::default()
        }
    }
}

/// The bits of an address that are 0 in an aligned access of this type.
#[hdl_fn]
fn alignment(access: Bits<2>) -> Bits<2> {
    match access.index() {
        0 => bits(0),
        3 => bits(3),
        _ => bits(1),
    }
}

impl<const LANES: usize> Logic for OperandCollector<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let launched = self.c_launch_warp.val();
        self.shared_row.write_enable.next = self.c_launch.val();
        self.shared_row.write_address.next = launched.warp;
        self.shared_row.write_data.next = launched.shared_row;

        let stopped = self.error.q.val().code.any();
        self.answer_scheduler();
        self.look_up_addresses();
        let ready = self.compute_addresses(stopped);
        let b_proceeds = self.access_banks();
        let (h_proceeds, h_done) = self.choose_step(b_proceeds, stopped);
        self.hand_over_step(b_proceeds, h_proceeds, h_done);
        self.take_half_warp(ready, h_done, stopped);
        self.gather_words(b_proceeds, h_proceeds);
        let injected = self.inject_instruction(b_proceeds, stopped);
        self.track_resources(injected, b_proceeds, h_proceeds);
        self.find_fault(stopped);
        self.clear(stopped);
    }
}

impl<const LANES: usize> OperandCollector<LANES> {
    /// What the scheduler needs to know before an issue.
    #[hdl_part]
    fn answer_scheduler(&mut self) {
        let tail = self.tail.q.val();
        if self.c_takes_place.val() {
            self.tail.d.next = tail + 1;
        }
        self.c_held.next = self.held.q.val();
        self.c_room.next = !self.places_busy.q.val().get_bit(tail.index());
        self.c_storing.next = self.storing.q.val().any();
    }

    /// Held warps, places and buffers. The instruction that is injected frees its own; R2G frees its place with its last step.
    #[hdl_part]
    fn track_resources(&mut self, injected: Bit, b_proceeds: Bit, h_proceeds: Bit) {
        let step = self.b.q.val();
        let last = b_proceeds && step.last;
        let stored = last && !step.gathers;
        let inject = self.c_inject.val();
        let indexing = self.placed.read_data.val().indexing;
        let allocates = h_proceeds && indexing.gathers && self.h_first.q.val() && !self.h_upper.q.val();

        let held = mask(self.c_holds.val(), self.c_issued.val().warp.one_hot::<32>());
        let released = mask(injected, inject.warp.one_hot::<32>());
        self.held.d.next = (self.held.q.val() | held) & !released;
        let taken = mask(self.c_takes_place.val(), self.tail.q.val().one_hot::<4>());
        let freed = mask(injected, self.gathered_place.read_data.val().one_hot::<4>())
            | mask(stored, step.place.one_hot::<4>());
        self.places_busy.d.next = (self.places_busy.q.val() | taken) & !freed;
        let stores = self.c_takes_place.val() && !self.c_holds.val();
        self.storing.d.next = up_down::<3>(self.storing.q.val(), stores, stored);
        self.gathered.d.next = up_down::<2>(self.gathered.q.val(), last && step.gathers, injected);
        // The buffer can be refilled a cycle after its instruction went to the read stage: a step of the next one that
        // may start then writes no beat before the read stage has read it, because both process the beats in order.
        // (The earliest such writes are the upper beats of an instruction without threads in the lower half-warp.)
        self.frees_buffer.d.next = injected;
        self.buffers_used.d.next = up_down::<2>(self.buffers_used.q.val(), allocates, self.frees_buffer.q.val());
    }

    /// An illegal access in h: the selection's leader is then the lowest faulting thread.
    #[hdl_part]
    fn find_fault(&mut self, stopped: Bit) {
        let instruction = self.placed.read_data.val();
        let address = self.select.leader.val();
        let misaligned = (address.low::<2>() & alignment(instruction.indexing.access)).any();
        if self.h_valid.q.val() && self.h_faulty.q.val() && !stopped {
            let code = if instruction.indexing.constant {
                if misaligned {
                    bits::<4>(code::CONSTANT_MISALIGNED as u64)
                } else {
                    bits(code::CONSTANT_RANGE as u64)
                }
            } else if misaligned {
                bits(code::SHARED_MISALIGNED as u64)
            } else {
                bits(code::SHARED_RANGE as u64)
            };
            self.error.d.next =
                KernelError { code, warp: instruction.warp, pc: instruction.pc, address: address.resize() };
            self.error_tag.d.next = instruction.tag;
        }
        self.c_error.next = self.error.q.val();
        self.c_error_tag.next = self.error_tag.q.val();
    }

    /// After an error everything is dropped but the step in b; the start of a grid drops that, too.
    #[hdl_part]
    fn clear(&mut self, stopped: Bit) {
        if stopped || self.c_clear.val() {
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
            self.error.d.next = KernelError::default();
            self.h_buffer.d.next = false;
            self.inject_buffer.d.next = false;
            self.frees_buffer.d.next = false;
            self.buffers_used.d.next = 0.into();
            self.b.d.next.valid = false;
        }
        self.c_idle.next = !self.a0.q.val().valid
            && !self.a1.q.val().valid
            && !self.a2_store.q.val()
            && !self.places_busy.q.val().any()
            && !self.b.q.val().valid
            && !self.g.q.val().threads.any();
    }
}
