//! The read stage: splits an instruction into beats, computes its execution mask, and fetches its operands.
//!
//! ```text
//! cycle   r0 (once a beat)               r1                              x1
//!         register rows to the file      register contents arrive        operands, registered
//!         condition code -> mask         shared and constant words       for the lanes
//!         shared, constant addresses     arrive; select operands;
//!                                        a faulting beat is dropped
//! ```
//! The condition code itself is read one cycle earlier, when the instruction issues or is injected by the collector.
//!
//! A warp instruction takes 32/LANES beats, one a cycle; with `r_slot` the next instruction may follow. An instruction
//! with operands of several registers (a store of 64 or 128 bits, an atomic or double operation) repeats each beat for
//! each register (`part`). The execution mask is computed for the whole warp in the first beat and kept: the
//! instruction's own marker may change the active mask while its later beats are still in the stage.
//!
//! Uniform operands in shared and constant memory, the same for all threads, are read in the first beat. Per-thread
//! operands arrive from the operand collector in r1.

mod dispatch;
mod fetch_operands;
mod operand_lane;
mod participants;
mod select_operands;

use crate::bundles::*;
use crate::memory::global::AccessMasterPort;
use crate::memory::locks::LockWinner;
use crate::memory::shared::UniformMasterPort;
use crate::operands::operand_collector::CollectedMasterPort;
use crate::operands::predicate_file::CodePlanes;
use crate::operands::register_file::{RegisterFaults, RegisterReaderPort};
use crate::optional::optional;
use crate::stage_ports::DispatchPort;
use flexgrip_machine::{Capability, Protect};
use hdlkit::prelude::*;
use operand_lane::{OperandGates, OperandLane};

/// First rows of a warp's registers and of its block's shared memory.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WarpContext {
    pub row: Bits<9>,
    pub shared_row: Bits<8>,
}

/// Pipeline register between r0 and r1: a beat.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ReadBeat {
    pub valid: Bit,
    pub issued: Issued,
    pub beat: Bits<2>,
    pub last: Bit,
    /// Row of the destination's register.
    pub row: Bits<9>,
    /// Participants of this beat, in bits 0..LANES.
    pub participants: Participants,
    pub first: Bit,
    /// The constant operand is the upper half of its word.
    pub constant_upper: Bit,
    /// The select lines of the shared operand.
    pub shared: SharedGates,
    /// The shared operand ends past the block's shared memory.
    pub shared_outside: Bit,
    /// Index of the register that is operand b, 0 to 3, in an instruction that repeats its beats. Of a double
    /// instruction: 1 if the operands are the pairs' second registers.
    pub part: Bits<2>,
    /// The beat's last part, or its only one.
    pub complete: Bit,
    /// Operand a, if it is an immediate value or a special register (except the lane's number in the physical id); else
    /// 0.
    pub value: Bits<32>,
    /// Operand a contains the lane's number; it is the condition code.
    pub a_number: Bit,
    pub a_code: Bit,
    pub a: OperandGates,
    pub b: OperandGates,
    pub c: OperandGates,
    /// The beat is valid and for the integer unit; the float unit; the special function units; a memory instruction or
    /// R2G.
    pub for_integer: Bit,
    pub for_float: Bit,
    pub for_special: Bit,
    pub for_memory: Bit,
}

/// Threads that execute an instruction, and the condition codes of all threads.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Participants {
    pub threads: Bits<32>,
    pub codes: CodePlanes,
}

/// Position of the beat in r0 within its instruction.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BeatPosition {
    pub first: Bit,
    pub last: Bit,
    /// The beat's last part, or its only one.
    pub complete: Bit,
}

/// Select lines for the parts of a shared word that form operand a, ORed together; all low if it is not a shared
/// operand. They are computed in r0: after a block RAM and the multiplexer of 16 banks there is no time left to decode
/// an access.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SharedGates {
    /// Bytes 0 to 3 of the word, as byte 0 of the operand.
    pub lowest: Bits<4>,
    /// Byte 1 or byte 3 of the word, as byte 1.
    pub second_of_lower: Bit,
    pub second_of_upper: Bit,
    /// The word's upper half.
    pub upper: Bit,
    /// Sign extension: bit 15 or bit 31 of the word, as all bits of the upper half.
    pub sign_of_lower: Bit,
    pub sign_of_upper: Bit,
}

