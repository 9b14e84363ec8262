//! The read stage: an instruction's beats, the participating threads, and the operands.
//!
//! ```text
//! cycle   r0 (once a beat)               r1                              x1
//!         register rows to the file      register contents arrive        operands, registered
//!         condition code -> mask         shared and constant words       for the lanes
//!         shared, constant addresses     arrive; choose, take halves;
//!                                        at fault: goes no further
//! ```
//! The condition code itself is read in the previous cycle, when the instruction issues or comes from the collector.
//!
//! A warp instruction takes 32/LANES beats, one a cycle; `r_slot` means that the next instruction may come. The
//! execution mask is computed on the first beat for the whole warp and kept: an instruction's own marker may change the
//! active mask while its later beats are still here.
//!
//! Shared and constant operands that are the same for all lanes are read here, on the first beat. Per-thread operands
//! come from the operand collector, in r1.
//!
//! The collector also requests execution masks, but never in a cycle in which another instruction's first beat is in
//! r0.

mod dispatch;
mod fetch_operands;
mod participants;
mod select_operands;

use crate::bundles::*;
use crate::execute::float::FloatControl;
use crate::execute::quad_exchange::QuadControl;
use crate::execute::special_function::SpecialControl;
use crate::operands::predicate_file::ConditionTest;
use hdlkit::prelude::*;

/// A condition-code register of the threads still to come; this beat's are in bits 0..LANES of each plane.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct CodePlanes {
    pub zero: Bits<32>,
    pub sign: Bits<32>,
    pub carry: Bits<32>,
    pub overflow: Bits<32>,
}

/// Base of a warp's registers and of its block's shared memory.
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
    /// Participating threads of this beat, in bits 0..LANES.
    pub lanes: Bits<32>,
    /// Their condition codes.
    pub codes: CodePlanes,
    pub first: Bit,
    /// The constant operand is the upper half of its word.
    pub constant_upper: Bit,
    /// The shared operand's part of its word.
    pub shared: SharedGates,
    /// The shared operand ends past the block's shared memory.
    pub shared_outside: Bit,
    /// Which of a store's registers operand b is, from 0, and whether it is the last.
    pub part: Bits<2>,
    pub complete: Bit,
    /// Operand a, if it is an immediate value or a special register (except the lane's number in the physical id); else
    /// 0.
    pub value: Bits<32>,
    /// Whether operand a contains the lane's number, and whether it is the condition code.
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

/// The parts of a shared word that form operand a, ORed together; none if it is not a shared operand. Known in r0:
/// after a block RAM and the choice among 16 banks there is no time left to decode an access.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SharedGates {
    /// The word's bytes 0 to 3, as byte 0.
    pub lowest: Bits<4>,
    /// Its byte 1, or its byte 3, as byte 1.
    pub second_of_lower: Bit,
    pub second_of_upper: Bit,
    /// Its upper half.
    pub upper: Bit,
    /// Its bit 15, or its bit 31, as all bits of the upper half.
    pub sign_of_lower: Bit,
    pub sign_of_upper: Bit,
}

