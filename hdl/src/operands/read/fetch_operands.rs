//! Stage r0: addresses the register file, shared and constant memory, and computes the select lines of each operand.

use super::operand_lane::OperandGates;
use super::{BeatPosition, Read, ReadBeat, SharedGates, WarpContext};
use crate::bundles::*;
use hdlkit::prelude::*;

/// Returns the select lines of operand a if it is in shared memory, else none. Accesses are aligned.
#[hdl_fn]
fn shared_gates(operand: Operand, access: Bits<2>, byte: Bits<2>) -> SharedGates {
    let lowest = byte.one_hot::<4>();
    let upper = byte.get_bit(1);
    let extends = access == 2 && operand.part == Part::Whole;
    let gates = match access.index() {
        0 => SharedGates { lowest, ..Default::default() },
        3 => SharedGates { lowest, second_of_lower: true, upper: operand.part != Part::Low, ..Default::default() },
        _ => SharedGates {
            lowest,
            second_of_lower: !upper,
            second_of_upper: upper,
            upper: false,
            sign_of_lower: extends && !upper,
            sign_of_upper: extends && upper,
        },
    };
    if operand.source == Source::Shared {
        gates
    } else {
        SharedGates::default()
    }
}

/// Returns the select lines of an operand that is a register, if that is `live`, gathered, constant or immediate.
#[hdl_fn]
fn operand_gates(operand: Operand, live: Bit) -> OperandGates {
    let register = operand.source == Source::Register && live;
    let gathered = operand.source == Source::Gathered;
    OperandGates {
        register_lower: register && operand.part != Part::High,
        register_upper: register && operand.part == Part::Whole,
        register_high: register && operand.part == Part::High,
        gathered_lower: gathered,
        gathered_upper: gathered,
        address: false,
        constant: operand.source == Source::Constant,
        immediate: operand.source == Source::Immediate,
    }
}

impl<const LANES: usize> Read<LANES> {
    /// Addresses the register file, where operand b of a store is the register of the current part, and in the first
    /// beat the uniform operands in shared and constant memory. Returns the address in shared memory.
    #[hdl_part]
    pub(super) fn address_operands(&mut self, issued: Issued, context: WarpContext, first: Bit) -> Bits<14> {
        let instruction = issued.decoded;
        self.registers.enable.next = issued.valid;
        self.registers.beat.next = self.r0_beat.q.val();
        self.registers.row_1.next = context.row + instruction.a.register.resize();
        self.registers.row_2.next =
            context.row + (instruction.b.register.resize::<9>() + self.r0_part.q.val().resize());
        self.registers.row_3.next = context.row + instruction.c.register.resize();

        if self.atomics.val() {
            // The third and fourth register of an atomic operation are operand c.
            let part = self.r0_part.q.val();
            if is_atomic(instruction) && part.get_bit(1) {
                self.registers.row_2.next =
                    context.row + (instruction.c.register.resize::<9>() + part.low::<1>().resize());
            }
        }

        if self.doubles.val() {
            // The second registers of a double instruction's operands; row 2 has the part already.
            let part = self.r0_part.q.val();
            if is_double(instruction) {
                self.registers.row_1.next = context.row + (instruction.a.register.resize::<9>() + part.resize());
                self.registers.row_3.next = context.row + (instruction.c.register.resize::<9>() + part.resize());
            }
        }

        let shared_address = (context.shared_row.resize::<14>() << 6) + instruction.shared_offset.resize();
        self.uniform.address.next = shared_address;
        self.uniform.enable.next = first && instruction.a.source == Source::Shared;
        self.r_constant_enable.next =
            first && (instruction.b.source == Source::Constant || instruction.c.source == Source::Constant);
        self.r_constant_address.next = instruction.constant_address;
        shared_address
    }

