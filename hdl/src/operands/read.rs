//! The read stage: an instruction's beats, who takes part, and the operands.
//!
//! ```text
//! cycle   r0 (once a beat)               r1                              x1
//!         register rows to the file      register contents arrive        operands, registered
//!         condition code -> mask         shared and constant words       for the lanes
//!         shared, constant addresses     arrive; choose, take halves;
//!                                        at fault: goes no further
//! ```
//! The condition code itself is read in the cycle before, when the instruction issues or comes from the collector.
//!
//! A warp instruction takes 32/LANES beats, one a cycle; `r_slot` says that the next instruction may come. The execution
//! mask is computed on the first beat for the whole warp and kept: an instruction's own marker may change the active mask
//! while its later beats are still here.
//!
//! Shared and constant operands that are the same for all lanes are read here, on the first beat. Those that each thread
//! has for itself come from the operand collector, in r1.
//!
//! The collector asks for execution masks, too, and never in a cycle in which another instruction's first beat is in r0.

use crate::bundles::*;
use crate::execute::float::FloatControl;
use crate::execute::quad_exchange::QuadControl;
use crate::execute::special_function::SpecialControl;
use crate::operands::predicate_file::ConditionTest;
use hdlkit::prelude::*;

/// A condition-code register of the threads that are still to come, this beat's in bits 0..LANES of each plane.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct CodePlanes {
    pub zero: Bits<32>,
    pub sign: Bits<32>,
    pub carry: Bits<32>,
    pub overflow: Bits<32>,
}

/// Where a warp's registers and its block's shared memory begin.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct WarpContext {
    pub row: Bits<9>,
    pub shared_row: Bits<8>,
}

/// A beat between r0 and r1.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ReadBeat {
    pub valid: Bit,
    pub issued: Issued,
    pub beat: Bits<2>,
    pub last: Bit,
    /// Row of the destination.
    pub row: Bits<9>,
    /// Threads of this beat that take part, in bits 0..LANES.
    pub lanes: Bits<32>,
    /// Their condition codes.
    pub codes: CodePlanes,
    pub first: Bit,
    /// The constant operand is the upper half of its word.
    pub constant_upper: Bit,
    /// The shared operand's part of its word.
    pub shared: SharedGates,
    /// The shared operand ends behind the block's shared memory.
    pub shared_outside: Bit,
    /// Which of a store's registers operand b is, from 0, and whether it is the last.
    pub part: Bits<2>,
    pub complete: Bit,
    /// Operand a, if it is an immediate value or a special register (but for the lane's number in the physical id); else 0.
    pub value: Bits<32>,
    /// Operand a has the lane's number; is the condition code.
    pub a_number: Bit,
    pub a_code: Bit,
    pub a: OperandGates,
    pub b: OperandGates,
    pub c: OperandGates,
    /// The beat is valid, and one for the integer unit; for the float unit; for the special function units; of a memory
    /// instruction, or of R2G.
    pub for_integer: Bit,
    pub for_float: Bit,
    pub for_special: Bit,
    pub for_memory: Bit,
}

/// What of a shared word is operand a's: the or of all that passes; nothing, if it is no shared operand. Known in r0: after a
/// block RAM and the choice among 16 banks there is no time left to decode an access.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SharedGates {
    /// The word's bytes 0 to 3, as byte 0.
    pub lowest: Bits<4>,
    /// Its byte 1, its byte 3, as byte 1.
    pub second_of_lower: Bit,
    pub second_of_upper: Bit,
    /// Its upper half.
    pub upper: Bit,
    /// Its bit 15, its bit 31, as all bits of the upper half.
    pub sign_of_lower: Bit,
    pub sign_of_upper: Bit,
}

/// What an operand is made of: the or of all that passes. Known in r0, so that in r1 words take the shortest way to the lanes,
/// and a bit of an operand two or three LUTs.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct OperandGates {
    /// Of the register: its lower half, its upper half, its upper half as lower half. None, if it has not been written.
    pub register_lower: Bit,
    pub register_upper: Bit,
    pub register_high: Bit,
    /// Of what the collector has gathered.
    pub gathered_lower: Bit,
    pub gathered_upper: Bit,
    /// The thread's address register (operand a only).
    pub address: Bit,
    /// A word of constant memory (b and c only; of a shared word see [`SharedGates`]).
    pub constant: Bit,
    /// The immediate value (b and c only; that of a is known in r0).
    pub immediate: Bit,
}

/// A lane's operands.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Operands {
    pub a: Bits<32>,
    pub b: Bits<32>,
    pub c: Bits<32>,
}

/// One lane's operands; `x_a`, `x_b` and `x_c` are valid in the cycle after the inputs.
#[derive(LogicBlock, Cycle, Blank)]
pub struct OperandLane {
    pub clock: Signal<In, Clock>,
    pub r1_a: Signal<In, OperandGates>,
    pub r1_b: Signal<In, OperandGates>,
    pub r1_c: Signal<In, OperandGates>,
    /// Of each operand what is the same for all lanes, else 0.
    pub r1_value_a: Signal<In, Bits<32>>,
    pub r1_value_b: Signal<In, Bits<32>>,
    pub r1_value_c: Signal<In, Bits<32>>,
    pub r1_register_1: Signal<In, Bits<32>>,
    pub r1_register_2: Signal<In, Bits<32>>,
    pub r1_register_3: Signal<In, Bits<32>>,
    /// If operand a is that, the thread's condition code: Z = bit 0, S = bit 1, C = bit 2, O = bit 3; or if it is of operand a,
    /// the lane's number; else 0.
    pub r1_code: Signal<In, Bits<5>>,
    /// The thread's address register, and its gathered operand.
    pub r1_address: Signal<In, Bits<16>>,
    pub r1_gathered: Signal<In, Bits<32>>,
    /// The beat is one for the integer unit; for the float unit or the special function units.
    pub r1_integer: Signal<In, Bit>,
    pub r1_float: Signal<In, Bit>,
    /// The beat is one of a memory instruction, or of R2G.
    pub r1_memory: Signal<In, Bit>,
    /// Of the integer unit's beats only, and of the float unit's: nobody's inputs move for others. For the special function
    /// units a.
    pub x_a: Signal<Out, Bits<32>>,
    pub x_b: Signal<Out, Bits<32>>,
    pub x_c: Signal<Out, Bits<32>>,
    pub x_float_a: Signal<Out, Bits<32>>,
    pub x_float_b: Signal<Out, Bits<32>>,
    pub x_float_c: Signal<Out, Bits<32>>,
    /// The same for the memory unit and R2G: operands a and b as these have them, a whole register or the address register,
    /// and a register or half of one. The memory unit is far from the lanes, and what comes late, a shared word above all, is
    /// none of its business.
    pub m_address: Signal<Out, Bits<32>>,
    pub m_data: Signal<Out, Bits<32>>,
    x1: DFF<Operands>,
    x1_float: DFF<Operands>,
    m1_address: DFF<Bits<32>>,
    m1_data: DFF<Bits<32>>,
    gates_a: Signal<Local, OperandGates>,
    gates_b: Signal<Local, OperandGates>,
    gates_c: Signal<Local, OperandGates>,
    part: Signal<Local, Bits<32>>,
    a: Signal<Local, Bits<32>>,
    b: Signal<Local, Bits<32>>,
    c: Signal<Local, Bits<32>>,
    register_b: Signal<Local, Bits<32>>,
    address: Signal<Local, Bits<32>>,
    _activity: Activity,
}

