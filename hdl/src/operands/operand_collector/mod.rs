//! The operand collector: fetches operands from per-thread addresses in shared or constant memory, and executes R2G,
//! which stores to such addresses.
//!
//! ```text
//! cycle   a0                a1                     e              h                  b               g
//!         address file,     address = A + offset;  a half-warp    a step: which      rows and words  words to their
//!         execution mask    checks; into the       out of the     threads it serves  to the banks    threads' places
//!         (a beat a cycle)  queue of half-warps    queue                                             in the buffer
//! ```
//! In the cycle after b of its last step, `c_inject` offers the instruction to the read stage, with its operands
//! gathered.
//!
//! An instruction with such an operand issues to the collector, which injects it into the read stage when its operand
//! has been gathered. Until then its warp is held, so that no later instruction of the warp overtakes it; other warps
//! keep issuing. R2G issues to the collector and the read stage at once: its addresses are from the collector, its data
//! from the read stage. So do LLD and LST, for their addresses, and A2R and ADA, which only need the collector to read
//! the address file.
//!
//! Instructions are served in issue order, half-warp by half-warp, step by step ([`BankSelect`]). A half-warp with an
//! n-way bank conflict takes n steps. With 8 lanes a step takes two cycles, with more lanes one: the data path is LANES
//! words wide, at most 16.
//!
//! | resource | how many | taken | free again |
//! |---|---|---|---|
//! | entries | 4 | issue | injection, or b of the last step of R2G |
//! | buffers | 2 | h of the first step | a cycle after the injection |
//!
//! **Errors.** An illegal access is found in h, before its half-warp has any effect. This half-warp and all later ones
//! are dropped. A step in b completes.
//!
//! **Post-increment** writes the address file in a1. The scheduler ensures that no result for an address register
//! arrives in the same cycle (`collect.incrementing`).

pub mod address_file;
mod addresses;
pub mod bank_select;
pub mod gather_buffer;
mod locked_steps;
mod steps;
pub mod warp_queue;

use crate::bundles::*;
use crate::count::up_down;
use crate::memory::locks::{LockAccess, LockWinner, SharedLocks};
use crate::memory::shared::{BankMasterPort, SharedInit};
use crate::optional::optional;
use address_file::{AddressFile, AddressWritePort};
use bank_select::{BankSelect, HalfWarp};
use flexgrip_machine::{code, Capability, Protect};
use gather_buffer::{GatherBuffer, GatherStep};
use hdlkit::prelude::*;
use warp_queue::{QueueWrite, WarpQueue};

/// Pipeline register of a0: the instruction and its current beat.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LookupBeat {
    pub issued: Issued,
    /// The instruction's entry, if it gathers or scatters.
    pub place: Bits<2>,
    pub beat: Bits<2>,
    /// A store of several registers repeats each beat for each register, as in the read stage.
    pub part: Bits<2>,
    /// The instruction's first beat, and its last.
    pub first: Bit,
    pub last: Bit,
    /// Execution mask of this beat's threads and all later ones, from bit 0 up; undefined in the first beat.
    pub executed: Bits<32>,
}

/// Pipeline register between a0 and a1: a beat.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct AddressBeat {
    pub valid: Bit,
    pub tag: Bits<16>,
    pub warp: Bits<5>,
    pub indexing: Indexing,
    /// The address register has been written; otherwise it reads as 0.
    pub live: Bit,
    /// An increment is the address register's first write: lanes that do not execute write 0.
    pub fill: Bit,
    /// The beat is not repeated for another register.
    pub complete: Bit,
    pub place: Bits<2>,
    pub beat: Bits<2>,
    /// Mask of the lanes that execute.
    pub lanes: Bits<32>,
}

/// The fields of a gathering or scattering instruction that the stages after a1 read. Only the injection reads all of
/// its fields.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct PlacedInstruction {
    pub tag: Bits<16>,
    pub warp: Bits<5>,
    pub pc: Bits<24>,
    pub indexing: Indexing,
}

/// State of the queue of half-warps. A half-warp's number is its instruction's entry and, in bit 0, high for threads 16
/// to 31.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct HalfWarpQueue {
    /// Number of half-warps with all addresses, for R2G also with all data.
    pub ready: Bits<4>,
    /// The next half-warp to take.
    pub next_half: Bits<3>,
    /// The half-warp in e.
    pub valid: Bit,
    pub half: Bits<3>,
}

