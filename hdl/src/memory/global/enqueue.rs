//! m0: puts a beat into the queue, with the verdict on its accesses, its addresses in local memory and its store data.

use super::GlobalMemoryUnit;
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// The lanes with illegal accesses. Local memory has its own limit: a thread's bytes. A beat with a fault is queued
    /// with only its faulting lanes, because none of its accesses will take place.
    #[hdl_part]
    pub(super) fn check_accesses(&mut self) {
        self.check.mask.next = self.m_mask.val();
        self.check.size.next = self.m_control.val().size;
        self.m0_local.next = self.m_control.val().local;
        self.check.memory_end.next = self.global_end.val();
        if self.m0_local.val() {
            self.check.memory_end.next = bit_cast::<32, 17>(self.local_bytes.val());
        }
        self.m0_fault.next = self.check.fault.val();
        // For the check, 0 means no limit.
        if self.m0_local.val() && !self.local_bytes.val().any() {
            self.m0_fault.next = self.m_mask.val();
        }
        self.m0_faulty.next = self.m0_fault.val().any();
        self.m0_lanes.next = self.m_mask.val();
        if self.m0_faulty.val() {
            self.m0_lanes.next = self.m0_fault.val();
        }
    }

    /// The part of the beat's control that the queue keeps.
    #[hdl_part]
    pub(super) fn describe_beat(&mut self) {
        self.m0_beat.next.tag = self.m_control.val().tag;
        self.m0_beat.next.warp = self.m_control.val().warp;
        self.m0_beat.next.beat = self.m_control.val().beat;
        self.m0_beat.next.last = self.m_control.val().last;
        self.m0_beat.next.store = self.m_control.val().store;
        self.m0_beat.next.size = self.m_control.val().size;
        self.m0_beat.next.is_signed = self.m_control.val().is_signed;
        self.m0_beat.next.row = self.m_control.val().row;
        self.m0_beat.next.register = self.m_control.val().register;
        self.m0_beat.next.halves = self.m_control.val().halves;
        self.m0_beat.next.fill = self.m_control.val().fill;
        self.m0_beat.next.further = self.m_control.val().further;
        self.m0_beat.next.further_fill = self.m_control.val().further_fill;
        self.m0_beat.next.fault = self.m0_faulty.val();
    }

    /// Addresses of the threads' local memory. The warps' shares follow each other; a share holds 16 bytes of each
    /// thread, then the next 16 of each, so that a warp's accesses to one local address are close together.
    #[hdl_part]
    pub(super) fn locate_local_memory(&mut self) {
        self.m0_window.next = bit_cast::<32, 8>(self.multiprocessor.val()) << 5;
        self.m0_window.next = self.m0_window.val() | bit_cast::<32, 5>(self.m_control.val().warp);
        self.m0_window.next = self.m0_window.val() << self.local_shift.val();
        self.m0_window.next = self.m0_window.val() + self.local_base.val();
        self.m0_thread.next = bit_cast::<32, 2>(self.m_control.val().beat) << self.lane_bits.val();
        self.m0_thread.next = self.m0_thread.val() << 4;
        self.m0_window.next = self.m0_window.val() | self.m0_thread.val();
    }

    /// Queues the beat once its last register has arrived: its control and its lanes' addresses, also for the strict
    /// rule. Store data are written register by register. On a fault the threads' own addresses are kept, also those in
    /// local memory, for the report.
    #[hdl_part]
    pub(super) fn enqueue_beat(&mut self) {
        self.m0_complete.next = self.m_enqueue.val() && self.m_control.val().complete;
        self.queue.write_enable.next = self.m0_complete.val();
        self.queue.write_address.next = self.tail.q.val();
        self.queue.write_data.next = self.m0_beat.val();
        self.addresses.write_enable.next = self.m0_complete.val();
        self.addresses.write_address.next = self.tail.q.val();
        self.words.write_enable.next = self.m_enqueue.val();
        self.words.write_beat.next = self.tail.q.val();
        self.words.write_part.next = self.m_control.val().part;
        self.words.write_size.next = self.m_control.val().size;
        self.rule.write_enable.next = self.m0_complete.val() && self.strict_coalescing.val();
        self.rule.write_place.next = self.tail.q.val();
        self.rule.size.next = self.m_control.val().size;
        self.rule.mask.next = self.m_mask.val();
        for i in 0..LANES {
            self.check.address[i].next = self.m_address[i].val();
            self.m0_address.next = self.m_address[i].val();
            self.m0_row.next = self.m_address[i].val() >> 4;
            self.m0_row.next = self.m0_row.val() << 9;
            if self.m0_local.val() && !self.m0_faulty.val() {
                self.m0_address.next = self.m_address[i].val() & 15;
                self.m0_address.next = self.m0_address.val() | self.m0_row.val();
                self.m0_address.next = self.m0_address.val() | self.lane_place[i].val();
                self.m0_address.next = self.m0_address.val() | self.m0_window.val();
            }
            self.rule.address[i].next = self.m0_address.val();
            self.m0_entry.next = bit_cast::<33, 32>(self.m0_address.val());
            self.m0_entry.next = self.m0_entry.val().replace_bit(32, self.m0_lanes.val().get_bit(i));
            self.addresses.write_data[i].next = self.m0_entry.val();
            self.words.lane[i].next = self.m_data[i].val();
        }
        if self.m0_complete.val() {
            self.tail.d.next = self.tail.q.val() + 1;
        }
    }
}
