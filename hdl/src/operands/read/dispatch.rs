//! Stage r1 to x1: the beat's control for the lanes, the special function units, the memory unit and writeback.

use super::Read;
use crate::bundles::*;
use hdlkit::prelude::*;

impl<const LANES: usize> Read<LANES> {
    /// The beat's control for writeback.
    #[hdl_part]
    pub(super) fn describe_write(&mut self) {
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
    }

    /// Controls for the integer, float and special function units. Each changes only for a beat of its own.
    #[hdl_part]
    pub(super) fn dispatch_to_lanes(&mut self) {
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
    }

    /// The beat's control for the memory unit.
    #[hdl_part]
    pub(super) fn dispatch_to_memory(&mut self) {
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
    }

    /// The stage's outputs, all registered.
    #[hdl_part]
    pub(super) fn drive_outputs(&mut self) {
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
