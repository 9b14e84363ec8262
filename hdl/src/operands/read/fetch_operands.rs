//! Stage r0: rows of the register file, words of shared and constant memory, and the parts of each operand.

use super::Read;
use crate::bundles::*;
use hdlkit::prelude::*;

impl<const LANES: usize> Read<LANES> {
    /// Rows of the register file.
    #[hdl_part]
    pub(super) fn address_registers(&mut self) {
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
    }

    /// Addresses of operands in shared and constant memory that are the same for all threads.
    #[hdl_part]
    pub(super) fn address_memories(&mut self) {
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
    }

    /// The beat's data for stage r1.
    #[hdl_part]
    pub(super) fn describe_beat(&mut self) {
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
    }

    /// Selects the bytes of the shared word that make up the operand. Accesses are aligned.
    #[hdl_part]
    pub(super) fn select_shared_bytes(&mut self) {
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
    }

    /// The sources of each operand's halves: registers, the collector, memories, numbers.
    #[hdl_part]
    pub(super) fn gate_operands(&mut self) {
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
    }
}
