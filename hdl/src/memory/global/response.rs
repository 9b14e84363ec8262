//! r0: responses meet their records and go to the lanes, in the order of the requests.

use super::GlobalMemoryUnit;
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// Whether the oldest record can go. It needs its response, if its request made one, and room where the beat is
    /// assembled. A response that meets its record in its arrival cycle goes straight to the lanes; any other waits in
    /// memory.
    #[hdl_part]
    pub(super) fn match_response(&mut self) {
        self.r0_record.next = self.records.read_data.val();
        self.r0_request.next = self.r0_record.val().get_bit(56);
        self.r0_answer.next = self.memory.response_valid.val() && self.awaited_count.q.val().any();
        self.r0_direct.next = !self.responses_unread.q.val().any() && !self.response_read.q.val();
        self.r0_answered.next =
            !self.r0_request.val() || self.response_read.q.val() || (self.r0_answer.val() && self.r0_direct.val());
        self.r0_room.next = !self.loaded_complete.q.val() || self.l_first.val();
        self.r0_take.next = self.record_valid.q.val() && self.r0_answered.val() && self.r0_room.val();
        self.r0_use.next = self.r0_take.val() && self.r0_request.val();
        self.r0_keep.next = self.r0_answer.val() && (!self.r0_direct.val() || !self.r0_use.val());
    }

    /// Writes the response's words to the lanes that the request served, into the beat's registers.
    #[hdl_part]
    pub(super) fn assemble_beat(&mut self) {
        self.load_data.write_enable.next = self.r0_use.val();
        self.load_data.size.next = self.r0_record.val().get_bits::<3>(51);
        self.load_data.is_signed.next = self.r0_record.val().get_bit(54);
        self.r0_served.next = 0.into();
        self.r0_mask.next = 0.into();
        for i in 0..LANES {
            self.r0_lane.next = self.record_lanes.read_data[i].val();
            self.load_data.offset[i].next = self.r0_lane.val().get_bits::<7>(0);
            self.r0_served.next = self.r0_served.val().replace_bit(i, self.r0_lane.val().get_bit(7));
            self.r0_mask.next = self.r0_mask.val().replace_bit(i, self.r0_lane.val().get_bit(8));
            self.responses.write_data[i].next = self.memory.response_data[i].val();
            self.load_data.word[i].next = self.memory.response_data[i].val();
            if self.response_read.q.val() {
                self.load_data.word[i].next = self.responses.read_data[i].val();
            }
        }
        self.load_data.served.next = self.r0_served.val();
    }

    /// The beat's control for writeback, from its record. The response to the last request completes the beat.
    #[hdl_part]
    pub(super) fn describe_loaded_beat(&mut self) {
        self.r0_write.next.valid = true;
        self.r0_write.next.tag = self.r0_record.val().get_bits::<16>(0);
        self.r0_write.next.warp = self.r0_record.val().get_bits::<5>(16);
        self.r0_write.next.beat = self.r0_record.val().get_bits::<2>(21);
        self.r0_write.next.last = self.r0_record.val().get_bit(23);
        self.r0_write.next.row = self.r0_record.val().get_bits::<9>(24);
        self.r0_write.next.register = self.r0_record.val().get_bits::<7>(33);
        self.r0_write.next.halves = self.r0_record.val().get_bits::<2>(40);
        self.r0_write.next.register_enable = true;
        self.r0_write.next.fill = self.r0_record.val().get_bit(42);
        self.r0_write.next.condition_register = 0.into();
        self.r0_write.next.condition_enable = false;
        self.r0_write.next.condition_fill = false;
        self.r0_write.next.address_register = 0.into();
        self.r0_write.next.address_enable = false;
        self.r0_write.next.address_fill = false;
        self.r0_write.next.elsewhere = false;
        self.r0_beat.next.control = self.r0_write.val();
        self.r0_beat.next.mask = self.r0_mask.val();
        self.r0_beat.next.parts = self.r0_record.val().get_bits::<2>(49);
        self.r0_beat.next.further = self.r0_record.val().get_bits::<3>(43);
        self.r0_beat.next.further_fill = self.r0_record.val().get_bits::<3>(46);
        if self.l_first.val() {
            self.loaded_complete.d.next = false;
        }
        if self.r0_take.val() {
            self.loaded.d.next = self.r0_beat.val();
            self.loaded_complete.d.next = self.r0_record.val().get_bit(55);
        }
    }

    /// Reads the next record from its memory, a cycle ahead of its use.
    #[hdl_part]
    pub(super) fn fetch_record(&mut self) {
        self.r0_fetch_record.next =
            self.records_unread.q.val().any() && (!self.record_valid.q.val() || self.r0_take.val());
        self.records.read_enable.next = self.r0_fetch_record.val();
        self.records.read_address.next = self.records_head.q.val();
        self.record_lanes.read_enable.next = self.r0_fetch_record.val();
        self.record_lanes.read_address.next = self.records_head.q.val();
        if self.r0_take.val() {
            self.record_valid.d.next = false;
        }
        if self.r0_fetch_record.val() {
            self.record_valid.d.next = true;
            self.records_head.d.next = self.records_head.q.val() + 1;
        }
    }

    /// Reads the next waiting response from its memory, a cycle ahead of its use.
    #[hdl_part]
    pub(super) fn fetch_response(&mut self) {
        self.r0_fetch_response.next =
            self.responses_unread.q.val().any() && (!self.response_read.q.val() || self.r0_use.val());
        self.responses.read_enable.next = self.r0_fetch_response.val();
        self.responses.read_address.next = self.responses_head.q.val();
        if self.r0_use.val() {
            self.response_read.d.next = false;
        }
        if self.r0_fetch_response.val() {
            self.response_read.d.next = true;
            self.responses_head.d.next = self.responses_head.q.val() + 1;
        }
    }

    /// A response that cannot go to the lanes in this cycle waits. There is always a place: a load leaves m3 only with
    /// one reserved.
    #[hdl_part]
    pub(super) fn keep_response(&mut self) {
        self.responses.write_enable.next = self.r0_keep.val();
        self.responses.write_address.next = self.responses_tail.q.val();
        if self.r0_keep.val() {
            self.responses_tail.d.next = self.responses_tail.q.val() + 1;
        }
        if self.r0_keep.val() && !self.r0_fetch_response.val() {
            self.responses_unread.d.next = self.responses_unread.q.val() + 1;
        }
        if !self.r0_keep.val() && self.r0_fetch_response.val() {
            self.responses_unread.d.next = self.responses_unread.q.val() - 1;
        }
    }
}