    /// Returns the beat for r1: its participants, and the select lines of the operands that are addressed.
    #[hdl_part]
    pub(super) fn describe_beat(&mut self, issued: Issued, position: BeatPosition) -> ReadBeat {
        let context = self.warp_context.read(issued.warp);
        let participants = self.find_participants(issued, position);
        let shared_address = self.address_operands(issued, context, position.first);
        let instruction = issued.decoded;
        let part = self.r0_part.q.val();
        let shared_bytes = self.shared_rows.val().resize::<16>() << 6;
        let shared_size = match instruction.shared_access.index() {
            0 => bits::<16>(1),
            3 => bits(4),
            _ => bits(2),
        };
        let shared_end = instruction.shared_offset.resize::<16>() + shared_size;
        let b_live = match part.index() {
            0 => issued.b_live,
            1 => issued.b_further_live.get_bit(0),
            2 => issued.b_further_live.get_bit(1),
            _ => issued.b_further_live.get_bit(2),
        };
        let (value, is_physical_id) = self.value_of_a(issued);
        let is_shared = instruction.a.source == Source::Shared;
        let gates_a = operand_gates(instruction.a, issued.a_live);
        let gates_c = operand_gates(instruction.c, issued.c_live);
        let c_register = instruction.c.source == Source::Register && issued.c_live;
        ReadBeat {
            valid: issued.valid,
            issued,
            beat: self.r0_beat.q.val(),
            last: position.last,
            row: context.row + instruction.register.resize(),
            participants,
            first: position.first,
            constant_upper: instruction.constant_address.get_bit(1),
            shared: shared_gates(instruction.a, instruction.shared_access, shared_address.low::<2>()),
            shared_outside: is_shared && shared_end > shared_bytes,
            part,
            complete: position.complete,
            value,
            a_number: is_physical_id,
            a_code: instruction.a.source == Source::ConditionCode,
            // A gathered operand a may be half a word. An immediate is in `value`, and words of c[] are never operand
            // a.
            a: OperandGates {
                gathered_upper: gates_a.gathered_upper && instruction.a.part != Part::Low,
                address: instruction.a.source == Source::Address,
                constant: false,
                immediate: false,
                ..gates_a
            },
            b: operand_gates(instruction.b, b_live),
            // Always a whole register.
            c: OperandGates { register_lower: c_register, register_upper: c_register, register_high: false, ..gates_c },
            for_integer: issued.valid && instruction.unit == Unit::Integer,
            for_float: issued.valid && instruction.unit == Unit::Float,
            for_special: issued.valid && instruction.unit == Unit::SpecialFunction,
            for_memory: issued.valid && (instruction.unit == Unit::Memory || instruction.indexing.scatters),
        }
    }

    /// Selects the second registers of a double instruction's operands a and c, if these have been written.
    #[hdl_part]
    pub(super) fn select_second_registers(&mut self, issued: Issued) {
        let a_live = issued.b_further_live.get_bit(1);
        let c_live = issued.b_further_live.get_bit(2);
        if is_double(issued.decoded) && self.r0_part.q.val().get_bit(0) {
            self.r1.d.next.a.register_lower = a_live;
            self.r1.d.next.a.register_upper = a_live;
            self.r1.d.next.c.register_lower = c_live;
            self.r1.d.next.c.register_upper = c_live;
        }
    }

    /// Returns operand a if it is an immediate or a special register, else 0, and true if it is the physical id, to
    /// which the lane's number belongs.
    #[hdl_part]
    pub(super) fn value_of_a(&self, issued: Issued) -> (Bits<32>, Bit) {
        let a = issued.decoded.a;
        let physical_id = (self.r0_beat.q.val().resize::<32>() << (clog2(LANES) as u64))
            | (issued.warp.resize::<32>() << 8)
            | (self.r_multiprocessor.val().resize::<32>() << 16);
        let is_physical_id = a.source == Source::Special && !a.register.any();
        let value = if a.source == Source::Immediate {
            issued.decoded.immediate
        } else if is_physical_id {
            physical_id
        } else {
            mask(a.source == Source::Special && a.register == 1, self.r_clock.val())
        };
        (value, is_physical_id)
    }
}