/// Pipeline register of b: a step on its way to the banks.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BankStep {
    pub valid: Bit,
    pub gathers: Bit,
    /// The instruction's last step.
    pub last: Bit,
    pub place: Bits<2>,
    /// Byte address in constant memory.
    pub address: Bits<16>,
    pub gather: GatherStep,
}

/// Pipeline register of b for accesses under a lock: beside [`BankStep`].
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LockStep {
    pub access: LockAccess,
    /// The first step of a G2R.LCK, and its last.
    pub first: Bit,
    pub last: Bit,
}

/// State of the entries, and of the instructions and warps in them.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Places {
    /// Held warps: their instruction has not reached the read stage yet.
    pub held: Bits<32>,
    pub busy: Bits<4>,
    /// The next instruction's entry.
    pub tail: Bits<2>,
    /// Number of R2Gs in flight, and of instructions with gathered operands that wait for the read stage.
    pub storing: Bits<3>,
    pub gathered: Bits<2>,
}

/// State of the two gather buffers.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Buffers {
    pub used: Bits<2>,
    /// The previous cycle injected an instruction, so its buffer becomes free.
    pub frees: Bit,
    /// The buffer that is being filled, and the buffer of the next injection.
    pub fill: Bit,
    pub inject: Bit,
}

/// Instructions from the scheduler to the collector, and the state that the scheduler checks before it issues one.
#[interface(mirror = CollectMasterPort)]
pub struct CollectPort {
    /// An instruction for the collector.
    pub issued: Signal<In, Issued>,
    /// The instruction gathers or scatters, so it occupies an entry; it gathers, so its warp is held.
    pub takes_place: Signal<In, Bit>,
    pub holds: Signal<In, Bit>,
    /// Stage a0 can take an instruction in the next cycle.
    pub slot: Signal<Out, Bit>,
    /// An entry is free for an instruction that gathers or scatters.
    pub room: Signal<Out, Bit>,
    /// An R2G is in flight.
    pub storing: Signal<Out, Bit>,
    /// A post-increment is in flight.
    pub incrementing: Signal<Out, Bit>,
    /// Held warps: their instruction has not reached the read stage yet.
    pub held: Signal<Out, Bits<32>>,
}

/// Execution masks from the read stage to the collector, and operands from the collector to the read stage.
#[interface(mirror = CollectedMasterPort)]
pub struct CollectedPort<const LANES: usize> {
    /// Valid in a0 of an instruction's first beat; `executed` is the answer in the same cycle. Never valid in a cycle
    /// in which another instruction's first beat is in r0.
    pub query: Signal<Out, MaskQuery>,
    pub executed: Signal<In, Bits<32>>,
    /// Buffer and number of the beat in r1, 0 if it has no gathered operand; and the operand.
    pub buffer: Signal<In, Bit>,
    pub beat: Signal<In, Bits<2>>,
    pub gathered: [Signal<Out, Bits<32>>; LANES],
    /// In a1: the beat's address registers, or for LLD and LST the addresses. For LLD, LST, R2G, A2R and ADA, a1
    /// coincides with r1.
    pub address: [Signal<Out, Bits<16>>; LANES],
}

