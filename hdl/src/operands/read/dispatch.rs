//! Stage r1 to x1: the beat's control for the lanes, the special function units, the memory unit and writeback.

use super::{Read, ReadBeat};
use crate::bundles::*;
use hdlkit::prelude::*;

impl<const LANES: usize> Read<LANES> {
    /// The beat's control for writeback.
    #[hdl_part]
    pub(super) fn describe_write(&self, beat: ReadBeat, proceeds: Bit) -> WriteControl {
        let issued = beat.issued;
        let instruction = issued.decoded;
        WriteControl {
            valid: proceeds && beat.complete,
            tag: issued.tag,
            warp: issued.warp,
            beat: beat.beat,
            last: beat.last,
            row: beat.row,
            register: instruction.register,
            halves: instruction.halves,
            register_enable: instruction.register_enable,
            fill: issued.fill,
            condition_register: instruction.condition_register,
            condition_enable: instruction.condition_enable,
            condition_fill: issued.condition_fill,
            address_register: instruction.address_register,
            address_enable: instruction.address_enable,
            address_fill: issued.address_fill,
            elsewhere: instruction.unit == Unit::SpecialFunction
                || (instruction.unit == Unit::Memory && !instruction.store),
        }
    }

    /// Controls for the integer, float and special function units. Each changes only for a beat of its own.
    #[hdl_part]
    pub(super) fn dispatch_to_lanes(&mut self, beat: ReadBeat, proceeds: Bit) {
        let instruction = beat.issued.decoded;
        if beat.for_integer {
            self.x1_integer.d.next = instruction.integer;
        }
        self.x1_is_float.d.next = proceeds && beat.for_float;
        if beat.for_float {
            self.x1_float.d.next = instruction.float;
            self.x1_quad.d.next = instruction.quad;
        }
        self.x1_is_special.d.next = proceeds && beat.for_special;
        if beat.for_special {
            self.x1_special.d.next = instruction.special;
        }
        self.x1_enqueue.d.next = proceeds && instruction.unit == Unit::Memory;
        self.x1_lanes.d.next = beat.lanes;
        self.x1_carries.d.next = beat.codes.carry;
    }

    /// The beat's control for the memory unit.
    #[hdl_part]
    pub(super) fn dispatch_to_memory(&mut self, beat: ReadBeat) {
        let issued = beat.issued;
        let instruction = issued.decoded;
        if beat.for_memory {
            self.x1_memory.d.next = MemoryControl {
                beat: MemoryBeat {
                    tag: issued.tag,
                    warp: issued.warp,
                    beat: beat.beat,
                    last: beat.last,
                    row: beat.row,
                    register: instruction.register,
                    // A load into a register that does not exist writes no half.
                    halves: mask(instruction.register_enable, instruction.halves),
                    fill: issued.fill,
                    further: issued.further,
                    further_fill: issued.further_fill,
                },
                pc: issued.pc,
                store: instruction.store,
                local: instruction.indexing.local,
                size: instruction.size,
                is_signed: instruction.load_signed,
                part: beat.part,
                complete: beat.complete,
            };
            self.m1_lanes.d.next = beat.lanes;
        }
    }

    /// The stage's outputs, all registered.
    #[hdl_part]
    pub(super) fn drive_outputs(&mut self) {
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
        self.r_idle.next = !self.r0.q.val().valid && !self.r1.q.val().valid && !self.x1_write.q.val().valid;
    }
}