impl Logic for OperandLane {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x1, x1_float, m1_address, m1_data);
        self.gates_a.next = self.r1_a.val();
        self.gates_b.next = self.r1_b.val();
        self.gates_c.next = self.r1_c.val();
        self.part.next = 0.into();
        self.a.next = self.r1_value_a.val() | bit_cast::<32, 5>(self.r1_code.val());
        if self.gates_a.val().register_lower {
            self.part.next = self.r1_register_1.val() & 0xffff;
            self.a.next = self.a.val() | self.part.val();
        }
        if self.gates_a.val().register_upper {
            self.part.next = self.r1_register_1.val() & 0xffff0000_u64;
            self.a.next = self.a.val() | self.part.val();
        }
        if self.gates_a.val().register_high {
            self.part.next = self.r1_register_1.val() >> 16;
            self.a.next = self.a.val() | self.part.val();
        }
        if self.gates_a.val().gathered_lower {
            self.part.next = self.r1_gathered.val() & 0xffff;
            self.a.next = self.a.val() | self.part.val();
        }
        if self.gates_a.val().gathered_upper {
            self.part.next = self.r1_gathered.val() & 0xffff0000_u64;
            self.a.next = self.a.val() | self.part.val();
        }
        if self.gates_a.val().address {
            self.a.next = self.a.val() | bit_cast::<32, 16>(self.r1_address.val());
        }
        self.register_b.next = 0.into();
        if self.gates_b.val().register_lower {
            self.register_b.next = self.r1_register_2.val() & 0xffff;
        }
        if self.gates_b.val().register_upper {
            self.part.next = self.r1_register_2.val() & 0xffff0000_u64;
            self.register_b.next = self.register_b.val() | self.part.val();
        }
        if self.gates_b.val().register_high {
            self.part.next = self.r1_register_2.val() >> 16;
            self.register_b.next = self.register_b.val() | self.part.val();
        }
        self.b.next = self.r1_value_b.val() | self.register_b.val();
        if self.gates_b.val().gathered_lower {
            self.part.next = self.r1_gathered.val() & 0xffff;
            self.b.next = self.b.val() | self.part.val();
        }
        if self.gates_b.val().gathered_upper {
            self.part.next = self.r1_gathered.val() & 0xffff0000_u64;
            self.b.next = self.b.val() | self.part.val();
        }
        self.c.next = self.r1_value_c.val();
        // Source 3 is always a whole register.
        if self.gates_c.val().register_lower {
            self.part.next = self.r1_register_3.val() & 0xffff;
            self.c.next = self.c.val() | self.part.val();
        }
        if self.gates_c.val().register_upper {
            self.part.next = self.r1_register_3.val() & 0xffff0000_u64;
            self.c.next = self.c.val() | self.part.val();
        }
        if self.gates_c.val().gathered_lower {
            self.part.next = self.r1_gathered.val() & 0xffff;
            self.c.next = self.c.val() | self.part.val();
        }
        if self.gates_c.val().gathered_upper {
            self.part.next = self.r1_gathered.val() & 0xffff0000_u64;
            self.c.next = self.c.val() | self.part.val();
        }
        if self.r1_integer.val() {
            self.x1.d.next.a = self.a.val();
            self.x1.d.next.b = self.b.val();
            self.x1.d.next.c = self.c.val();
        }
        if self.r1_float.val() {
            self.x1_float.d.next.a = self.a.val();
            self.x1_float.d.next.b = self.b.val();
            self.x1_float.d.next.c = self.c.val();
        }
        self.address.next = 0.into();
        if self.gates_a.val().register_lower {
            self.address.next = self.r1_register_1.val();
        }
        if self.gates_a.val().address {
            self.address.next = self.address.val() | bit_cast::<32, 16>(self.r1_address.val());
        }
        if self.r1_memory.val() {
            self.m1_address.d.next = self.address.val();
            self.m1_data.d.next = self.register_b.val();
        }
        self.m_address.next = self.m1_address.q.val();
        self.m_data.next = self.m1_data.q.val();
        self.x_a.next = self.x1.q.val().a;
        self.x_b.next = self.x1.q.val().b;
        self.x_c.next = self.x1.q.val().c;
        self.x_float_a.next = self.x1_float.q.val().a;
        self.x_float_b.next = self.x1_float.q.val().b;
        self.x_float_c.next = self.x1_float.q.val().c;
    }
}

