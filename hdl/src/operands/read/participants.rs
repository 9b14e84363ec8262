//! Stage r0: the current beat, and the threads that take part in it.

use super::Read;
use crate::bundles::*;
use hdlkit::prelude::*;

impl<const LANES: usize> Read<LANES> {
    /// The beat in r0: its index among the instruction's beats and registers, and whether it is the first or the last.
    #[hdl_part]
    pub(super) fn begin_beat(&mut self) {
        self.issued.next = self.r0.q.val();
        self.instruction.next = self.issued.val().decoded;
        self.operand_a.next = self.instruction.val().a;
        self.operand_b.next = self.instruction.val().b;
        self.operand_c.next = self.instruction.val().c;
        self.first.next = self.issued.val().valid && !self.r0_beat.q.val().any() && !self.r0_part.q.val().any();
        // A store of 64 or 128 bits repeats each beat for each register.
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
    }

    /// The execution mask: active threads whose condition holds. Computed for the whole warp on the first beat and
    /// kept.
    #[hdl_part]
    pub(super) fn find_participants(&mut self) {
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
    }

    /// The unit that the beat is for, and the request to the branch unit.
    #[hdl_part]
    pub(super) fn choose_unit(&mut self) {
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
    }
}
