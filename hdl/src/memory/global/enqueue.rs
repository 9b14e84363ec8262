//! m0: checks a beat's accesses and queues it, with the addresses of local memory translated, and with its store data.

use super::GlobalMemoryUnit;
use crate::memory::bundles::{LaneAccess, QueuedBeat};
use crate::memory::coalescer::segment::faulting_lanes;
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// Returns the lanes with illegal accesses. Local memory has its own limit: a thread's bytes.
    #[hdl_part]
    pub(super) fn check_accesses(&mut self) -> Bits<32> {
        let control = self.m.control.val();
        let configuration = self.configuration.val();
        let end = if control.local { configuration.local_bytes.resize::<32>() } else { configuration.global_end };
        let mut address = [Bits::<32>::ZERO; LANES];
        for i in 0..LANES {
            address[i] = self.m.address[i].val();
        }
        let faulting = faulting_lanes::<LANES>(self.m.lanes.val(), address, control.size, end);
        // `faulting_lanes` treats an end of 0 as no limit, so a size of 0 is checked here.
        faulting | mask(control.local && !configuration.local_bytes.any(), self.m.lanes.val())
    }

    /// Returns the external address of byte 0 of the beat's first thread's local memory. The warps' shares follow each
    /// other. A share interleaves its threads in units of 16 bytes, so a warp's accesses to one local address are close
    /// together.
    #[hdl_part]
    fn local_place(&mut self) -> Bits<32> {
        let beat = self.m.control.val().beat;
        let configuration = self.configuration.val();
        let warp: Bits<13> = self.multiprocessor.val().concat(beat.warp);
        let share = (warp.resize::<32>() << configuration.local_shift) + configuration.local_base;
        share | (beat.beat.resize::<32>() << Self::BEAT_SHIFT)
    }

    /// Queues the beat when its last register arrives: its control and its lanes' addresses, also for the strict rule.
    /// Store data are written register by register. A faulting beat is queued with only its faulting lanes, because
    /// none of its accesses will take place, and with the threads' own addresses, for the report.
    #[hdl_part]
    pub(super) fn enqueue_beat(&mut self, complete: Bit, faulting: Bits<32>) {
        let control = self.m.control.val();
        let faulty = faulting.any();
        let lanes = if faulty { faulting } else { self.m.lanes.val() };
        let tail = self.beats.q.val().tail;
        let queued = QueuedBeat {
            beat: control.beat,
            store: control.store,
            size: control.size,
            is_signed: control.is_signed,
            fault: faulty,
        };
        self.queue.write(complete, tail, queued);
        self.words.write_enable.next = self.m.enqueue.val();
        self.words.write_beat.next = tail;
        self.words.write_part.next = control.part;
        self.words.write_size.next = control.size;
        self.rule.write_enable.next = complete && self.configuration.val().strict_coalescing;
        self.rule.write_place.next = tail;
        self.rule.size.next = control.size;
        self.rule.mask.next = self.m.lanes.val();
        let local_place = self.local_place();
        for i in 0..LANES {
            let own = self.m.address[i].val();
            // Local memory interleaves the lanes in units of 16 bytes.
            let local = (own & 15) | ((own >> 4) << 9) | (16 * i as u64) | local_place;
            let address = if control.local && !faulty { local } else { own };
            self.rule.address[i].next = address;
            self.addresses[i].write(complete, tail, LaneAccess { address, accesses: lanes.get_bit(i) });
            self.words.lane[i].next = self.m.data[i].val();
        }
    }

    /// Keeps the PC and the memory space of the first faulting beat for its report, because the queue does not hold
    /// them. No other fault can be reported: later beats are dropped.
    #[hdl_part]
    pub(super) fn note_first_fault(&mut self, complete: Bit, faulty: Bit) {
        if complete && faulty && !self.fault.q.val().seen {
            self.fault.d.next.seen = true;
            self.fault.d.next.pc = self.m.control.val().pc;
            self.fault.d.next.local = self.m.control.val().local;
        }
    }
}
