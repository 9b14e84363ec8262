//! m3 and m4: a request to the memory port, and the record that a load keeps for its response.

use super::GlobalMemoryUnit;
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// The request at the memory port, until the memory takes it.
    #[hdl_part]
    pub(super) fn drive_port(&mut self) {
        self.m4_free.next = !self.m4.q.val().valid || self.memory.request_ready.val();
        self.memory.request_valid.next = self.m4.q.val().valid;
        self.memory.request_write.next = self.m4.q.val().write;
        self.memory.request_address.next = self.m4.q.val().address;
        for i in 0..LANES {
            self.memory.request_data[i].next = self.words.word[i].val();
            self.memory.request_enable[i].next = self.words.enable[i].val();
        }
        self.m_transaction.next = self.m4.q.val().valid && self.memory.request_ready.val();
        if self.memory.request_ready.val() {
            self.m4.d.next.valid = false;
        }
    }

    /// Sends the chosen request to the port, if that is free. A load must have places for its record and its response,
    /// so that no response is ever lost. A beat without lanes needs no port.
    #[hdl_part]
    pub(super) fn issue_request(&mut self) {
        self.m3_room.next = !self.awaited_count.q.val().get_bit(4) && !self.records_unread.q.val().get_bit(5);
        self.m3_go.next = self.m3.q.val().valid
            && (self.m4_free.val() || !self.m3.q.val().request)
            && (self.m3_control.q.val().store || self.m3_room.val());
        self.m3_capture.next = self.m3_go.val() && self.m3.q.val().request;
        self.m3_request.next = self.m3_capture.val() && !self.m3.q.val().partial;
        self.m3_load.next = self.m3_go.val() && !self.m3_control.q.val().store;
        self.m3_read.next = self.m3_request.val() && !self.m3_control.q.val().store;
        self.words.capture.next = self.m3_capture.val();
        self.words.second.next = self.m3.q.val().second;
        self.words.served.next = self.m3.q.val().served;
        self.words.size.next = self.m3_control.q.val().size;
        if self.m3_request.val() {
            self.m4.d.next.valid = true;
            self.m4.d.next.write = self.m3_control.q.val().store;
            self.m4.d.next.address = self.m3.q.val().segment;
        }
    }

    /// A load's record: what its response will need. The bits are listed with the field `records`.
    #[hdl_part]
    pub(super) fn pack_record(&mut self) {
        self.m3_parts.next = 0.into();
        match self.m3_control.q.val().size.index() {
            3 => self.m3_parts.next = 1.into(),
            4 => self.m3_parts.next = 3.into(),
            _ => {}
        }
        self.m3_record.next = bit_cast::<57, 16>(self.m3_control.q.val().tag);
        self.m3_field.next = bit_cast::<57, 5>(self.m3_control.q.val().warp) << 16;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_field.next = bit_cast::<57, 2>(self.m3_control.q.val().beat) << 21;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_record.next = self.m3_record.val().replace_bit(23, self.m3_control.q.val().last);
        self.m3_field.next = bit_cast::<57, 9>(self.m3_control.q.val().row) << 24;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_field.next = bit_cast::<57, 7>(self.m3_control.q.val().register) << 33;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_field.next = bit_cast::<57, 2>(self.m3_control.q.val().halves) << 40;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_record.next = self.m3_record.val().replace_bit(42, self.m3_control.q.val().fill);
        self.m3_field.next = bit_cast::<57, 3>(self.m3_control.q.val().further) << 43;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_field.next = bit_cast::<57, 3>(self.m3_control.q.val().further_fill) << 46;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_field.next = bit_cast::<57, 2>(self.m3_parts.val()) << 49;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_field.next = bit_cast::<57, 3>(self.m3_control.q.val().size) << 51;
        self.m3_record.next = self.m3_record.val() | self.m3_field.val();
        self.m3_record.next = self.m3_record.val().replace_bit(54, self.m3_control.q.val().is_signed);
        self.m3_record.next = self.m3_record.val().replace_bit(55, self.m3.q.val().complete);
        self.m3_record.next = self.m3_record.val().replace_bit(56, self.m3.q.val().request);
    }

    /// Writes the record, and for each lane its place in the segment, which also goes to the store buffer.
    #[hdl_part]
    pub(super) fn write_record(&mut self) {
        self.records.write_enable.next = 0.into();
        if self.m3_load.val() {
            self.records.write_enable.next = 1.into();
            self.records_tail.d.next = self.records_tail.q.val() + 1;
        }
        self.records.write_address.next = self.records_tail.q.val();
        self.records.write_data.next = self.m3_record.val();
        self.record_lanes.write_enable.next = self.m3_load.val();
        self.record_lanes.write_address.next = self.records_tail.q.val();
        for i in 0..LANES {
            self.m3_own.next = self.m3_offset[i].q.val();
            self.words.offset[i].next = self.m3_own.val();
            self.m3_lane.next = bit_cast::<9, 7>(self.m3_own.val());
            self.m3_lane.next = self.m3_lane.val().replace_bit(7, self.m3.q.val().served.get_bit(i));
            self.m3_lane.next = self.m3_lane.val().replace_bit(8, self.m3.q.val().mask.get_bit(i));
            self.record_lanes.write_data[i].next = self.m3_lane.val();
        }
    }

    /// Counts of unread records and of outstanding responses, which tell m3 whether there is room.
    #[hdl_part]
    pub(super) fn count_outstanding(&mut self) {
        if self.m3_load.val() && !self.r0_fetch_record.val() {
            self.records_unread.d.next = self.records_unread.q.val() + 1;
        }
        if !self.m3_load.val() && self.r0_fetch_record.val() {
            self.records_unread.d.next = self.records_unread.q.val() - 1;
        }
        if self.m3_read.val() && !self.r0_answer.val() {
            self.awaited_count.d.next = self.awaited_count.q.val() + 1;
        }
        if !self.m3_read.val() && self.r0_answer.val() {
            self.awaited_count.d.next = self.awaited_count.q.val() - 1;
        }
    }
}
