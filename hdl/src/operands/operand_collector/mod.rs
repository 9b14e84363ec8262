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
//! in the same cycle (`collect_incrementing`).

pub mod address_file;
mod addresses;
pub mod bank_select;
pub mod gather_buffer;
mod steps;
pub mod warp_queue;

use crate::bundles::*;
use crate::count::up_down;
use crate::memory::shared::BankMasterPort;
use address_file::{AddressFile, AddressWritePort};
use bank_select::BankSelect;
use flexgrip_machine::code;
use gather_buffer::{GatherBuffer, GatherStep};
use hdlkit::prelude::*;
use warp_queue::{QueueWrite, WarpQueue};

/// The instruction in a0, and which of its beats.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LookupBeat {
    pub issued: Issued,
    pub place: Bits<2>,
    pub beat: Bits<2>,
    /// A store of several registers repeats each beat for each register, as in the read stage.
    pub part: Bits<2>,
    /// The instruction's first beat, and its last.
    pub first: Bit,
    pub last: Bit,
    /// The execution mask of this beat's threads and all later ones, from bit 0 on; undefined in the first beat.
    pub executed: Bits<32>,
}

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

/// The half-warps in the queue. A half-warp is known by its instruction's place and, in bit 0, whether it is the upper one.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct HalfWarpQueue {
    /// How many have their addresses, for R2G their data too.
    pub ready: Bits<4>,
    /// The next one.
    pub next_half: Bits<3>,
    /// The one in e, if it is there.
    pub valid: Bit,
    pub half: Bits<3>,
}

/// The half-warp in h, whose addresses are beside it, and its step.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct HalfWarp {
    pub valid: Bit,
    pub place: Bits<2>,
    pub upper: Bit,
    /// Executing threads; for the trace.
    pub threads: Bits<16>,
    /// Some thread's access is illegal. The pending threads are then those at fault.
    pub faulty: Bit,
    pub pending: Bits<16>,
    /// The first phase of the first step; a later step; the second phase of a step.
    pub first: Bit,
    pub again: Bit,
    pub odd: Bit,
}

/// A step on its way to the banks.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BankStep {
    pub valid: Bit,
    pub gathers: Bit,
    /// The instruction's last step.
    pub last: Bit,
    pub place: Bits<2>,
    /// In constant memory.
    pub address: Bits<16>,
    pub gather: GatherStep,
}

/// The places, and the instructions and warps in them.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Places {
    /// Warps whose instruction has not reached the read stage yet.
    pub held: Bits<32>,
    pub busy: Bits<4>,
    /// The next instruction's.
    pub tail: Bits<2>,
    /// Number of R2Gs, and of instructions with gathered operands that wait for the read stage.
    pub storing: Bits<3>,
    pub gathered: Bits<2>,
}

/// The two buffers.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Buffers {
    pub used: Bits<2>,
    /// One becomes free.
    pub frees: Bit,
    /// The buffer that is filled, and the one of the next injection.
    pub fill: Bit,
    pub inject: Bit,
}

/// Instructions for the collector, from the scheduler, and what it needs to know before it issues one.
#[interface(mirror = CollectMasterPort)]
pub struct CollectPort {
    /// An instruction that uses the address file.
    pub issued: Signal<In, Issued>,
    /// It gathers or scatters; it gathers.
    pub takes_place: Signal<In, Bit>,
    pub holds: Signal<In, Bit>,
    /// The next cycle can take an instruction.
    pub slot: Signal<Out, Bit>,
    /// There is a place for an instruction that gathers or scatters.
    pub room: Signal<Out, Bit>,
    /// An R2G is in flight.
    pub storing: Signal<Out, Bit>,
    /// A post-increment is in flight.
    pub incrementing: Signal<Out, Bit>,
    /// Warps whose instruction has not reached the read stage yet.
    pub held: Signal<Out, Bits<32>>,
}

