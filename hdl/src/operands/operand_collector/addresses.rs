//! Stages a0 and a1: computes and checks each thread's address, and queues half-warps.

use super::OperandCollector;
use hdlkit::prelude::*;

impl<const LANES: usize> OperandCollector<LANES> {
    /// Stage a0: the address file's row, and which threads execute.
    #[hdl_part]
    pub(super) fn look_up_addresses(&mut self) {
        self.a0_issued.next = self.a0.q.val();
        self.a0_instruction.next = self.a0_issued.val().decoded;
        self.a0_indexing.next = self.a0_instruction.val().indexing;
        self.a0_uses_place.next =
            self.a0_first.q.val() && (self.a0_indexing.val().gathers || self.a0_indexing.val().scatters);
        self.instructions.write_enable.next = self.a0_uses_place.val();
        self.instructions.write_address.next = self.a0_place.q.val();
        self.instructions.write_data.next = self.a0_issued.val();
        self.placed.write_enable.next = self.a0_uses_place.val();
        self.placed.write_address.next = self.a0_place.q.val();
        self.placed.write_data.next.tag = self.a0_issued.val().tag;
        self.placed.write_data.next.warp = self.a0_issued.val().warp;
        self.placed.write_data.next.pc = self.a0_issued.val().pc;
        self.placed.write_data.next.indexing = self.a0_indexing.val();
        self.a0_parts.next = 0.into();
        if self.a0_instruction.val().store {
            self.a0_parts.next = self.a0_instruction.val().further_registers;
        }
        self.a0_complete.next = self.a0_part.q.val() == self.a0_parts.val();
        // Computes the next cycle's beat, so that a register tells whether it is the first or the last.
        self.c_slot.next = !self.a0_issued.val().valid || self.a0_last.q.val();
        self.next_valid.next = self.a0_issued.val().valid;
        self.next_beat.next = self.a0_beat.q.val();
        self.next_part.next = 0.into();
        self.next_parts.next = self.a0_parts.val();
        if self.c_slot.val() {
            self.a0.d.next = self.taken.val();
            self.a0.d.next.valid = self.c_take.val();
            self.a0_place.d.next = self.tail.q.val();
            self.next_valid.next = self.c_take.val();
            self.next_beat.next = 0.into();
            self.next_parts.next = 0.into();
            if self.taken_instruction.val().store {
                self.next_parts.next = self.taken_instruction.val().further_registers;
            }
        } else if self.a0_complete.val() {
            self.next_beat.next = self.a0_beat.q.val() + 1;
        } else {
            self.next_part.next = self.a0_part.q.val() + 1;
        }
        self.a0_beat.d.next = self.next_beat.val();
        self.a0_part.d.next = self.next_part.val();
        self.a0_first.d.next = self.next_valid.val() && !self.next_beat.val().any() && !self.next_part.val().any();
        self.a0_last.d.next =
            (self.next_beat.val() == self.last_beat.val()) && (self.next_part.val() == self.next_parts.val());
        self.c_first.next = self.a0_first.q.val();
        self.query.next.warp = self.a0_issued.val().warp;
        self.query.next.predicated = self.a0_instruction.val().predicated;
        self.query.next.condition = self.a0_instruction.val().condition;
        self.query.next.condition_live = self.a0_issued.val().condition_live;
        self.c_query.next = self.query.val();
        self.mask.next = self.a0_mask.q.val();
        if self.c_first.val() {
            self.mask.next = self.c_executed.val();
        }
        self.a0_mask.d.next = self.mask.val();
        if self.a0_complete.val() {
            self.a0_mask.d.next = self.mask.val() >> self.lane_count.val();
        }
        self.address_file.read_enable.next = self.a0_issued.val().valid && self.a0_indexing.val().register_used;
        self.address_file.read_warp.next = self.a0_issued.val().warp;
        self.address_file.read_register.next = self.a0_indexing.val().register;
        self.address_file.read_beat.next = self.a0_beat.q.val();
        self.beat.next.valid = self.a0_issued.val().valid;
        self.beat.next.tag = self.a0_issued.val().tag;
        self.beat.next.warp = self.a0_issued.val().warp;
        self.beat.next.indexing = self.a0_indexing.val();
        self.beat.next.live = self.a0_issued.val().address_live && self.a0_indexing.val().register_used;
        self.beat.next.fill = !self.a0_issued.val().address_live;
        self.beat.next.complete = self.a0_complete.val();
        self.beat.next.place = self.a0_place.q.val();
        self.beat.next.beat = self.a0_beat.q.val();
        self.beat.next.lanes = self.mask.val() & self.lane_mask.val();
        self.a1.d.next = self.beat.val();
    }

