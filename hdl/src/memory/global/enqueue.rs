//! m0: puts a beat into the queue, with the verdict on its accesses, its addresses in local memory and its store data.

use super::{GlobalMemoryUnit, QueuedBeat};
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// The lanes with illegal accesses. Local memory has its own limit: a thread's bytes.
    #[hdl_part]
    pub(super) fn check_accesses(&mut self) -> Bits<32> {
        let control = self.m_control.val();
        let local_bytes = self.local_bytes.val();
        self.check.mask.next = self.m_mask.val();
        self.check.size.next = control.size;
        self.check.memory_end.next = if control.local { local_bytes.resize::<32>() } else { self.global_end.val() };
        for i in 0..LANES {
            self.check.address[i].next = self.m_address[i].val();
        }
        // For the check, 0 means no limit.
        if control.local && !local_bytes.any() {
            self.m_mask.val()
        } else {
            self.check.fault.val()
        }
    }

    /// Where local memory has byte 0 of the beat's first thread. The warps' shares follow each other; a share holds 16
    /// bytes of each thread, then the next 16 of each, so that a warp's accesses to one local address are close together.
    #[hdl_part]
    fn local_place(&mut self) -> Bits<32> {
        let control = self.m_control.val();
        let warp: Bits<13> = self.multiprocessor.val().concat(control.warp);
        let share = (warp.resize::<32>() << self.local_shift.val()) + self.local_base.val();
        share | (control.beat.resize::<32>() << Self::BEAT_SHIFT)
    }

    /// Queues the beat once its last register has arrived: its control and its lanes' addresses, also for the strict
    /// rule. Store data are written register by register. Of a beat with a fault only the faulting lanes are queued,
    /// because none of its accesses will take place, and the threads' own addresses, for the report.
    #[hdl_part]
    pub(super) fn enqueue_beat(&mut self, complete: Bit, faulting: Bits<32>) {
        let control = self.m_control.val();
        let faulty = faulting.any();
        let lanes = if faulty { faulting } else { self.m_mask.val() };
        self.queue.write_enable.next = complete;
        self.queue.write_address.next = self.tail.q.val();
        self.queue.write_data.next = QueuedBeat {
            tag: control.tag,
            warp: control.warp,
            beat: control.beat,
            last: control.last,
            store: control.store,
            size: control.size,
            is_signed: control.is_signed,
            row: control.row,
            register: control.register,
            halves: control.halves,
            fill: control.fill,
            further: control.further,
            further_fill: control.further_fill,
            fault: faulty,
        };
        self.addresses.write_enable.next = complete;
        self.addresses.write_address.next = self.tail.q.val();
        self.words.write_enable.next = self.m_enqueue.val();
        self.words.write_beat.next = self.tail.q.val();
        self.words.write_part.next = control.part;
        self.words.write_size.next = control.size;
        self.rule.write_enable.next = complete && self.strict_coalescing.val();
        self.rule.write_place.next = self.tail.q.val();
        self.rule.size.next = control.size;
        self.rule.mask.next = self.m_mask.val();
        let local_place = self.local_place();
        for i in 0..LANES {
            let own = self.m_address[i].val();
            let address = if control.local && !faulty {
                // 16 bytes of each lane.
                (own & 15) | ((own >> 4) << 9) | (16 * i as u64) | local_place
            } else {
                own
            };
            self.rule.address[i].next = address;
            self.addresses.write_data[i].next = lanes.get_bit(i).fill::<1>().concat(address);
            self.words.lane[i].next = self.m_data[i].val();
        }
        if complete {
            self.tail.d.next = self.tail.q.val() + 1;
        }
    }
}