/// Masks for the collector, from the read stage, and its operands.
#[interface(mirror = CollectedMasterPort)]
pub struct CollectedPort<const LANES: usize> {
    /// In a0 of an instruction's first beat; the answer comes in the same cycle. Never valid in a cycle in which another
    /// instruction's first beat is in r0.
    pub query: Signal<Out, MaskQuery>,
    pub executed: Signal<In, Bits<32>>,
    /// The beat in r1, 0 if it has no gathered operand; and the operand.
    pub buffer: Signal<In, Bit>,
    pub beat: Signal<In, Bits<2>>,
    pub gathered: [Signal<Out, Bits<32>>; LANES],
    /// In a1: the beat's address registers, or for LLD and LST the addresses. For LLD, LST, R2G, A2R and ADA, a1 is r1.
    pub address: [Signal<Out, Bits<16>>; LANES],
}

/// The operand collector of an SM.
#[circuit]
pub struct OperandCollector<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// Start of a grid.
    pub c_clear: Signal<In, Bit>,
    pub shared_rows: Signal<In, Bits<9>>,
    /// A warp begins: its base in shared memory.
    pub begins: Signal<In, WarpBegin>,
    pub collect: CollectPort,
    pub collected: CollectedPort<LANES>,
    /// Source b of R2G, in the cycle after a1.
    pub c_data: [Signal<In, Bits<32>>; LANES],
    // To the read stage: an instruction with a gathered operand. Taken in a cycle with valid and ready.
    pub c_inject: Signal<Out, Issued>,
    pub c_inject_ready: Signal<In, Bit>,
    /// Results for address registers, from writeback.
    pub w_address: AddressWritePort<LANES>,
    // Shared memory, which others may be using.
    pub shared_busy: Signal<In, Bit>,
    pub shared_init_busy: Signal<In, Bit>,
    pub banks: BankMasterPort,
    // Constant memory.
    pub constant_busy: Signal<In, Bit>,
    pub constant_enable: Signal<Out, Bit>,
    pub constant_address: Signal<Out, Bits<16>>,
    pub constant_word: Signal<In, Bits<32>>,
    /// Stays until `c_clear`.
    pub c_error: Signal<Out, TaggedError>,
    pub c_idle: Signal<Out, Bit>,
    /// The cycle is lost to a bank conflict: a shared memory step after a half-warp's first one.
    pub c_conflict: Signal<Out, Bit>,
    // For the trace: R2G's accesses, a half-warp at a time, and post-increments, a beat at a time.
    pub c_store: Signal<Out, HalfWarp>,
    pub c_store_instruction: Signal<Out, PlacedInstruction>,
    pub c_store_address: [Signal<Out, Bits<16>>; 16],
    pub c_store_data: [Signal<Out, Bits<32>>; 16],
    pub c_increment: Signal<Out, AddressBeat>,
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
    places: DFF<Places>,
    buffers: DFF<Buffers>,
    a0: DFF<LookupBeat>,
    a1: DFF<AddressBeat>,
    a2: DFF<QueueWrite>,
    e: DFF<HalfWarpQueue>,
    h: DFF<HalfWarp>,
    h_address: [DFF<Bits<16>>; 16],
    h_served_first: DFF<Bits<16>>,
    b: DFF<BankStep>,
    b_place: [DFF<Bits<6>>; 16],
    g: DFF<GatherStep>,
    g_place: [DFF<Bits<6>>; 16],
    error: DFF<TaggedError>,
}

impl<const LANES: usize> OperandCollector<LANES> {
    /// The lanes of a beat, in bits 0..LANES.
    const LANE_MASK: Bits<32> = Bits::new(0xffff_ffff >> (32 - LANES));

    /// Half-warps that a beat completes, if it completes any.
    const HALVES: u64 = if LANES == 32 { 2 } else { 1 };
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
        let begins = self.begins.val();
        self.shared_row.write(begins.valid, begins.launch.warp, begins.launch.shared_row);

        let stopped = self.error.q.val().error.code.any();
        self.look_up_addresses();
        let ready = self.compute_addresses(stopped);
        let b_proceeds = self.access_banks();
        let (h_proceeds, h_done) = self.choose_step(b_proceeds, stopped);
        self.hand_over_step(b_proceeds, h_proceeds, h_done);
        self.take_half_warp(ready, h_done, stopped);
        self.gather_words(b_proceeds, h_proceeds);
        let injected = self.inject_instruction(b_proceeds, stopped);
        self.track_places(injected, b_proceeds);
        self.track_buffers(injected, h_proceeds, h_done);
        self.find_fault(stopped);
        self.clear(stopped);
    }
}

