//! Stages a0 and a1 of the collector: computes and checks each thread's address, and queues half-warps.

use super::address_file::AddressPlace;
use super::warp_queue::QueueWrite;
use super::{alignment, AddressBeat, LookupBeat, OperandCollector, PlacedInstruction};
use crate::bundles::*;
use hdlkit::prelude::*;

impl<const LANES: usize> OperandCollector<LANES> {
    /// Stage a0: reads the address file, and finds the executing threads.
    #[hdl_part]
    pub(super) fn look_up_addresses(&mut self) {
        let a0 = self.a0.q.val();
        let issued = a0.issued;
        let indexing = issued.decoded.indexing;
        let executed = if a0.first { self.collected.executed.val() } else { a0.executed };
        let complete = self.count_beats(executed);
        let takes_place = a0.first && (indexing.gathers || indexing.scatters);
        self.instructions.write(takes_place, a0.place, issued);
        let placed = PlacedInstruction { tag: issued.tag, warp: issued.warp, pc: issued.pc, indexing };
        self.placed.write(takes_place, a0.place, placed);
        self.collected.query.next = MaskQuery {
            valid: a0.first,
            warp: issued.warp,
            predicated: issued.decoded.predicated,
            condition: issued.decoded.condition,
            condition_live: issued.condition_live,
        };
        self.address_file.read_enable.next = issued.valid && indexing.register_used;
        self.address_file.read.next = AddressPlace { warp: issued.warp, register: indexing.register, beat: a0.beat };
        self.a1.d.next = AddressBeat {
            valid: issued.valid,
            tag: issued.tag,
            warp: issued.warp,
            indexing,
            live: issued.address_live && indexing.register_used,
            fill: !issued.address_live,
            complete,
            place: a0.place,
            beat: a0.beat,
            lanes: executed & Self::LANE_MASK,
        };
    }

    /// Computes the beat a cycle early, so its `first` and `last` are registered. True if this beat is not repeated for
    /// another register.
    #[hdl_part]
    fn count_beats(&mut self, executed: Bits<32>) -> Bit {
        let a0 = self.a0.q.val();
        let complete = a0.part == mask(a0.issued.decoded.store, a0.issued.decoded.further_registers);
        let free = !a0.issued.valid || a0.last;
        let issued = if free { self.collect.issued.val() } else { a0.issued };
        let (place, beat, part) = if free {
            (self.places.q.val().tail, bits::<2>(0), bits::<2>(0))
        } else if complete {
            (a0.place, a0.beat + 1, bits(0))
        } else {
            (a0.place, a0.beat, a0.part + 1)
        };
        let last_part = mask(issued.decoded.store, issued.decoded.further_registers);
        self.a0.d.next = LookupBeat {
            issued,
            place,
            beat,
            part,
            first: issued.valid && !beat.any() && !part.any(),
            last: beat == (32 / LANES - 1) as u64 && part == last_part,
            executed: if complete { executed >> (LANES as u64) } else { executed },
        };
        self.collect.slot.next = free;
        complete
    }

    /// Stage a1: queues the checked addresses with two flags, see [`take_half_warp`](Self::take_half_warp). Returns the
    /// number of half-warps in the queue, with the ones that this beat completes.
    #[hdl_part]
    pub(super) fn compute_addresses(&mut self, stopped: Bit) -> Bits<4> {
        let a1 = self.a1.q.val();
        let indexing = a1.indexing;
        let queues = a1.valid && (indexing.gathers || indexing.scatters) && !stopped;
        let increments = a1.valid && indexing.increments && a1.complete;
        let coming = self.a0.q.val().issued;
        self.collect.incrementing.next = increments || coming.valid && coming.decoded.indexing.increments;
        self.c_increment.next = AddressBeat { valid: increments, ..a1 };
        // The address file's write: an increment, else writeback's.
        let increment_lanes = if a1.fill { Self::LANE_MASK } else { a1.lanes };
        let increment = AddressPlace { warp: a1.warp, register: indexing.register, beat: a1.beat };
        self.address_file.write.lanes.next = if increments { increment_lanes } else { self.w_address.lanes.val() };
        self.address_file.write.place.next = if increments { increment } else { self.w_address.place.val() };
        self.addresses.write.next = QueueWrite { enable: queues, place: a1.place, beat: a1.beat };
        // The memory's end, in units of 64 bytes.
        let limit = if indexing.constant { bits::<10>(64) } else { self.shared_rows.val().resize() };
        for i in 0..LANES {
            let base = mask(a1.live, self.address_file.read_data[i].val());
            let sum = base + indexing.offset;
            let address = if indexing.post_increment { base } else { sum };
            // An aligned access lies within one such unit.
            let misaligned = (address.low::<2>() & alignment(indexing.access)).any();
            let illegal = misaligned || address.bits::<10>(6) >= limit;
            let executes = a1.lanes.get_bit(i);
            let flags: Bits<2> = executes.fill::<1>().concat((executes && illegal).fill::<1>());
            self.addresses.write_data[i].next = flags.concat(address);
            self.collected.address[i].next = if indexing.local { address } else { base };
            self.c_increment_data[i].next = sum;
            self.address_file.write.data[i].next =
                if increments { mask(executes, sum) } else { self.w_address.data[i].val() };
            self.data.write_data[i].next = self.c_data[i].val();
        }

        // R2G's data arrive a cycle later; its half-warps count as completed only then.
        let a2 = self.a2.q.val();
        self.a2.d.next = QueueWrite { enable: queues && indexing.scatters, place: a1.place, beat: a1.beat };
        self.data.write.next = a2;
        let ends_half = LANES != 8 || a1.beat.get_bit(0);
        let stored_ends_half = LANES != 8 || a2.beat.get_bit(0);
        self.e.q.val().ready
            + mask(queues && !indexing.scatters && ends_half, bits(Self::HALVES))
            + mask(a2.enable && stored_ends_half, bits(Self::HALVES))
    }
}