/// The operand collector of an SM.
#[circuit]
pub struct OperandCollector<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// Start of a grid.
    pub c_clear: Signal<In, Bit>,
    pub shared_rows: Signal<In, Bits<9>>,
    /// A warp begins: the base of its block's shared memory.
    pub begins: Signal<In, WarpBegin>,
    pub collect: CollectPort,
    pub collected: CollectedPort<LANES>,
    /// Source b of R2G, in the cycle after a1.
    pub c_data: [Signal<In, Bits<32>>; LANES],
    // An instruction with a gathered operand, for the read stage. Taken in a cycle with valid and ready.
    pub c_inject: Signal<Out, Issued>,
    pub c_inject_ready: Signal<In, Bit>,
    /// Results for address registers, from writeback.
    pub w_address: AddressWritePort<LANES>,
    // The ports of shared memory, which is busy while other units access it.
    pub shared_busy: Signal<In, Bit>,
    pub shared_init_busy: Signal<In, Bit>,
    pub banks: BankMasterPort,
    // Constant memory; busy while other units access it.
    pub constant_busy: Signal<In, Bit>,
    pub constant_enable: Signal<Out, Bit>,
    pub constant_address: Signal<Out, Bits<16>>,
    pub constant_word: Signal<In, Bits<32>>,
    /// The first error, stays until `c_clear`.
    pub c_error: Signal<Out, TaggedError>,
    pub c_idle: Signal<Out, Bit>,
    /// Number of R2Gs in flight; the first of them is done in this cycle.
    pub c_stores: Signal<Out, Bits<3>>,
    pub c_stored: Signal<Out, Bit>,
    /// A cycle is lost to a bank conflict: a shared memory step after a half-warp's first one.
    pub c_conflict: Signal<Out, Bit>,
    // R2G's accesses, a half-warp at a time, and post-increments, a beat at a time; for the trace.
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

    /// Locks exist: capability 1.2. If they do: initialisation of shared memory, and the end of a warp; the answer to
    /// the last G2R.LCK of a warp, for the read stage; a G2R.LCK or the end of a warp with a lock is in flight.
    has_locks: Constant<Bit>,
    pub shared_init: Vec<Signal<In, SharedInit>>,
    pub ended: Vec<Signal<In, WarpSelect>>,
    pub lock_warp: Vec<Signal<In, Bits<5>>>,
    pub lock_winner: Vec<Signal<Out, LockWinner>>,
    pub c_locking: Vec<Signal<Out, Bit>>,
    locks: Vec<SharedLocks>,
    b_lock: Vec<DFF<LockStep>>,

    /// Shared memory has check bits. If it has: the uncorrectable bytes of the banks' words; the instructions of the
    /// steps in b and g; the error if a word in g that a thread takes is uncorrectable.
    has_check_bits: Constant<Bit>,
    pub bank_faults: Vec<Signal<In, Bits<64>>>,
    b_instruction: Vec<DFF<PlacedInstruction>>,
    g_instruction: Vec<DFF<PlacedInstruction>>,
    pub c_uncorrectable: Vec<Signal<Out, KernelError>>,
}

impl<const LANES: usize> OperandCollector<LANES> {
    /// The lanes of a beat, in bits 0..LANES.
    const LANE_MASK: Bits<32> = Bits::new(0xffff_ffff >> (32 - LANES));

    /// Number of half-warps that a beat completes, if it completes any.
    const HALVES: u64 = if LANES == 32 { 2 } else { 1 };

    /// Returns the collector for the instructions of this capability, and a shared memory of this protection.
    pub fn new(capability: Capability, protect: Protect) -> Self {
        let locks = capability.has_locks();
        let protected = protect.has_check_bits();
        OperandCollector {
            buffer: GatherBuffer::new(protected),
            has_check_bits: Constant::new(protected),
            bank_faults: optional(protected),
            b_instruction: optional(protected),
            g_instruction: optional(protected),
            c_uncorrectable: optional(protected),
            select: BankSelect::new(locks),
            has_locks: Constant::new(locks),
            shared_init: optional(locks),
            ended: optional(locks),
            lock_warp: optional(locks),
            lock_winner: optional(locks),
            c_locking: optional(locks),
            locks: optional(locks),
            b_lock: optional(locks),
            ..Default::default()
        }
    }
}

/// Returns the address bits that are 0 in an aligned access of this type.
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
        if self.has_locks.val() {
            self.connect_locks();
            self.access_locks(b_proceeds, h_proceeds, h_done);
        }
        if self.has_check_bits.val() {
            self.check_words(b_proceeds, h_proceeds);
        }
        self.clear(stopped);
    }
}

impl<const LANES: usize> OperandCollector<LANES> {
    /// Tracks held warps and entries, and reports to the scheduler. An injected instruction frees its entry; R2G frees
    /// its entry with its last step.
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
        self.c_stores.next = places.storing;
        self.c_stored.next = stored;
    }

    /// Tracks the gather buffers. A buffer can be refilled one cycle after its instruction has been injected: a step of
    /// the next instruction that starts then writes no beat before the read stage has read it, because both process the
    /// beats in order. (The earliest such writes are the upper beats of an instruction without threads in the lower
    /// half-warp.)
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

    /// Reports an illegal access in h. The leader is then the lowest faulting thread.
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

    /// After an error, drops everything except the step in b; at the start of a grid, drops that as well.
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
