//! l0 matches responses with their records in request order and moves their words to the lanes. l1 sends loaded beats
//! to writeback, one register at a time.

use super::request::{advanced, first_write, reads_ahead};
use super::GlobalMemoryUnit;
use crate::bundles::WriteControl;
use crate::memory::bundles::*;
use hdlkit::prelude::*;

/// Returns the beat without its first register. The result is invalid if no register is left.
#[hdl_fn]
fn without_first(beat: LoadedBeat) -> LoadedBeat {
    let written = beat.control;
    LoadedBeat {
        control: WriteControl {
            valid: beat.parts.any(),
            row: written.row + 1,
            register: written.register + 1,
            halves: beat.further.get_bit(0).fill::<2>(),
            fill: beat.further_fill.get_bit(0),
            ..written
        },
        lanes: beat.lanes,
        parts: beat.parts - 1,
        further: beat.further >> 1,
        further_fill: beat.further_fill >> 1,
    }
}

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// Matches the oldest record with its response. The record is taken when its response has arrived or it has made no
    /// request, and the assembly register is free. A response goes directly to the lanes if its record is taken in the
    /// cycle of its arrival. Otherwise it is queued: m3 has reserved an entry for it. `load`: m3 writes a record.
    /// `first_taken`: writeback takes the first register of the assembled beat.
    #[hdl_part]
    pub(super) fn match_response(&mut self, load: Bit, answered: Bit, first_taken: Bit) {
        let record = self.records.read_data.val();
        let records = self.record_queue.q.val();
        let responses = self.response_queue.q.val();
        let direct = !responses.unread.any() && !responses.read;
        let has_response = !record.request || responses.read || (answered && direct);
        let room = !self.loaded.q.val().control.valid || first_taken;
        let take = records.read && has_response && room;
        let use_response = take && record.request;

        let lanes = self.assemble_beat(use_response, record.size, record.is_signed);
        if first_taken {
            self.loaded.d.next.control.valid = false;
        }
        if take {
            self.loaded.d.next = LoadedBeat {
                // The response to the last request completes the beat.
                control: WriteControl { valid: record.complete, ..first_write(record.beat) },
                lanes,
                parts: record.parts,
                further: record.beat.further,
                further_fill: record.beat.further_fill,
            };
        }

        let read_record = reads_ahead(records, take);
        self.records.fetch(read_record, records.head);
        self.record_lanes.fetch(read_record, records.head);
        self.record_queue.d.next = advanced(records, load, read_record, take);

        let keep = answered && (!direct || !use_response);
        let read_response = reads_ahead(responses, use_response);
        self.responses.write_enable.next = keep;
        self.responses.write_address.next = responses.tail;
        for i in 0..LANES {
            self.responses.write_data[i].next = self.memory.response_data[i].val();
        }
        self.responses.fetch(read_response, responses.head);
        self.response_queue.d.next = advanced(responses, keep, read_response, use_response);
    }

    /// Sends the words of the response, from the port or from the queue, to the lanes that the request served. Returns
    /// the lanes of the beat that access memory.
    #[hdl_part]
    fn assemble_beat(&mut self, use_response: Bit, size: Bits<3>, is_signed: Bit) -> Bits<32> {
        let kept = self.response_queue.q.val().read;
        let mut served = Bits::<32>::ZERO;
        let mut lanes = Bits::<32>::ZERO;
        for i in 0..LANES {
            let lane = self.record_lanes.read_data[i].val();
            served = served.replace_bit(i, lane.get_bit(7));
            lanes = lanes.replace_bit(i, lane.get_bit(8));
            self.load_data.offset[i].next = lane.low::<7>();
            self.load_data.word[i].next =
                if kept { self.responses.read_data[i].val() } else { self.memory.response_data[i].val() };
        }
        self.load_data.write_enable.next = use_response;
        self.load_data.size.next = size;
        self.load_data.is_signed.next = is_signed;
        self.load_data.served.next = served;
        lanes
    }

    /// Offers the next register to writeback: a further register of the previous beat if one is left, otherwise the
    /// first register of the completed beat. Returns true if writeback takes that first register. The further registers
    /// then move to `later`, which makes space for the next beat's responses.
    #[hdl_part]
    pub(super) fn offer_loaded_register(&mut self) -> Bit {
        let later = self.later.q.val();
        let part = self.later_part.q.val();
        let beat = if later.control.valid { later } else { self.loaded.q.val() };
        self.loads.valid.next = beat.control.valid;
        self.loads.control.next = beat.control;
        self.loads.lanes.next = beat.lanes;

        let taken = beat.control.valid && self.loads.ready.val();
        if taken {
            self.later.d.next = without_first(beat);
            self.later_part.d.next = mask(beat.parts.any(), part + 1);
        }
        let first_taken = taken && !later.control.valid;
        self.load_data.keep.next = first_taken;
        self.load_data.part.next = part;
        for i in 0..LANES {
            self.loads.data[i].next = self.load_data.lane[i].val();
        }
        first_taken
    }
}