/// The read stage of an SM.
#[derive(LogicBlock, Cycle, Blank)]
pub struct Read<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub shared_rows: Signal<In, Bits<9>>,
    // A warp begins: its places.
    pub r_launch: Signal<In, Bit>,
    pub r_launch_warp: Signal<In, WarpLaunch>,
    /// Number of the SM.
    pub r_multiprocessor: Signal<In, Bits<8>>,
    /// The cycle in which the instruction in r0 issued, if it reads the clock.
    pub r_clock: Signal<In, Bits<32>>,
    // From the scheduler.
    pub r_issued: Signal<In, Issued>,
    pub r_slot: Signal<Out, Bit>,
    // The warp's active mask, in the same cycle, and its condition codes: those of the instruction that came last, to this
    // stage or to the collector.
    pub r_warp: Signal<Out, Bits<5>>,
    pub r_active: Signal<In, Bits<32>>,
    pub r_zero: Signal<In, Bits<32>>,
    pub r_sign: Signal<In, Bits<32>>,
    pub r_carry: Signal<In, Bits<32>>,
    pub r_overflow: Signal<In, Bits<32>>,
    // The operand collector's look at a warp's execution mask, in the same cycle.
    pub c_first: Signal<In, Bit>,
    pub c_query: Signal<In, MaskQuery>,
    pub c_executed: Signal<Out, Bits<32>>,
    // Its operands, in r1: the beat that is wanted (0 if none is), its words, and the address registers.
    pub c_read_buffer: Signal<Out, Bit>,
    pub c_read_beat: Signal<Out, Bits<2>>,
    pub c_gathered: [Signal<In, Bits<32>>; LANES],
    pub c_address: [Signal<In, Bits<16>>; LANES],
    // Register file: contents in the next cycle.
    pub r_enable: Signal<Out, Bit>,
    pub r_beat: Signal<Out, Bits<2>>,
    pub r_row_1: Signal<Out, Bits<9>>,
    pub r_row_2: Signal<Out, Bits<9>>,
    pub r_row_3: Signal<Out, Bits<9>>,
    pub r_register_1: [Signal<In, Bits<32>>; LANES],
    pub r_register_2: [Signal<In, Bits<32>>; LANES],
    pub r_register_3: [Signal<In, Bits<32>>; LANES],
    // Shared and constant memory: words in the next cycle.
    pub r_shared_enable: Signal<Out, Bit>,
    pub r_shared_address: Signal<Out, Bits<14>>,
    pub r_shared_word: Signal<In, Bits<32>>,
    pub r_constant_enable: Signal<Out, Bit>,
    pub r_constant_address: Signal<Out, Bits<16>>,
    pub r_constant_word: Signal<In, Bits<32>>,
    // To the branch unit, in r1 of the first beat.
    pub r_control: Signal<Out, ControlRequest>,
    // To execute.
    pub x_write: Signal<Out, WriteControl>,
    pub x_integer: Signal<Out, IntegerControl>,
    /// The beat is the float unit's; its control, which keeps its value otherwise.
    pub x_is_float: Signal<Out, Bit>,
    pub x_float: Signal<Out, FloatControl>,
    /// With `x_float`, and kept as it is.
    pub x_quad: Signal<Out, QuadControl>,
    /// The beat is the special function units'; their control, which keeps its value otherwise.
    pub x_is_special: Signal<Out, Bit>,
    pub x_special: Signal<Out, SpecialControl>,
    pub x_enqueue: Signal<Out, Bit>,
    pub x_memory: Signal<Out, MemoryControl>,
    pub x_lanes: Signal<Out, Bits<32>>,
    pub x_carries: Signal<Out, Bits<32>>,
    pub x_a: [Signal<Out, Bits<32>>; LANES],
    pub x_b: [Signal<Out, Bits<32>>; LANES],
    pub x_c: [Signal<Out, Bits<32>>; LANES],
    pub x_float_a: [Signal<Out, Bits<32>>; LANES],
    pub x_float_b: [Signal<Out, Bits<32>>; LANES],
    pub x_float_c: [Signal<Out, Bits<32>>; LANES],
    /// To the memory unit, with `x_enqueue`. Else they move only for R2G, whose data the collector takes, and for beats at fault.
    pub m_lanes: Signal<Out, Bits<32>>,
    pub m_address: [Signal<Out, Bits<32>>; LANES],
    pub m_data: [Signal<Out, Bits<32>>; LANES],
    pub r_error: Signal<Out, KernelError>,
    /// No beat is in the stage.
    pub r_idle: Signal<Out, Bit>,
    /// Threads that execute the instruction in r0, on its first beat (else 0), for the counters.
    pub r_executed: Signal<Out, Bits<32>>,
    /// That beat's instruction, for the trace.
    pub r_mask_valid: Signal<Out, Bit>,
    pub r_mask_tag: Signal<Out, Bits<16>>,

    warp_context: LutRam<5, WarpContext>,
    condition: ConditionTest,
    lane: [OperandLane; LANES],
    r0: DFF<Issued>,
    r0_beat: DFF<Bits<2>>,
    r0_part: DFF<Bits<2>>,
    r0_mask: DFF<Bits<32>>,
    r0_codes: DFF<CodePlanes>,
    r1: DFF<ReadBeat>,
    /// Threads that execute the instruction whose first beat is in r1.
    r1_executed: DFF<Bits<32>>,
    /// The instruction in r1, behind its first beat, is at fault: it has no effect.
    r1_fault: DFF<Bit>,
    r1_control: DFF<ControlRequest>,
    x1_write: DFF<WriteControl>,
    x1_integer: DFF<IntegerControl>,
    x1_is_float: DFF<Bit>,
    x1_float: DFF<FloatControl>,
    x1_quad: DFF<QuadControl>,
    x1_is_special: DFF<Bit>,
    x1_special: DFF<SpecialControl>,
    x1_enqueue: DFF<Bit>,
    x1_memory: DFF<MemoryControl>,
    x1_lanes: DFF<Bits<32>>,
    m1_lanes: DFF<Bits<32>>,
    x1_carries: DFF<Bits<32>>,
    r1_shared: DFF<Bits<32>>,
    r1_constant: DFF<Bits<32>>,

    last_beat: Constant<Bits<2>>,
    lane_count: Constant<Bits<6>>,
    lane_bits: Constant<Bits<3>>,
    lane_number: [Constant<Bits<5>>; LANES],
    lane_mask: Constant<Bits<32>>,
    no_gates: Constant<OperandGates>,
    no_shared: Constant<SharedGates>,
    one_byte: Constant<Bits<4>>,
    no_control: Constant<ControlRequest>,
    no_error: Constant<KernelError>,
    codes: Constant<ErrorCodes>,
    issued: Signal<Local, Issued>,
    instruction: Signal<Local, Decoded>,
    launched: Signal<Local, WarpLaunch>,
    places: Signal<Local, WarpContext>,
    operand_a: Signal<Local, Operand>,
    operand_b: Signal<Local, Operand>,
    operand_c: Signal<Local, Operand>,
    query: Signal<Local, MaskQuery>,
    shared_word: Signal<Local, Bits<32>>,
    constant_word: Signal<Local, Bits<32>>,
    gathers: Signal<Local, Bit>,
    indexing_1: Signal<Local, Indexing>,
    first: Signal<Local, Bit>,
    last: Signal<Local, Bit>,
    parts: Signal<Local, Bits<2>>,
    part_last: Signal<Local, Bit>,
    physical_id: Signal<Local, Bits<32>>,
    value: Signal<Local, Bits<32>>,
    holds: Signal<Local, Bits<32>>,
    zero: Signal<Local, Bits<32>>,
    sign: Signal<Local, Bits<32>>,
    carry: Signal<Local, Bits<32>>,
    overflow: Signal<Local, Bits<32>>,
    executed: Signal<Local, Bits<32>>,
    mask: Signal<Local, Bits<32>>,
    zeros: Signal<Local, Bits<32>>,
    signs: Signal<Local, Bits<32>>,
    carries: Signal<Local, Bits<32>>,
    overflows: Signal<Local, Bits<32>>,
    beat_codes: Signal<Local, CodePlanes>,
    beat: Signal<Local, ReadBeat>,
    place: Signal<Local, Bits<9>>,
    gates_a: Signal<Local, OperandGates>,
    gates_b: Signal<Local, OperandGates>,
    gates_c: Signal<Local, OperandGates>,
    a_register: Signal<Local, Bit>,
    b_register: Signal<Local, Bit>,
    c_register: Signal<Local, Bit>,
    b_live: Signal<Local, Bit>,
    indexing: Signal<Local, Indexing>,
    is_control: Signal<Local, Bit>,
    request: Signal<Local, ControlRequest>,
    error: Signal<Local, KernelError>,
    fault: Signal<Local, Bit>,
    goes_on: Signal<Local, Bit>,
    shared_base: Signal<Local, Bits<14>>,
    shared_place: Signal<Local, Bits<14>>,
    shared_bytes: Signal<Local, Bits<16>>,
    shared_byte: Signal<Local, Bits<2>>,
    shared_whole: Signal<Local, Bit>,
    shared_signed: Signal<Local, Bit>,
    shared: Signal<Local, SharedGates>,
    shared_end: Signal<Local, Bits<16>>,
    beat_1: Signal<Local, ReadBeat>,
    issued_1: Signal<Local, Issued>,
    codes_1: Signal<Local, CodePlanes>,
    zeros_1: Signal<Local, Bits<32>>,
    signs_1: Signal<Local, Bits<32>>,
    carries_1: Signal<Local, Bits<32>>,
    overflows_1: Signal<Local, Bits<32>>,
    code: Signal<Local, Bits<5>>,
    instruction_1: Signal<Local, Decoded>,
    shared_gates: Signal<Local, SharedGates>,
    shared_part: Signal<Local, Bits<32>>,
    shared_value: Signal<Local, Bits<32>>,
    constant_value: Signal<Local, Bits<32>>,
    gates_a_1: Signal<Local, OperandGates>,
    gates_b_1: Signal<Local, OperandGates>,
    gates_c_1: Signal<Local, OperandGates>,
    value_a: Signal<Local, Bits<32>>,
    value_b: Signal<Local, Bits<32>>,
    value_c: Signal<Local, Bits<32>>,
    enqueues: Signal<Local, Bit>,
    write: Signal<Local, WriteControl>,
    memory: Signal<Local, MemoryControl>,
    _activity: Activity,
}