/// The read stage of an SM.
#[circuit]
pub struct Read<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub shared_rows: Signal<In, Bits<9>>,
    pub begins: Signal<In, WarpBegin>,
    /// The number of the SM in the chip.
    pub r_multiprocessor: Signal<In, Bits<8>>,
    /// The cycle in which the instruction in r0 issued, if it reads the clock.
    pub r_clock: Signal<In, Bits<32>>,
    // An instruction from the scheduler, or injected by the collector.
    pub r_issued: Signal<In, Issued>,
    pub r_slot: Signal<Out, Bit>,
    // The active mask of `r_warp`, in the same cycle; the condition codes of the last instruction sent to this stage or
    // to the collector.
    pub r_warp: Signal<Out, Bits<5>>,
    pub r_active: Signal<In, Bits<32>>,
    pub r_codes: Signal<In, CodePlanes>,
    /// The port to the operand collector.
    pub collected: CollectedMasterPort<LANES>,
    pub registers: RegisterReaderPort<LANES>,
    pub uniform: UniformMasterPort,
    // Constant memory: a word in the next cycle.
    pub r_constant_enable: Signal<Out, Bit>,
    pub r_constant_address: Signal<Out, Bits<16>>,
    pub r_constant_word: Signal<In, Bits<32>>,
    /// The request to the branch unit, in r1 of the first beat.
    pub r_control: Signal<Out, ControlRequest>,
    /// The beat for the execute stage.
    pub x: DispatchPort<LANES>,
    /// The control for the special function units; unchanged without a beat for them.
    pub x_special: Signal<Out, SpecialControl>,
    /// The beat for the memory unit. Without a beat for it, these signals change only for R2G, whose data the collector
    /// takes, and for faulting beats.
    pub m: AccessMasterPort<LANES>,
    pub r_error: Signal<Out, KernelError>,
    /// No beat is in the stage.
    pub r_idle: Signal<Out, Bit>,
    /// Threads that execute the instruction in r0, in its first beat (else 0), for the counters.
    pub r_executed: Signal<Out, Bits<32>>,
    /// An instruction's first beat is in r0; its tag, for the trace.
    pub r_mask_valid: Signal<Out, Bit>,
    pub r_mask_tag: Signal<Out, Bits<16>>,

    warp_context: LutRam<5, WarpContext>,
    lane: [OperandLane; LANES],
    r0: DFF<Issued>,
    r0_beat: DFF<Bits<2>>,
    r0_part: DFF<Bits<2>>,
    /// Participants of this beat and all later ones; the beat's are in bits 0..LANES.
    r0_participants: DFF<Participants>,
    r1: DFF<ReadBeat>,
    /// Threads that execute the instruction whose first beat is in r1.
    r1_executed: DFF<Bits<32>>,
    /// The instruction in r1 has faulted in its first beat: it has no effect.
    r1_fault: DFF<Bit>,
    r1_control: DFF<ControlRequest>,
    r1_shared: DFF<Bits<32>>,
    r1_constant: DFF<Bits<32>>,
    x1: DFF<DispatchedBeat>,
    x1_integer: DFF<IntegerControl>,
    x1_float: DFF<FloatControl>,
    x1_quad: DFF<QuadControl>,
    x1_special: DFF<SpecialControl>,
    m1_control: DFF<MemoryControl>,
    m1_lanes: DFF<Bits<32>>,

    /// Double instructions exist: capability 1.3. The control of the double beat in `x`, if they do.
    doubles: Constant<Bit>,
    pub x_double: Vec<Signal<Out, DoubleBeat>>,
    x1_double: Vec<DFF<DoubleBeat>>,
    /// VOTE and G2R.LCK exist: capability 1.2. If they do: the warp in r1, and the thread that got the lock in the
    /// warp's last G2R.LCK.
    since_1_2: Constant<Bit>,
    pub lock_warp: Vec<Signal<Out, Bits<5>>>,
    pub lock_winner: Vec<Signal<In, LockWinner>>,
    /// Atomic operations exist: capability 1.1. The operation of the beat in `m`, if they do.
    atomics: Constant<Bit>,
    pub m_atomic: Vec<Signal<Out, AtomicOperation>>,
    m1_atomic: Vec<DFF<AtomicOperation>>,
    /// The register file and shared memory have check bits. If they have: the uncorrectable parts of the words that r1
    /// receives, and the error if the beat in r1 uses such a part.
    has_check_bits: Constant<Bit>,
    pub register_faults: Vec<Signal<In, RegisterFaults>>,
    pub shared_faults: Vec<Signal<In, Bits<4>>>,
    pub r_uncorrectable: Vec<Signal<Out, KernelError>>,
}

impl<const LANES: usize> Read<LANES> {
    /// The lanes of a beat, in bits 0..LANES.
    const LANE_MASK: Bits<32> = Bits::new(0xffff_ffff >> (32 - LANES));

    /// Returns the read stage of an SM of this capability and protection.
    pub fn new(capability: Capability, protect: Protect) -> Self {
        let protected = protect.has_check_bits();
        let atomics = capability.has_atomics();
        let since_1_2 = capability >= Capability::V1_2;
        let doubles = capability.has_doubles();
        Read {
            doubles: Constant::new(doubles),
            x_double: optional(doubles),
            x1_double: optional(doubles),
            since_1_2: Constant::new(since_1_2),
            lock_warp: optional(since_1_2),
            lock_winner: optional(since_1_2),
            atomics: Constant::new(atomics),
            m_atomic: optional(atomics),
            m1_atomic: optional(atomics),
            has_check_bits: Constant::new(protected),
            register_faults: optional(protected),
            shared_faults: optional(protected),
            r_uncorrectable: optional(protected),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for Read<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let begins = self.begins.val();
        let launch = begins.launch;
        self.warp_context.write(
            begins.valid,
            launch.warp,
            WarpContext { row: launch.row, shared_row: launch.shared_row },
        );

        // Stage r0: a beat of the instruction that has issued.
        let issued = self.r0.q.val();
        let position = self.count_beats(issued);
        self.r1.d.next = self.describe_beat(issued, position);
        if self.since_1_2.val() {
            self.vote(issued, position.first);
        }
        if self.doubles.val() {
            self.select_second_registers(issued);
        }
        self.request_control(issued, position.first);

        // Stage r1: the words that the beat reads have arrived.
        let beat = self.r1.q.val();
        let proceeds = self.find_fault(beat);
        self.merge_lanes(beat);
        self.dispatch(beat, proceeds);
        if self.atomics.val() {
            self.dispatch_atomic(beat);
        }
        if self.since_1_2.val() {
            self.dispatch_lock(beat);
        }
        if self.doubles.val() {
            self.dispatch_double(beat, proceeds);
        }
        if self.has_check_bits.val() {
            self.check_words(beat);
        }
        self.r_idle.next = !issued.valid && !beat.valid && !self.x1.q.val().write.valid;
    }
}