/// The parts of an operand, ORed together. Known in r0, so that in r1 words take the shortest path to the lanes, with
/// two or three LUTs per bit of an operand.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct OperandGates {
    /// The register's lower half, upper half, or upper half as lower half. None if it has not been written.
    pub register_lower: Bit,
    pub register_upper: Bit,
    pub register_high: Bit,
    /// Halves of the gathered operand.
    pub gathered_lower: Bit,
    pub gathered_upper: Bit,
    /// The thread's address register (operand a only).
    pub address: Bit,
    /// A word of constant memory (only b and c; for a shared word see [`SharedGates`]).
    pub constant: Bit,
    /// The immediate value (only b and c; that of a is known in r0).
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
    /// The part of each operand that is the same for all lanes, else 0.
    pub r1_value_a: Signal<In, Bits<32>>,
    pub r1_value_b: Signal<In, Bits<32>>,
    pub r1_value_c: Signal<In, Bits<32>>,
    pub r1_register_1: Signal<In, Bits<32>>,
    pub r1_register_2: Signal<In, Bits<32>>,
    pub r1_register_3: Signal<In, Bits<32>>,
    /// The thread's condition code if that is operand a: Z = bit 0, S = bit 1, C = bit 2, O = bit 3; or the lane's
    /// number if it is part of operand a; else 0.
    pub r1_code: Signal<In, Bits<5>>,
    /// The thread's address register, and its gathered operand.
    pub r1_address: Signal<In, Bits<16>>,
    pub r1_gathered: Signal<In, Bits<32>>,
    /// Whether the beat is for the integer unit, and whether for the float or special function units.
    pub r1_integer: Signal<In, Bit>,
    pub r1_float: Signal<In, Bit>,
    /// The beat belongs to a memory instruction or R2G.
    pub r1_memory: Signal<In, Bit>,
    /// Operands of the integer unit's beats, and of the float unit's; no unit's inputs change for other beats. The
    /// special function units take a.
    pub x_a: Signal<Out, Bits<32>>,
    pub x_b: Signal<Out, Bits<32>>,
    pub x_c: Signal<Out, Bits<32>>,
    pub x_float_a: Signal<Out, Bits<32>>,
    pub x_float_b: Signal<Out, Bits<32>>,
    pub x_float_c: Signal<Out, Bits<32>>,
    /// The operands a and b of the memory unit and R2G: a whole register or the address register, and a register or
    /// half of one. The memory unit is far from the lanes, so these leave out everything that arrives late, above all a
    /// shared word.
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
    // A warp begins: its base addresses.
    pub r_launch: Signal<In, Bit>,
    pub r_launch_warp: Signal<In, WarpLaunch>,
    /// Number of the SM.
    pub r_multiprocessor: Signal<In, Bits<8>>,
    /// The cycle in which the instruction in r0 issued, if it reads the clock.
    pub r_clock: Signal<In, Bits<32>>,
    // From the scheduler.
    pub r_issued: Signal<In, Issued>,
    pub r_slot: Signal<Out, Bit>,
    // The warp's active mask, in the same cycle, and its condition codes: those of the last instruction sent to this
    // stage or to the collector.
    pub r_warp: Signal<Out, Bits<5>>,
    pub r_active: Signal<In, Bits<32>>,
    pub r_zero: Signal<In, Bits<32>>,
    pub r_sign: Signal<In, Bits<32>>,
    pub r_carry: Signal<In, Bits<32>>,
    pub r_overflow: Signal<In, Bits<32>>,
    // The operand collector's query for a warp's execution mask, in the same cycle.
    pub c_first: Signal<In, Bit>,
    pub c_query: Signal<In, MaskQuery>,
    pub c_executed: Signal<Out, Bits<32>>,
    // The collector's operands, in r1: the requested beat (0 if none), its words, and the address registers.
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
    /// Whether the beat is for the float unit, and its control, which otherwise keeps its value.
    pub x_is_float: Signal<Out, Bit>,
    pub x_float: Signal<Out, FloatControl>,
    /// Valid with `x_float`, and kept like it.
    pub x_quad: Signal<Out, QuadControl>,
    /// Whether the beat is for the special function units, and their control, which otherwise keeps its value.
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
    /// To the memory unit, with `x_enqueue`. Otherwise they change only for R2G, whose data the collector takes, and
    /// for beats at fault.
    pub m_lanes: Signal<Out, Bits<32>>,
    pub m_address: [Signal<Out, Bits<32>>; LANES],
    pub m_data: [Signal<Out, Bits<32>>; LANES],
    pub r_error: Signal<Out, KernelError>,
    /// No beat is in the stage.
    pub r_idle: Signal<Out, Bit>,
    /// Threads that execute the instruction in r0, on its first beat (else 0), for the counters.
    pub r_executed: Signal<Out, Bits<32>>,
    /// The instruction of that beat, for the trace.
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
    /// The instruction in r1, past its first beat, is at fault: it has no effect.
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

        self.begin_beat();
        self.find_participants();
        self.address_registers();
        self.address_memories();
        self.describe_beat();
        self.select_shared_bytes();
        self.gate_operands();
        self.choose_unit();
        self.take_beat();
        self.find_faults();
        self.take_memory_words();
        self.merge_uniform_operands();
        self.read_gathered();
        self.merge_lanes();
        self.describe_write();
        self.dispatch_to_lanes();
        self.dispatch_to_memory();
        self.drive_outputs();
    }
}