impl<const LANES: usize> Read<LANES> {
    /// The read stage.
    pub fn new() -> Self {
        Read {
            condition: ConditionTest::new(),
            last_beat: Constant::new(((32 / LANES - 1) as u64).into()),
            lane_count: Constant::new((LANES as u64).into()),
            lane_bits: Constant::new(u64::from(LANES.trailing_zeros()).into()),
            lane_number: std::array::from_fn(|lane| Constant::new((lane as u64).into())),
            lane_mask: Constant::new((0xffff_ffff_u64 >> (32 - LANES)).into()),
            one_byte: Constant::new(1.into()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for Read<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            r0,
            r0_beat,
            r0_part,
            r0_mask,
            r0_codes,
            r1,
            r1_executed,
            r1_fault,
            r1_control,
            x1_write,
            x1_integer,
            x1_is_float,
            x1_float,
            x1_quad,
            x1_is_special,
            x1_special,
            x1_enqueue,
            x1_memory,
            x1_lanes,
            m1_lanes,
            x1_carries,
            r1_shared,
            r1_constant
        );
        self.warp_context.clock.next = self.clock.val();
        for i in 0..LANES {
            self.lane[i].clock.next = self.clock.val();
        }
        self.launched.next = self.r_launch_warp.val();
        self.warp_context.write_enable.next = self.r_launch.val();
        self.warp_context.write_address.next = self.launched.val().warp;
        self.warp_context.write_data.next.row = self.launched.val().row;
        self.warp_context.write_data.next.shared_row = self.launched.val().shared_row;

        // r0.
        self.issued.next = self.r0.q.val();
        self.instruction.next = self.issued.val().decoded;
        self.operand_a.next = self.instruction.val().a;
        self.operand_b.next = self.instruction.val().b;
        self.operand_c.next = self.instruction.val().c;
        self.first.next = self.issued.val().valid && !self.r0_beat.q.val().any() && !self.r0_part.q.val().any();
        // A store of 64 or 128 bits takes each beat once for each register.
        self.parts.next = 0.into();
        if self.instruction.val().store {
            self.parts.next = self.instruction.val().further_registers;
        }
        self.part_last.next = self.r0_part.q.val() == self.parts.val();
        self.last.next = (self.r0_beat.q.val() == self.last_beat.val()) && self.part_last.val();
        self.r_slot.next = !self.issued.val().valid || self.last.val();
        if self.r_slot.val() {
            self.r0.d.next = self.r_issued.val();
            self.r0_beat.d.next = 0.into();
            self.r0_part.d.next = 0.into();
        } else if self.part_last.val() {
            self.r0_beat.d.next = self.r0_beat.q.val() + 1;
            self.r0_part.d.next = 0.into();
        } else {
            self.r0_part.d.next = self.r0_part.q.val() + 1;
        }
        // Who takes part.
        self.query.next.warp = self.issued.val().warp;
        self.query.next.predicated = self.instruction.val().predicated;
        self.query.next.condition = self.instruction.val().condition;
        self.query.next.condition_live = self.issued.val().condition_live;
        if self.c_first.val() {
            self.query.next = self.c_query.val();
        }
        self.r_warp.next = self.query.val().warp;
        self.condition.code.next = self.query.val().condition;
        self.zero.next = 0.into();
        self.sign.next = 0.into();
        self.carry.next = 0.into();
        self.overflow.next = 0.into();
        if self.query.val().condition_live {
            self.zero.next = self.r_zero.val();
            self.sign.next = self.r_sign.val();
            self.carry.next = self.r_carry.val();
            self.overflow.next = self.r_overflow.val();
        }
        self.condition.zero.next = self.zero.val();
        self.condition.sign.next = self.sign.val();
        self.condition.carry.next = self.carry.val();
        self.condition.overflow.next = self.overflow.val();
        self.holds.next = self.r_active.val();
        if self.query.val().predicated {
            self.holds.next = self.condition.holds.val();
        }
        self.executed.next = self.r_active.val() & self.holds.val();
        self.c_executed.next = 0.into();
        if self.c_first.val() {
            self.c_executed.next = self.executed.val();
        }
        self.mask.next = self.r0_mask.q.val();
        self.zeros.next = self.r0_codes.q.val().zero;
        self.signs.next = self.r0_codes.q.val().sign;
        self.carries.next = self.r0_codes.q.val().carry;
        self.overflows.next = self.r0_codes.q.val().overflow;
        if self.first.val() {
            self.mask.next = self.executed.val();
            self.zeros.next = self.zero.val();
            self.signs.next = self.sign.val();
            self.carries.next = self.carry.val();
            self.overflows.next = self.overflow.val();
        }
        self.r0_mask.d.next = self.mask.val();
        if self.part_last.val() {
            self.r0_mask.d.next = self.mask.val() >> self.lane_count.val();
        }
        self.r0_codes.d.next.zero = self.zeros.val() >> self.lane_count.val();
        self.r0_codes.d.next.sign = self.signs.val() >> self.lane_count.val();
        self.r0_codes.d.next.carry = self.carries.val() >> self.lane_count.val();
        self.r0_codes.d.next.overflow = self.overflows.val() >> self.lane_count.val();
        self.r_mask_valid.next = self.first.val();
        self.r_mask_tag.next = self.issued.val().tag;
        self.r_executed.next = 0.into();
        if self.first.val() {
            self.r_executed.next = self.executed.val();
        }
        // Registers.
        self.warp_context.read_address.next = self.issued.val().warp;
        self.places.next = self.warp_context.read_data.val();
        self.place.next = bit_cast::<9, 7>(self.operand_a.val().register);
        self.r_row_1.next = self.places.val().row + self.place.val();
        self.place.next = bit_cast::<9, 7>(self.operand_b.val().register) + bit_cast::<9, 2>(self.r0_part.q.val());
        self.r_row_2.next = self.places.val().row + self.place.val();
        self.place.next = bit_cast::<9, 7>(self.operand_c.val().register);
        self.r_row_3.next = self.places.val().row + self.place.val();
        self.r_enable.next = self.issued.val().valid;
        self.r_beat.next = self.r0_beat.q.val();
        // Shared and constant operands.
        self.shared_base.next = bit_cast::<14, 8>(self.places.val().shared_row) << 6;
        self.shared_place.next = self.shared_base.val() + bit_cast::<14, 7>(self.instruction.val().shared_offset);
        self.r_shared_address.next = self.shared_place.val();
        self.r_shared_enable.next = self.first.val() && (self.operand_a.val().source == Source::Shared);
        self.r_constant_enable.next = self.first.val()
            && ((self.operand_b.val().source == Source::Constant) || (self.operand_c.val().source == Source::Constant));
        self.r_constant_address.next = self.instruction.val().constant_address;
        self.shared_bytes.next = bit_cast::<16, 9>(self.shared_rows.val()) << 6;
        self.shared_end.next = bit_cast::<16, 7>(self.instruction.val().shared_offset);
        match self.instruction.val().shared_access.index() {
            0 => self.shared_end.next = self.shared_end.val() + 1,
            3 => self.shared_end.next = self.shared_end.val() + 4,
            _ => self.shared_end.next = self.shared_end.val() + 2,
        }
        self.beat.next.shared_outside =
            (self.operand_a.val().source == Source::Shared) && (self.shared_end.val() > self.shared_bytes.val());
        self.r1_executed.d.next = self.executed.val();

        self.beat.next.valid = self.issued.val().valid;
        self.beat.next.issued = self.issued.val();
        self.beat.next.beat = self.r0_beat.q.val();
        self.beat.next.first = self.first.val();
        self.beat.next.last = self.last.val();
        self.place.next = bit_cast::<9, 7>(self.instruction.val().register);
        self.beat.next.row = self.places.val().row + self.place.val();
        self.beat.next.lanes = self.mask.val() & self.lane_mask.val();
        self.beat_codes.next.zero = self.zeros.val() & self.lane_mask.val();
        self.beat_codes.next.sign = self.signs.val() & self.lane_mask.val();
        self.beat_codes.next.carry = self.carries.val() & self.lane_mask.val();
        self.beat_codes.next.overflow = self.overflows.val() & self.lane_mask.val();
        self.beat.next.codes = self.beat_codes.val();
        self.beat.next.constant_upper = self.instruction.val().constant_address.get_bit(1);
        // Of a shared word: accesses are aligned.
        self.shared_byte.next = self.shared_place.val().get_bits::<2>(0);
        self.shared.next = self.no_shared.val();
        self.shared_whole.next = self.operand_a.val().part == Part::Whole;
        self.shared_signed.next = false;
        if self.operand_a.val().source == Source::Shared {
            self.shared.next.lowest = self.one_byte.val() << self.shared_byte.val();
            match self.instruction.val().shared_access.index() {
                0 => {}
                3 => {
                    self.shared.next.second_of_lower = true;
                    self.shared.next.upper = self.operand_a.val().part != Part::Low;
                }
                _ => {
                    self.shared_signed.next = (self.instruction.val().shared_access == 2) && self.shared_whole.val();
                    self.shared.next.second_of_lower = !self.shared_byte.val().get_bit(1);
                    self.shared.next.second_of_upper = self.shared_byte.val().get_bit(1);
                    self.shared.next.sign_of_lower = self.shared_signed.val() && !self.shared_byte.val().get_bit(1);
                    self.shared.next.sign_of_upper = self.shared_signed.val() && self.shared_byte.val().get_bit(1);
                }
            }
        }
        self.beat.next.shared = self.shared.val();
        self.beat.next.part = self.r0_part.q.val();
        self.beat.next.complete = self.part_last.val();
        // What the operands are made of.
        self.value.next = 0.into();
        self.physical_id.next = 0.into();
        self.beat.next.a_number = false;
        if self.operand_a.val().source == Source::Immediate {
            self.value.next = self.instruction.val().immediate;
        } else if self.operand_a.val().source == Source::Special {
            match self.operand_a.val().register.index() {
                0 => {
                    self.beat.next.a_number = true;
                    self.physical_id.next = bit_cast::<32, 2>(self.r0_beat.q.val()) << self.lane_bits.val();
                    self.value.next = self.physical_id.val();
                    self.physical_id.next = bit_cast::<32, 5>(self.issued.val().warp) << 8;
                    self.value.next = self.value.val() | self.physical_id.val();
                    self.physical_id.next = bit_cast::<32, 8>(self.r_multiprocessor.val()) << 16;
                    self.value.next = self.value.val() | self.physical_id.val();
                }
                1 => self.value.next = self.r_clock.val(),
                _ => {}
            }
        }
        self.beat.next.value = self.value.val();
        self.beat.next.a_code = self.operand_a.val().source == Source::ConditionCode;
        self.gates_a.next = self.no_gates.val();
        self.a_register.next = (self.operand_a.val().source == Source::Register) && self.issued.val().a_live;
        self.gates_a.next.register_lower = self.a_register.val() && (self.operand_a.val().part != Part::High);
        self.gates_a.next.register_upper = self.a_register.val() && (self.operand_a.val().part == Part::Whole);
        self.gates_a.next.register_high = self.a_register.val() && (self.operand_a.val().part == Part::High);
        self.gates_a.next.gathered_lower = self.operand_a.val().source == Source::Gathered;
        self.gates_a.next.gathered_upper =
            (self.operand_a.val().source == Source::Gathered) && (self.operand_a.val().part != Part::Low);
        self.gates_a.next.address = self.operand_a.val().source == Source::Address;
        self.gates_b.next = self.no_gates.val();
        match self.r0_part.q.val().index() {
            1 => self.b_live.next = self.issued.val().b_further_live.get_bit(0),
            2 => self.b_live.next = self.issued.val().b_further_live.get_bit(1),
            3 => self.b_live.next = self.issued.val().b_further_live.get_bit(2),
            _ => self.b_live.next = self.issued.val().b_live,
        }
        self.b_register.next = (self.operand_b.val().source == Source::Register) && self.b_live.val();
        self.gates_b.next.register_lower = self.b_register.val() && (self.operand_b.val().part != Part::High);
        self.gates_b.next.register_upper = self.b_register.val() && (self.operand_b.val().part == Part::Whole);
        self.gates_b.next.register_high = self.b_register.val() && (self.operand_b.val().part == Part::High);
        self.gates_b.next.gathered_lower = self.operand_b.val().source == Source::Gathered;
        self.gates_b.next.gathered_upper = self.operand_b.val().source == Source::Gathered;
        self.gates_b.next.constant = self.operand_b.val().source == Source::Constant;
        self.gates_b.next.immediate = self.operand_b.val().source == Source::Immediate;
        self.gates_c.next = self.no_gates.val();
        self.c_register.next = (self.operand_c.val().source == Source::Register) && self.issued.val().c_live;
        self.gates_c.next.register_lower = self.c_register.val();
        self.gates_c.next.register_upper = self.c_register.val();
        self.gates_c.next.gathered_lower = self.operand_c.val().source == Source::Gathered;
        self.gates_c.next.gathered_upper = self.operand_c.val().source == Source::Gathered;
        self.gates_c.next.constant = self.operand_c.val().source == Source::Constant;
        self.gates_c.next.immediate = self.operand_c.val().source == Source::Immediate;
        self.beat.next.a = self.gates_a.val();
        self.beat.next.b = self.gates_b.val();
        self.beat.next.c = self.gates_c.val();
        self.indexing.next = self.instruction.val().indexing;
        self.beat.next.for_integer = self.issued.val().valid && (self.instruction.val().unit == Unit::Integer);
        self.beat.next.for_float = self.issued.val().valid && (self.instruction.val().unit == Unit::Float);
        self.beat.next.for_special = self.issued.val().valid && (self.instruction.val().unit == Unit::SpecialFunction);
        self.beat.next.for_memory =
            self.issued.val().valid && ((self.instruction.val().unit == Unit::Memory) || self.indexing.val().scatters);
        self.r1.d.next = self.beat.val();
        self.is_control.next = self.instruction.val().exit_marker
            || self.instruction.val().join_marker
            || (self.instruction.val().control != ControlOperation::Marker)
                && (self.instruction.val().control != ControlOperation::Barrier);
        self.request.next = self.no_control.val();
        if self.first.val() && self.is_control.val() {
            self.request.next.valid = true;
            self.request.next.tag = self.issued.val().tag;
            self.request.next.warp = self.issued.val().warp;
            self.request.next.pc = self.issued.val().pc;
            self.request.next.control = self.instruction.val().control;
            self.request.next.exit_marker = self.instruction.val().exit_marker;
            self.request.next.join_marker = self.instruction.val().join_marker;
            self.request.next.target = self.instruction.val().target;
            self.request.next.active = self.r_active.val();
            self.request.next.executed = self.executed.val();
        }
        self.r1_control.d.next = self.request.val();
        self.r_control.next = self.r1_control.q.val();

        // r1: words have arrived.
        self.beat_1.next = self.r1.q.val();
        self.issued_1.next = self.beat_1.val().issued;
        self.codes_1.next = self.beat_1.val().codes;
        self.zeros_1.next = self.codes_1.val().zero;
        self.signs_1.next = self.codes_1.val().sign;
        self.carries_1.next = self.codes_1.val().carry;
        self.overflows_1.next = self.codes_1.val().overflow;
        self.instruction_1.next = self.issued_1.val().decoded;
        // A uniform operand is at fault only if some thread wants it.
        self.fault.next = self.r1_fault.q.val();
        self.error.next = self.no_error.val();
        if self.beat_1.val().first {
            self.fault.next = self.beat_1.val().shared_outside && self.r1_executed.q.val().any();
            if self.fault.val() {
                self.error.next.code = self.codes.val().shared_range;
                self.error.next.warp = self.issued_1.val().warp;
                self.error.next.pc = self.issued_1.val().pc;
                self.error.next.address = bit_cast::<32, 7>(self.instruction_1.val().shared_offset);
            }
        }
        self.r1_fault.d.next = self.fault.val();
        self.r_error.next = self.error.val();
        self.goes_on.next = self.beat_1.val().valid && !self.fault.val();
        // The memories' words may be others' on later beats.
        self.constant_word.next = self.r1_constant.q.val();
        if self.beat_1.val().first {
            self.constant_word.next = self.r_constant_word.val();
        }
        self.r1_constant.d.next = self.constant_word.val();
        // Shared memory gives nothing if it was not asked, and nothing is kept beyond the last beat: so the word is the or of both.
        self.shared_word.next = self.r_shared_word.val() | self.r1_shared.q.val();
        self.r1_shared.d.next = 0.into();
        if self.beat_1.val().valid && !self.beat_1.val().last {
            self.r1_shared.d.next = self.shared_word.val();
        }
        self.shared_gates.next = self.beat_1.val().shared;
        self.shared_value.next = 0.into();
        self.shared_part.next = 0.into();
        if self.shared_gates.val().lowest.get_bit(0) {
            self.shared_value.next = self.shared_word.val() & 0xff;
        }
        if self.shared_gates.val().lowest.get_bit(1) {
            self.shared_part.next = self.shared_word.val() >> 8;
            self.shared_part.next = self.shared_part.val() & 0xff;
            self.shared_value.next = self.shared_value.val() | self.shared_part.val();
        }
        if self.shared_gates.val().lowest.get_bit(2) {
            self.shared_part.next = self.shared_word.val() >> 16;
            self.shared_part.next = self.shared_part.val() & 0xff;
            self.shared_value.next = self.shared_value.val() | self.shared_part.val();
        }
        if self.shared_gates.val().lowest.get_bit(3) {
            self.shared_part.next = self.shared_word.val() >> 24;
            self.shared_value.next = self.shared_value.val() | self.shared_part.val();
        }
        if self.shared_gates.val().second_of_lower {
            self.shared_part.next = self.shared_word.val() & 0xff00;
            self.shared_value.next = self.shared_value.val() | self.shared_part.val();
        }
        if self.shared_gates.val().second_of_upper {
            self.shared_part.next = self.shared_word.val() >> 16;
            self.shared_part.next = self.shared_part.val() & 0xff00;
            self.shared_value.next = self.shared_value.val() | self.shared_part.val();
        }
        if self.shared_gates.val().upper {
            self.shared_part.next = self.shared_word.val() & 0xffff0000_u64;
            self.shared_value.next = self.shared_value.val() | self.shared_part.val();
        }
        if (self.shared_gates.val().sign_of_lower && self.shared_word.val().get_bit(15))
            || (self.shared_gates.val().sign_of_upper && self.shared_word.val().get_bit(31))
        {
            self.shared_value.next = self.shared_value.val() | 0xffff0000_u64;
        }
        self.constant_value.next = self.constant_word.val();
        if self.instruction_1.val().constant_narrow {
            self.constant_value.next = self.constant_word.val() & 0xffff;
            if self.beat_1.val().constant_upper {
                self.constant_value.next = self.constant_word.val() >> 16;
            }
        }
        self.gates_a_1.next = self.beat_1.val().a;
        self.gates_b_1.next = self.beat_1.val().b;
        self.gates_c_1.next = self.beat_1.val().c;
        self.value_a.next = self.beat_1.val().value | self.shared_value.val();
        self.value_b.next = 0.into();
        if self.gates_b_1.val().immediate {
            self.value_b.next = self.instruction_1.val().immediate;
        }
        if self.gates_b_1.val().constant {
            self.value_b.next = self.value_b.val() | self.constant_value.val();
        }
        self.value_c.next = 0.into();
        if self.gates_c_1.val().immediate {
            self.value_c.next = self.instruction_1.val().immediate;
        }
        if self.gates_c_1.val().constant {
            self.value_c.next = self.value_c.val() | self.constant_value.val();
        }
        self.enqueues.next = self.goes_on.val() && (self.instruction_1.val().unit == Unit::Memory);
        self.indexing_1.next = self.instruction_1.val().indexing;
        self.gathers.next = self.beat_1.val().valid && self.indexing_1.val().gathers;
        self.c_read_buffer.next = self.gathers.val() && self.issued_1.val().buffer;
        self.c_read_beat.next = 0.into();
        if self.gathers.val() {
            self.c_read_beat.next = self.beat_1.val().beat;
        }
        for i in 0..LANES {
            self.code.next = 0.into();
            if self.beat_1.val().a_number {
                self.code.next = self.lane_number[i].val();
            } else if self.beat_1.val().a_code {
                self.code.next = self.code.val().replace_bit(0, self.zeros_1.val().get_bit(i));
                self.code.next = self.code.val().replace_bit(1, self.signs_1.val().get_bit(i));
                self.code.next = self.code.val().replace_bit(2, self.carries_1.val().get_bit(i));
                self.code.next = self.code.val().replace_bit(3, self.overflows_1.val().get_bit(i));
            }
            self.lane[i].r1_code.next = self.code.val();
            self.lane[i].r1_a.next = self.gates_a_1.val();
            self.lane[i].r1_b.next = self.gates_b_1.val();
            self.lane[i].r1_c.next = self.gates_c_1.val();
            self.lane[i].r1_value_a.next = self.value_a.val();
            self.lane[i].r1_value_b.next = self.value_b.val();
            self.lane[i].r1_value_c.next = self.value_c.val();
            self.lane[i].r1_register_1.next = self.r_register_1[i].val();
            self.lane[i].r1_register_2.next = self.r_register_2[i].val();
            self.lane[i].r1_register_3.next = self.r_register_3[i].val();
            self.lane[i].r1_address.next = self.c_address[i].val();
            self.lane[i].r1_gathered.next = self.c_gathered[i].val();
            // Also of a beat at fault, since whether it is comes late: nobody takes them.
            self.lane[i].r1_integer.next = self.beat_1.val().for_integer;
            self.lane[i].r1_float.next = self.beat_1.val().for_float || self.beat_1.val().for_special;
            self.lane[i].r1_memory.next = self.beat_1.val().for_memory;
            self.m_address[i].next = self.lane[i].m_address.val();
            self.m_data[i].next = self.lane[i].m_data.val();
            self.x_a[i].next = self.lane[i].x_a.val();
            self.x_b[i].next = self.lane[i].x_b.val();
            self.x_c[i].next = self.lane[i].x_c.val();
            self.x_float_a[i].next = self.lane[i].x_float_a.val();
            self.x_float_b[i].next = self.lane[i].x_float_b.val();
            self.x_float_c[i].next = self.lane[i].x_float_c.val();
        }
        self.write.next.valid = self.goes_on.val() && self.beat_1.val().complete;
        self.write.next.tag = self.issued_1.val().tag;
        self.write.next.warp = self.issued_1.val().warp;
        self.write.next.beat = self.beat_1.val().beat;
        self.write.next.last = self.beat_1.val().last;
        self.write.next.row = self.beat_1.val().row;
        self.write.next.register = self.instruction_1.val().register;
        self.write.next.halves = self.instruction_1.val().halves;
        self.write.next.register_enable = self.instruction_1.val().register_enable;
        self.write.next.fill = self.issued_1.val().fill;
        self.write.next.condition_register = self.instruction_1.val().condition_register;
        self.write.next.condition_enable = self.instruction_1.val().condition_enable;
        self.write.next.condition_fill = self.issued_1.val().condition_fill;
        self.write.next.address_register = self.instruction_1.val().address_register;
        self.write.next.address_enable = self.instruction_1.val().address_enable;
        self.write.next.address_fill = self.issued_1.val().address_fill;
        self.write.next.elsewhere = (self.instruction_1.val().unit == Unit::SpecialFunction)
            || ((self.instruction_1.val().unit == Unit::Memory) && !self.instruction_1.val().store);
        self.x1_write.d.next = self.write.val();
        if self.beat_1.val().for_integer {
            self.x1_integer.d.next = self.instruction_1.val().integer;
        }
        self.x1_is_float.d.next = self.goes_on.val() && self.beat_1.val().for_float;
        if self.beat_1.val().for_float {
            self.x1_float.d.next = self.instruction_1.val().float;
            self.x1_quad.d.next = self.instruction_1.val().quad;
        }
        self.x1_is_special.d.next = self.goes_on.val() && self.beat_1.val().for_special;
        if self.beat_1.val().for_special {
            self.x1_special.d.next = self.instruction_1.val().special;
        }
        self.x1_enqueue.d.next = self.enqueues.val();
        self.memory.next.tag = self.issued_1.val().tag;
        self.memory.next.warp = self.issued_1.val().warp;
        self.memory.next.pc = self.issued_1.val().pc;
        self.memory.next.beat = self.beat_1.val().beat;
        self.memory.next.last = self.beat_1.val().last;
        self.memory.next.store = self.instruction_1.val().store;
        self.memory.next.local = self.indexing_1.val().local;
        self.memory.next.size = self.instruction_1.val().size;
        self.memory.next.is_signed = self.instruction_1.val().load_signed;
        self.memory.next.row = self.beat_1.val().row;
        self.memory.next.register = self.instruction_1.val().register;
        // A load into a register that does not exist writes no half.
        self.memory.next.halves = 0.into();
        if self.instruction_1.val().register_enable {
            self.memory.next.halves = self.instruction_1.val().halves;
        }
        self.memory.next.fill = self.issued_1.val().fill;
        self.memory.next.further = self.issued_1.val().further;
        self.memory.next.further_fill = self.issued_1.val().further_fill;
        self.memory.next.part = self.beat_1.val().part;
        self.memory.next.complete = self.beat_1.val().complete;
        if self.beat_1.val().for_memory {
            self.x1_memory.d.next = self.memory.val();
            self.m1_lanes.d.next = self.beat_1.val().lanes;
        }
        self.x1_lanes.d.next = self.beat_1.val().lanes;
        self.x1_carries.d.next = self.carries_1.val();
        self.x_write.next = self.x1_write.q.val();
        self.x_integer.next = self.x1_integer.q.val();
        self.x_is_float.next = self.x1_is_float.q.val();
        self.x_float.next = self.x1_float.q.val();
        self.x_quad.next = self.x1_quad.q.val();
        self.x_is_special.next = self.x1_is_special.q.val();
        self.x_special.next = self.x1_special.q.val();
        self.x_enqueue.next = self.x1_enqueue.q.val();
        self.x_memory.next = self.x1_memory.q.val();
        self.x_lanes.next = self.x1_lanes.q.val();
        self.m_lanes.next = self.m1_lanes.q.val();
        self.x_carries.next = self.x1_carries.q.val();
        self.r_idle.next = !self.issued.val().valid && !self.beat_1.val().valid && !self.x1_write.q.val().valid;
    }
}
