//! r0: responses meet their records and go to the lanes, in the order of the requests.

use super::record::{first_write, unpacked};
use super::{GlobalMemoryUnit, LoadedBeat};
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// Matches the oldest record with its response. The record is taken if it has its response, or has made no request,
    /// and if there is room where the beat is assembled. A response that meets its record in its arrival cycle goes
    /// straight to the lanes; any other waits in memory. Returns whether the next record is fetched.
    #[hdl_part]
    pub(super) fn match_response(&mut self, answered: Bit, first_taken: Bit) -> Bit {
        let record = unpacked(self.records.read_data.val());
        let direct = !self.responses_unread.q.val().any() && !self.response_read.q.val();
        let has_response = !record.request || self.response_read.q.val() || (answered && direct);
        let room = !self.loaded_complete.q.val() || first_taken;
        let take = self.record_valid.q.val() && has_response && room;
        let use_response = take && record.request;

        let lanes = self.assemble_beat(use_response, record.size, record.is_signed);
        if first_taken {
            self.loaded_complete.d.next = false;
        }
        if take {
            self.loaded.d.next = LoadedBeat {
                control: first_write(record),
                mask: lanes,
                parts: record.parts,
                further: record.further,
                further_fill: record.further_fill,
            };
            // The response to the last request completes the beat.
            self.loaded_complete.d.next = record.complete;
        }
        let fetch = self.fetch_record(take);
        self.keep_response(answered && (!direct || !use_response), use_response);
        fetch
    }

    /// Writes the response's words to the lanes that the request served, into the beat's registers. Returns the beat's
    /// lanes that access.
    #[hdl_part]
    fn assemble_beat(&mut self, use_response: Bit, size: Bits<3>, is_signed: Bit) -> Bits<32> {
        self.load_data.write_enable.next = use_response;
        self.load_data.size.next = size;
        self.load_data.is_signed.next = is_signed;
        let mut served = Bits::<32>::ZERO;
        let mut lanes = Bits::<32>::ZERO;
        for i in 0..LANES {
            let lane = self.record_lanes.read_data[i].val();
            served = served.replace_bit(i, lane.get_bit(7));
            lanes = lanes.replace_bit(i, lane.get_bit(8));
            self.load_data.offset[i].next = lane.low::<7>();
            self.load_data.word[i].next = if self.response_read.q.val() {
                self.responses.read_data[i].val()
            } else {
                self.memory.response_data[i].val()
            };
        }
        self.load_data.served.next = served;
        lanes
    }

    /// Reads the next record from its memory, a cycle ahead of its use.
    #[hdl_part]
    fn fetch_record(&mut self, take: Bit) -> Bit {
        let fetch = self.records_unread.q.val().any() && (!self.record_valid.q.val() || take);
        self.records.read_enable.next = fetch;
        self.records.read_address.next = self.records_head.q.val();
        self.record_lanes.read_enable.next = fetch;
        self.record_lanes.read_address.next = self.records_head.q.val();
        if take {
            self.record_valid.d.next = false;
        }
        if fetch {
            self.record_valid.d.next = true;
            self.records_head.d.next = self.records_head.q.val() + 1;
        }
        fetch
    }

    /// A response that cannot go to the lanes in this cycle waits, and is read a cycle ahead of its use. There is always
    /// a place: a load leaves m3 only with one reserved.
    #[hdl_part]
    fn keep_response(&mut self, keep: Bit, use_response: Bit) {
        self.responses.write_enable.next = keep;
        self.responses.write_address.next = self.responses_tail.q.val();
        for i in 0..LANES {
            self.responses.write_data[i].next = self.memory.response_data[i].val();
        }
        if keep {
            self.responses_tail.d.next = self.responses_tail.q.val() + 1;
        }
        let fetch = self.responses_unread.q.val().any() && (!self.response_read.q.val() || use_response);
        self.responses.read_enable.next = fetch;
        self.responses.read_address.next = self.responses_head.q.val();
        if use_response {
            self.response_read.d.next = false;
        }
        if fetch {
            self.response_read.d.next = true;
            self.responses_head.d.next = self.responses_head.q.val() + 1;
        }
        if keep && !fetch {
            self.responses_unread.d.next = self.responses_unread.q.val() + 1;
        }
        if !keep && fetch {
            self.responses_unread.d.next = self.responses_unread.q.val() - 1;
        }
    }
}
