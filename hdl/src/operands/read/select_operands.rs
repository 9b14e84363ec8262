//! Stage r1: the words have arrived. Faults, shared and constant values, and each lane's operands.

use super::Read;
use crate::bundles::*;
use hdlkit::prelude::*;

impl<const LANES: usize> Read<LANES> {
    /// The beat in r1.
    #[hdl_part]
    pub(super) fn take_beat(&mut self) {
        self.beat_1.next = self.r1.q.val();
        self.issued_1.next = self.beat_1.val().issued;
        self.codes_1.next = self.beat_1.val().codes;
        self.zeros_1.next = self.codes_1.val().zero;
        self.signs_1.next = self.codes_1.val().sign;
        self.carries_1.next = self.codes_1.val().carry;
        self.overflows_1.next = self.codes_1.val().overflow;
        self.instruction_1.next = self.issued_1.val().decoded;
    }

    /// A uniform operand outside shared memory is a fault only if some thread executes. A faulting beat goes no
    /// further.
    #[hdl_part]
    pub(super) fn find_faults(&mut self) {
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
    }

    /// The shared and the constant word, kept for later beats, and their bytes that form the operands.
    #[hdl_part]
    pub(super) fn take_memory_words(&mut self) {
        self.constant_word.next = self.r1_constant.q.val();
        if self.beat_1.val().first {
            self.constant_word.next = self.r_constant_word.val();
        }
        self.r1_constant.d.next = self.constant_word.val();
        // Shared memory reads 0 without a request, and nothing is kept past the last beat: so the word is the OR of
        // both.
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
    }

    /// The parts of the operands that are the same for all lanes.
    #[hdl_part]
    pub(super) fn merge_uniform_operands(&mut self) {
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
    }

    /// The collector's buffer, and whether the beat enters the memory unit's queue.
    #[hdl_part]
    pub(super) fn read_gathered(&mut self) {
        self.enqueues.next = self.goes_on.val() && (self.instruction_1.val().unit == Unit::Memory);
        self.indexing_1.next = self.instruction_1.val().indexing;
        self.gathers.next = self.beat_1.val().valid && self.indexing_1.val().gathers;
        self.c_read_buffer.next = self.gathers.val() && self.issued_1.val().buffer;
        self.c_read_beat.next = 0.into();
        if self.gathers.val() {
            self.c_read_beat.next = self.beat_1.val().beat;
        }
    }

    /// Each lane's operands.
    #[hdl_part]
    pub(super) fn merge_lanes(&mut self) {
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
            // Also set for a faulting beat, because the fault is known too late: such operands are not used.
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
    }
}