    /// Stage a1: checked addresses go into the queue with two extra bits: see `take_half_warp`.
    #[hdl_part]
    pub(super) fn compute_addresses(&mut self) {
        self.a1_beat.next = self.a1.q.val();
        self.a1_indexing.next = self.a1_beat.val().indexing;
        self.a1_queues.next = self.a1_beat.val().valid
            && (self.a1_indexing.val().gathers || self.a1_indexing.val().scatters)
            && !self.stopped.val();
        self.a1_increments.next =
            self.a1_beat.val().valid && self.a1_indexing.val().increments && self.a1_beat.val().complete;
        self.c_incrementing.next =
            self.a1_increments.val() || self.a0_issued.val().valid && self.a0_indexing.val().increments;
        self.limit.next = bit_cast::<10, 9>(self.shared_rows.val());
        if self.a1_indexing.val().constant {
            self.limit.next = 64.into();
        }
        match self.a1_indexing.val().access.index() {
            0 => self.low_bits.next = 0.into(),
            3 => self.low_bits.next = 3.into(),
            _ => self.low_bits.next = 1.into(),
        }
        self.addresses.write_enable.next = self.a1_queues.val();
        self.addresses.write_place.next = self.a1_beat.val().place;
        self.addresses.write_beat.next = self.a1_beat.val().beat;
        self.increment_lanes.next = 0.into();
        if self.a1_increments.val() {
            self.increment_lanes.next = self.a1_beat.val().lanes;
            if self.a1_beat.val().fill {
                self.increment_lanes.next = self.lane_mask.val();
            }
        }
        self.address_file.write_lanes.next = self.w_address_lanes.val();
        self.address_file.write_warp.next = self.w_address_warp.val();
        self.address_file.write_register.next = self.w_address_register.val();
        self.address_file.write_beat.next = self.w_address_beat.val();
        if self.a1_increments.val() {
            self.address_file.write_lanes.next = self.increment_lanes.val();
            self.address_file.write_warp.next = self.a1_beat.val().warp;
            self.address_file.write_register.next = self.a1_indexing.val().register;
            self.address_file.write_beat.next = self.a1_beat.val().beat;
        }
        self.data.write_enable.next = self.a2_store.q.val();
        self.data.write_place.next = self.a2_place.q.val();
        self.data.write_beat.next = self.a2_beat.q.val();
        for i in 0..LANES {
            self.base_value.next = 0.into();
            if self.a1_beat.val().live {
                self.base_value.next = self.address_file.read_data[i].val();
            }
            self.sum.next = self.base_value.val() + self.a1_indexing.val().offset;
            self.address.next = self.sum.val();
            if self.a1_indexing.val().post_increment {
                self.address.next = self.base_value.val();
            }
            self.c_address[i].next = self.base_value.val();
            if self.a1_indexing.val().local {
                self.c_address[i].next = self.address.val();
            }
            self.remainder.next = self.address.val() & self.low_bits.val();
            // An aligned access lies within one such unit.
            self.bad.next = self.remainder.val().any() || (self.address.val().get_bits::<10>(6) >= self.limit.val());
            self.entry.next = bit_cast::<18, 16>(self.address.val());
            if self.a1_beat.val().lanes.get_bit(i) {
                self.entry.next = self.entry.val() | 0x20000_u64;
                if self.bad.val() {
                    self.entry.next = self.entry.val() | 0x10000_u64;
                }
            }
            self.addresses.write_data[i].next = self.entry.val();
            self.c_increment_data[i].next = self.sum.val();
            self.address_file.write_data[i].next = self.w_address_data[i].val();
            if self.a1_increments.val() {
                self.address_file.write_data[i].next = self.sum.val();
                if !self.a1_beat.val().lanes.get_bit(i) {
                    self.address_file.write_data[i].next = 0.into();
                }
            }
            self.data.write_data[i].next = self.c_data[i].val();
        }
        self.c_increment_valid.next = self.a1_increments.val();
        self.c_increment_tag.next = self.a1_beat.val().tag;
        self.c_increment_beat.next = self.a1_beat.val().beat;
        self.c_increment_lanes.next = self.a1_beat.val().lanes;
        self.c_increment_register.next = self.a1_indexing.val().register;
        self.a2_store.d.next = self.a1_queues.val() && self.a1_indexing.val().scatters;
        self.a2_place.d.next = self.a1_beat.val().place;
        self.a2_beat.d.next = self.a1_beat.val().beat;
        // Completed half-warps: those of R2G count when the data are there, a cycle later.
        self.a1_half.next = self.a1_beat.val().beat & self.half_mask.val();
        self.a2_half.next = self.a2_beat.q.val() & self.half_mask.val();
        self.a1_completes.next =
            self.a1_queues.val() && !self.a1_indexing.val().scatters && (self.a1_half.val() == self.half_mask.val());
        self.completes.next = self.ready.q.val();
        if self.a1_completes.val() {
            self.completes.next = self.completes.val() + self.half_count.val();
        }
        if self.a2_store.q.val() && (self.a2_half.val() == self.half_mask.val()) {
            self.completes.next = self.completes.val() + self.half_count.val();
        }
    }
}
