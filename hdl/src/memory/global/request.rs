//! m3 and m4: a request to the memory port, and the record that a load keeps for its response.

use super::record::{packed, LoadRecord};
use super::GlobalMemoryUnit;
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// The request at the memory port, until the memory takes it. Returns whether the port is free for the next.
    #[hdl_part]
    pub(super) fn drive_port(&mut self) -> Bit {
        let request = self.m4.q.val();
        let ready = self.memory.request_ready.val();
        self.memory.request_valid.next = request.valid;
        self.memory.request_write.next = request.write;
        self.memory.request_address.next = request.address;
        for i in 0..LANES {
            self.memory.request_data[i].next = self.words.word[i].val();
            self.memory.request_enable[i].next = self.words.enable[i].val();
        }
        self.m_transaction.next = request.valid && ready;
        if ready {
            self.m4.d.next.valid = false;
        }
        !request.valid || ready
    }

    /// Whether m3's request leaves: when the port is free, which a beat without lanes does not need. A load must have
    /// places for its record and its response, so that no response is ever lost.
    #[hdl_part]
    pub(super) fn request_leaves(&self, port_free: Bit) -> Bit {
        let room = !self.awaited_count.q.val().get_bit(4) && !self.records_unread.q.val().get_bit(5);
        self.m3.q.val().valid && (port_free || !self.m3.q.val().request) && (self.m3_control.q.val().store || room)
    }

    /// Sends the request to the port, with the store's data.
    #[hdl_part]
    pub(super) fn issue_request(&mut self, leaves: Bit) {
        let chosen = self.m3.q.val();
        self.words.capture.next = leaves && chosen.request;
        self.words.second.next = chosen.second;
        self.words.served.next = chosen.served;
        self.words.size.next = self.m3_control.q.val().size;
        for i in 0..LANES {
            self.words.offset[i].next = self.m3_offset[i].q.val();
        }
        if leaves && chosen.request && !chosen.partial {
            self.m4.d.next.valid = true;
            self.m4.d.next.write = self.m3_control.q.val().store;
            self.m4.d.next.address = chosen.segment;
        }
    }

    /// Writes a load's record: what its response will need.
    #[hdl_part]
    pub(super) fn write_record(&mut self, load: Bit) {
        let chosen = self.m3.q.val();
        let beat = self.m3_control.q.val();
        self.records.write_enable.next = load.into();
        self.records.write_address.next = self.records_tail.q.val();
        self.records.write_data.next = packed(LoadRecord {
            tag: beat.tag,
            warp: beat.warp,
            beat: beat.beat,
            last: beat.last,
            row: beat.row,
            register: beat.register,
            halves: beat.halves,
            fill: beat.fill,
            further: beat.further,
            further_fill: beat.further_fill,
            parts: match beat.size.index() {
                3 => bits::<2>(1),
                4 => bits(3),
                _ => bits(0),
            },
            size: beat.size,
            is_signed: beat.is_signed,
            complete: chosen.complete,
            request: chosen.request,
        });
        self.record_lanes.write_enable.next = load;
        self.record_lanes.write_address.next = self.records_tail.q.val();
        for i in 0..LANES {
            let flags: Bits<2> = chosen.mask.bits::<1>(i).concat(chosen.served.bits::<1>(i));
            self.record_lanes.write_data[i].next = flags.concat(self.m3_offset[i].q.val());
        }
        if load {
            self.records_tail.d.next = self.records_tail.q.val() + 1;
        }
    }

    /// Counts unread records and outstanding responses, which tell m3 whether there is room.
    #[hdl_part]
    pub(super) fn count_outstanding(&mut self, load: Bit, fetched: Bit, answered: Bit) {
        if load && !fetched {
            self.records_unread.d.next = self.records_unread.q.val() + 1;
        }
        if !load && fetched {
            self.records_unread.d.next = self.records_unread.q.val() - 1;
        }
        let read = load && self.m3.q.val().request && !self.m3.q.val().partial;
        if read && !answered {
            self.awaited_count.d.next = self.awaited_count.q.val() + 1;
        }
        if !read && answered {
            self.awaited_count.d.next = self.awaited_count.q.val() - 1;
        }
    }
}
