//! Stages e and h: takes half-warps out of the queue and sends them to the banks step by step.

use super::OperandCollector;
use hdlkit::prelude::*;

impl<const LANES: usize> OperandCollector<LANES> {
    /// Stage h: a step of the half-warp.
    #[hdl_part]
    pub(super) fn choose_step(&mut self) {
        self.placed.read_address.next = self.h_place.q.val();
        self.h_placed.next = self.placed.read_data.val();
        self.h_indexing.next = self.h_placed.val().indexing;
        self.shared_row.read_address.next = self.h_placed.val().warp;
        self.h_fault.next = self.h_valid.q.val() && self.h_faulty.q.val();
        self.h_allocates.next = self.h_indexing.val().gathers && self.h_first.q.val() && !self.h_upper.q.val();
        self.h_blocked.next = (self.h_allocates.val() && self.buffers_used.q.val().get_bit(1))
            || (self.b_step.val().valid && self.b_blocked.val());
        self.h_go.next = self.h_valid.q.val() && !self.h_faulty.q.val() && !self.h_blocked.val() && !self.stopped.val();
        self.h_last_phase.next = true;
        if self.two_phases.val() {
            self.h_last_phase.next = self.h_odd.q.val() || !self.h_pending.q.val().any();
        }
        self.select.pending.next = self.h_pending.q.val();
        self.select.odd.next = self.h_odd.q.val();
        self.select.store.next = self.h_indexing.val().scatters;
        self.select.constant.next = self.h_indexing.val().constant;
        self.select.access.next = self.h_indexing.val().access;
        self.select.base.next = self.shared_row.read_data.val();
        self.select.capture.next = self.h_go.val();
        for i in 0..16 {
            self.h_address[i].clock.next = self.clock.val();
            self.h_address[i].d.next = self.h_address[i].q.val();
            self.select.address[i].next = self.h_address[i].q.val();
            self.select.data[i].next = self.data.half[i].val();
            self.c_store_address[i].next = self.h_address[i].q.val();
            self.c_store_data[i].next = self.data.half[i].val();
        }
        self.h_served_first.d.next = self.select.served.val();
        self.h_served.next = self.select.served.val();
        if self.two_phases.val() {
            // The same threads wait in both phases. The remaining threads matter in a step's last phase: the second, or
            // the first if no thread waits.
            self.h_served.next = self.h_served_first.q.val();
        }
        self.h_left.next = self.h_pending.q.val() & !self.h_served.val();
        self.h_done.next = self.h_go.val() && self.h_last_phase.val() && !self.h_left.val().any();
        if self.h_go.val() {
            self.h_first.d.next = false;
            self.h_odd.d.next = !self.h_last_phase.val();
            if self.h_last_phase.val() {
                self.h_pending.d.next = self.h_left.val();
                self.h_again.d.next = true;
            }
        }
        self.c_conflict.next = self.h_go.val() && self.h_again.q.val() && !self.h_indexing.val().constant;
        self.c_store_valid.next =
            self.h_go.val() && self.h_first.q.val() && self.h_indexing.val().scatters && self.h_threads.q.val().any();
        self.c_store_tag.next = self.h_placed.val().tag;
        self.c_store_upper.next = self.h_upper.q.val();
        self.c_store_access.next = self.h_indexing.val().access;
        self.c_store_threads.next = self.h_threads.q.val();
    }

    /// The step, from h to b.
    #[hdl_part]
    pub(super) fn hand_step_on(&mut self) {
        self.h_step.next.valid = true;
        self.h_step.next.gathers = self.h_indexing.val().gathers;
        self.h_step.next.last = self.h_done.val() && self.h_upper.q.val();
        self.h_step.next.place = self.h_place.q.val();
        self.h_step.next.address = bit_cast::<16, 4>(self.h_indexing.val().bank) << 12;
        self.h_step.next.address =
            self.h_step.val().address | bit_cast::<16, 12>(self.select.leader.val().get_bits::<12>(0));
        self.h_step.next.gather.buffer = self.h_buffer.q.val();
        self.h_step.next.gather.upper = self.h_upper.q.val();
        self.h_step.next.gather.odd = self.h_odd.q.val();
        self.h_step.next.gather.constant = self.h_indexing.val().constant;
        self.h_step.next.gather.access = self.h_indexing.val().access;
        self.h_step.next.gather.threads = self.select.served.val();
        if self.b_go.val() {
            self.b.d.next.valid = false;
        }
        if self.h_go.val() {
            self.b.d.next = self.h_step.val();
        }
        if self.h_done.val() && self.h_upper.q.val() && self.h_indexing.val().gathers {
            self.h_buffer.d.next = !self.h_buffer.q.val();
        }
    }

    /// Stage e: the next half-warp. Bit 17 of an entry: the thread executes; bit 16: its access is illegal.
    #[hdl_part]
    pub(super) fn take_half_warp(&mut self) {
        self.e_threads.next = 0.into();
        self.e_faults.next = 0.into();
        for i in 0..16 {
            self.entry.next = self.addresses.half[i].val();
            self.e_threads.next = self.e_threads.val().replace_bit(i, self.entry.val().get_bit(17));
            self.e_faults.next = self.e_faults.val().replace_bit(i, self.entry.val().get_bit(16));
        }
        self.e_moves.next = self.e_valid.q.val() && (self.h_done.val() || !self.h_valid.q.val());
        self.takes.next =
            (self.e_moves.val() || !self.e_valid.q.val()) && self.ready.q.val().any() && !self.stopped.val();
        self.addresses.take.next = self.takes.val();
        self.addresses.take_place.next = self.next_place.q.val();
        self.addresses.take_upper.next = self.next_upper.q.val();
        self.data.take.next = self.e_moves.val();
        self.data.take_place.next = self.e_place.q.val();
        self.data.take_upper.next = self.e_upper.q.val();
        if self.h_done.val() {
            self.h_valid.d.next = false;
        }
        if self.e_moves.val() {
            self.e_valid.d.next = false;
            self.h_valid.d.next = true;
            self.h_first.d.next = true;
            self.h_again.d.next = false;
            self.h_odd.d.next = false;
            self.h_place.d.next = self.e_place.q.val();
            self.h_upper.d.next = self.e_upper.q.val();
            self.h_threads.d.next = self.e_threads.val();
            self.h_faulty.d.next = self.e_faults.val().any();
            self.h_pending.d.next = self.e_threads.val();
            if self.e_faults.val().any() {
                self.h_pending.d.next = self.e_faults.val();
            }
            for i in 0..16 {
                self.h_address[i].d.next = self.addresses.half[i].val().get_bits::<16>(0);
            }
        }
        self.ready.d.next = self.completes.val();
        if self.takes.val() {
            self.ready.d.next = self.completes.val() - 1;
            self.e_valid.d.next = true;
            self.e_place.d.next = self.next_place.q.val();
            self.e_upper.d.next = self.next_upper.q.val();
            self.next_upper.d.next = !self.next_upper.q.val();
            if self.next_upper.q.val() {
                self.next_place.d.next = self.next_place.q.val() + 1;
            }
        }
    }
}
