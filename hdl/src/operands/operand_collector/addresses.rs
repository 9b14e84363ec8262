//! Stages a0 and a1: computes and checks each thread's address, and queues half-warps.

use super::{alignment, AddressBeat, OperandCollector, PlacedInstruction};
use crate::bundles::*;
use hdlkit::prelude::*;

impl<const LANES: usize> OperandCollector<LANES> {
    /// Stage a0: the address file's row, and which threads execute.
    #[hdl_part]
    pub(super) fn look_up_addresses(&mut self) {
        let issued = self.a0.q.val();
        let instruction = issued.decoded;
        let indexing = instruction.indexing;
        let complete = self.count_beats(issued);
        let takes_place = self.a0_first.q.val() && (indexing.gathers || indexing.scatters);
        self.instructions.write_enable.next = takes_place;
        self.instructions.write_address.next = self.a0_place.q.val();
        self.instructions.write_data.next = issued;
        self.placed.write_enable.next = takes_place;
        self.placed.write_address.next = self.a0_place.q.val();
        self.placed.write_data.next = PlacedInstruction { tag: issued.tag, warp: issued.warp, pc: issued.pc, indexing };
        self.c_first.next = self.a0_first.q.val();
        self.c_query.next = MaskQuery {
            warp: issued.warp,
            predicated: instruction.predicated,
            condition: instruction.condition,
            condition_live: issued.condition_live,
        };
        // The mask of the threads still to come, those of the beat in the low bits.
        let executed = if self.a0_first.q.val() { self.c_executed.val() } else { self.a0_mask.q.val() };
        self.a0_mask.d.next = if complete { executed >> (LANES as u64) } else { executed };
        self.address_file.read_enable.next = issued.valid && indexing.register_used;
        self.address_file.read_warp.next = issued.warp;
        self.address_file.read_register.next = indexing.register;
        self.address_file.read_beat.next = self.a0_beat.q.val();
        self.a1.d.next = AddressBeat {
            valid: issued.valid,
            tag: issued.tag,
            warp: issued.warp,
            indexing,
            live: issued.address_live && indexing.register_used,
            fill: !issued.address_live,
            complete,
            place: self.a0_place.q.val(),
            beat: self.a0_beat.q.val(),
            lanes: executed & Self::LANE_MASK,
        };
    }

    /// The next cycle's beat, so that a register tells whether it is the first or the last. True if this beat does not repeat
    /// for another register.
    #[hdl_part]
    pub(super) fn count_beats(&mut self, issued: Issued) -> Bit {
        let parts = mask(issued.decoded.store, issued.decoded.further_registers);
        let complete = self.a0_part.q.val() == parts;
        let free = !issued.valid || self.a0_last.q.val();
        let taken = self.c_issued.val();
        let (valid, next_parts) = if free {
            (self.c_take.val(), mask(taken.decoded.store, taken.decoded.further_registers))
        } else {
            (issued.valid, parts)
        };
        let (beat, part) = if free {
            (bits::<2>(0), bits::<2>(0))
        } else if complete {
            (self.a0_beat.q.val() + 1, bits(0))
        } else {
            (self.a0_beat.q.val(), self.a0_part.q.val() + 1)
        };
        if free {
            self.a0.d.next = Issued { valid: self.c_take.val(), ..taken };
            self.a0_place.d.next = self.tail.q.val();
        }
        self.a0_beat.d.next = beat;
        self.a0_part.d.next = part;
        self.a0_first.d.next = valid && !beat.any() && !part.any();
        self.a0_last.d.next = beat == (32 / LANES - 1) as u64 && part == next_parts;
        self.c_slot.next = free;
        complete
    }

    /// Stage a1: checked addresses go into the queue with two extra bits: see [`take_half_warp`](Self::take_half_warp). The
    /// half-warps in the queue with those that this beat completes.
    #[hdl_part]
    pub(super) fn compute_addresses(&mut self, stopped: Bit) -> Bits<4> {
        let beat = self.a1.q.val();
        let indexing = beat.indexing;
        let queues = beat.valid && (indexing.gathers || indexing.scatters) && !stopped;
        let increments = beat.valid && indexing.increments && beat.complete;
        let coming = self.a0.q.val();
        self.c_incrementing.next = increments || coming.valid && coming.decoded.indexing.increments;
        self.write_address_file(increments);
        self.addresses.write_enable.next = queues;
        self.addresses.write_place.next = beat.place;
        self.addresses.write_beat.next = beat.beat;
        // The memory's end, in units of 64 bytes.
        let limit = if indexing.constant { bits::<10>(64) } else { self.shared_rows.val().resize() };
        for i in 0..LANES {
            let base = mask(beat.live, self.address_file.read_data[i].val());
            let sum = base + indexing.offset;
            let address = if indexing.post_increment { base } else { sum };
            // An aligned access lies within one such unit.
            let misaligned = (address.low::<2>() & alignment(indexing.access)).any();
            let illegal = misaligned || address.bits::<10>(6) >= limit;
            let executes = beat.lanes.get_bit(i);
            let flags: Bits<2> = executes.fill::<1>().concat((executes && illegal).fill::<1>());
            self.addresses.write_data[i].next = flags.concat(address);
            self.c_address[i].next = if indexing.local { address } else { base };
            self.c_increment_data[i].next = sum;
            self.address_file.write_data[i].next =
                if increments { mask(executes, sum) } else { self.w_address_data[i].val() };
            self.data.write_data[i].next = self.c_data[i].val();
        }
        self.c_increment_valid.next = increments;
        self.c_increment_tag.next = beat.tag;
        self.c_increment_beat.next = beat.beat;
        self.c_increment_lanes.next = beat.lanes;
        self.c_increment_register.next = indexing.register;

        // R2G's data come a cycle later; only then its half-warps count as completed.
        self.a2_store.d.next = queues && indexing.scatters;
        self.a2_place.d.next = beat.place;
        self.a2_beat.d.next = beat.beat;
        self.data.write_enable.next = self.a2_store.q.val();
        self.data.write_place.next = self.a2_place.q.val();
        self.data.write_beat.next = self.a2_beat.q.val();
        let ends_half = LANES != 8 || beat.beat.get_bit(0);
        let stored_ends_half = LANES != 8 || self.a2_beat.q.val().get_bit(0);
        self.ready.q.val()
            + mask(queues && !indexing.scatters && ends_half, bits(Self::HALVES))
            + mask(self.a2_store.q.val() && stored_ends_half, bits(Self::HALVES))
    }

    /// The address file's write: an increment in a1, else writeback's.
    #[hdl_part]
    pub(super) fn write_address_file(&mut self, increments: Bit) {
        let beat = self.a1.q.val();
        if increments {
            self.address_file.write_lanes.next = if beat.fill { Self::LANE_MASK } else { beat.lanes };
            self.address_file.write_warp.next = beat.warp;
            self.address_file.write_register.next = beat.indexing.register;
            self.address_file.write_beat.next = beat.beat;
        } else {
            self.address_file.write_lanes.next = self.w_address_lanes.val();
            self.address_file.write_warp.next = self.w_address_warp.val();
            self.address_file.write_register.next = self.w_address_register.val();
            self.address_file.write_beat.next = self.w_address_beat.val();
        }
    }
}
