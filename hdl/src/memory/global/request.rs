//! m3 and m4: sends requests to the memory port, and queues the records that loads' responses need, in block RAM.

use super::GlobalMemoryUnit;
use crate::bundles::{MemoryBeat, WriteControl};
use crate::count::up_down;
use crate::memory::bundles::*;
use hdlkit::prelude::*;

/// Returns the control for writing back the first register of a load's beat.
#[hdl_fn]
pub(super) fn first_write(beat: MemoryBeat) -> WriteControl {
    WriteControl {
        valid: true,
        tag: beat.tag,
        warp: beat.warp,
        beat: beat.beat,
        last: beat.last,
        row: beat.row,
        register: beat.register,
        halves: beat.halves,
        register_enable: true,
        fill: beat.fill,
        ..Default::default()
    }
}

/// True if the next word is read: when the previous word is used, or if no word is waiting.
#[hdl_fn]
pub(super) fn reads_ahead(queue: ReadAhead, used: Bit) -> Bit {
    queue.unread.any() && (!queue.read || used)
}

/// Returns the queue's next state. `written`: a word is written; `reads`: the next word is read; `used`: the word that
/// was read before is used.
#[hdl_fn]
pub(super) fn advanced(queue: ReadAhead, written: Bit, reads: Bit, used: Bit) -> ReadAhead {
    ReadAhead {
        tail: if written { queue.tail + 1 } else { queue.tail },
        head: if reads { queue.head + 1 } else { queue.head },
        unread: up_down::<7>(queue.unread, written, reads),
        read: reads || queue.read && !used,
    }
}

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// Drives the memory port with the request until the memory takes it. Returns true if the port is free for the next
    /// one.
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

    /// Sends m3's request to the port, with the store's data, when the port is free; a beat without lanes does not need
    /// it. A load needs entries for its record and its response, or a response could be lost. Returns true if the
    /// request leaves.
    #[hdl_part]
    pub(super) fn issue_request(&mut self, port_free: Bit) -> Bit {
        let chosen = self.m3.q.val();
        let room = !self.awaited.q.val().get_bit(4) && !self.record_queue.q.val().unread.get_bit(5);
        let leaves = chosen.valid && (port_free || !chosen.request) && (chosen.queued.store || room);
        self.words.capture.next = leaves && chosen.request;
        self.words.request.next = chosen;
        for i in 0..LANES {
            self.words.offset[i].next = self.m3_offset[i].q.val();
        }
        if leaves && chosen.request && !chosen.partial {
            self.m4.d.next = PendingRequest { valid: true, write: chosen.queued.store, address: chosen.segment };
        }
        leaves
    }

    /// Writes a load's record, which its response needs.
    #[hdl_part]
    pub(super) fn write_record(&mut self, load: Bit) {
        let chosen = self.m3.q.val();
        let tail = self.record_queue.q.val().tail;
        let record = LoadRecord {
            beat: chosen.queued.beat,
            parts: match chosen.queued.size.index() {
                3 => bits::<2>(1),
                4 => bits(3),
                _ => bits(0),
            },
            size: chosen.queued.size,
            is_signed: chosen.queued.is_signed,
            complete: chosen.complete,
            request: chosen.request,
        };
        self.records.write(load, tail, record);
        self.record_lanes.write_enable.next = load;
        self.record_lanes.write_address.next = tail;
        for i in 0..LANES {
            let flags: Bits<2> = chosen.lanes.bits::<1>(i).concat(chosen.served.bits::<1>(i));
            self.record_lanes.write_data[i].next = flags.concat(self.m3_offset[i].q.val());
        }
    }
}