impl<const LANES: usize> OperandCollector<LANES> {
    /// Held warps and places, and what the scheduler needs to know of them before an issue. The instruction that is injected
    /// frees its own place; R2G frees its place with its last step.
    #[hdl_part]
    fn track_places(&mut self, injected: Bit, b_proceeds: Bit) {
        let places = self.places.q.val();
        let step = self.b.q.val();
        let last = b_proceeds && step.last;
        let stored = last && !step.gathers;
        let takes = self.collect.takes_place.val();
        let held = mask(self.collect.holds.val(), self.collect.issued.val().warp.one_hot::<32>());
        let released = mask(injected, self.c_inject.val().warp.one_hot::<32>());
        let taken = mask(takes, places.tail.one_hot::<4>());
        let freed = mask(injected, self.gathered_place.read_data.val().one_hot::<4>())
            | mask(stored, step.place.one_hot::<4>());
        self.places.d.next = Places {
            held: (places.held | held) & !released,
            busy: (places.busy | taken) & !freed,
            tail: if takes { places.tail + 1 } else { places.tail },
            storing: up_down::<3>(places.storing, takes && !self.collect.holds.val(), stored),
            gathered: up_down::<2>(places.gathered, last && step.gathers, injected),
        };
        self.collect.held.next = places.held;
        self.collect.room.next = !places.busy.get_bit(places.tail.index());
        self.collect.storing.next = places.storing.any();
    }

    /// A buffer can be refilled a cycle after its instruction went to the read stage: a step of the next one that may start
    /// then writes no beat before the read stage has read it, because both process the beats in order. (The earliest such
    /// writes are the upper beats of an instruction without threads in the lower half-warp.)
    #[hdl_part]
    fn track_buffers(&mut self, injected: Bit, h_proceeds: Bit, h_done: Bit) {
        let buffers = self.buffers.q.val();
        let h = self.h.q.val();
        let gathers = self.placed.read_data.val().indexing.gathers;
        let allocates = h_proceeds && gathers && h.first && !h.upper;
        self.buffers.d.next = Buffers {
            used: up_down::<2>(buffers.used, allocates, buffers.frees),
            frees: injected,
            fill: buffers.fill ^ (h_done && h.upper && gathers),
            inject: buffers.inject ^ injected,
        };
    }

    /// An illegal access in h: the selection's leader is then the lowest faulting thread.
    #[hdl_part]
    fn find_fault(&mut self, stopped: Bit) {
        let h = self.h.q.val();
        let instruction = self.placed.read_data.val();
        let address = self.select.leader.val();
        let misaligned = (address.low::<2>() & alignment(instruction.indexing.access)).any();
        if h.valid && h.faulty && !stopped {
            let (if_misaligned, if_outside) = if instruction.indexing.constant {
                (bits::<4>(code::CONSTANT_MISALIGNED as u64), bits::<4>(code::CONSTANT_RANGE as u64))
            } else {
                (bits(code::SHARED_MISALIGNED as u64), bits(code::SHARED_RANGE as u64))
            };
            let code = if misaligned { if_misaligned } else { if_outside };
            self.error.d.next = TaggedError {
                error: KernelError { code, warp: instruction.warp, pc: instruction.pc, address: address.resize() },
                tag: instruction.tag,
            };
        }
        self.c_error.next = self.error.q.val();
    }

    /// After an error everything is dropped but the step in b; the start of a grid drops that, too.
    #[hdl_part]
    fn clear(&mut self, stopped: Bit) {
        if stopped || self.c_clear.val() {
            self.places.d.next = Places::default();
            self.e.d.next.ready = 0.into();
            self.e.d.next.next_half = 0.into();
            self.e.d.next.valid = false;
            self.h.d.next.valid = false;
        }
        if self.c_clear.val() {
            self.error.d.next.error = KernelError::default();
            self.buffers.d.next = Buffers::default();
            self.b.d.next.valid = false;
        }
        self.c_idle.next = !self.a0.q.val().issued.valid
            && !self.a1.q.val().valid
            && !self.a2.q.val().enable
            && !self.places.q.val().busy.any()
            && !self.b.q.val().valid
            && !self.g.q.val().threads.any();
    }
}
