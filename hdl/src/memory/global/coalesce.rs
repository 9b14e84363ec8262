//! m1 and m2: splits the beat at the head of the queue into requests of one segment each.

use super::GlobalMemoryUnit;
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// The lanes served by the beat's next request: the coalescer's answer for the waiting lanes, by the strict rule if
    /// that is chosen. In that case the beat may have to wait until its whole half-warp has been judged.
    #[hdl_part]
    pub(super) fn choose_lanes(&mut self) {
        self.coalescer.pending.next = self.m2_pending.q.val();
        self.coalescer.leader.next = self.m2_leader.q.val();
        self.coalescer.strict.next = self.strict_coalescing.val();
        // The strict rule's verdict is looked up a cycle early: the path from the verdict to the end of the beat is
        // long enough.
        self.rule.read_place.next = self.m2_place.q.val();
        self.rule.next_place.next = self.head.q.val();
        self.m2_one_by_one.d.next = self.rule.one_by_one.val();
        self.m2_settled.d.next =
            !self.half_warp_pairs.val() || self.m2_place.q.val().get_bit(0) || self.m2_followed.q.val();
        self.coalescer.one_by_one.next = 0.into();
        self.m2_judged.next = true;
        if self.strict_coalescing.val() {
            self.coalescer.one_by_one.next = self.m2_one_by_one.q.val();
            self.m2_judged.next = self.m2_settled.q.val();
        }
        self.following.pending.next = self.coalescer.rest.val();
    }

    /// The action of m2 in this cycle: a request, an error to report, a beat to drop, or nothing. An error waits until
    /// everything before it has taken effect.
    #[hdl_part]
    pub(super) fn decide_step(&mut self) {
        self.m2_fault.next = self.m2.q.val().fault;
        self.m2_stopped.next = self.error.q.val().code.any();
        self.drained.next = !self.m3.q.val().valid
            && !self.m4.q.val().valid
            && !self.records_unread.q.val().any()
            && !self.record_valid.q.val()
            && !self.loaded_complete.q.val()
            && !self.later_valid.q.val();
        self.m2_step.next = self.m2_valid.q.val()
            && self.m2_judged.val()
            && !self.m2_fault.val()
            && !self.m2_stopped.val()
            && (self.m3_go.val() || !self.m3.q.val().valid);
        self.m2_fail.next =
            self.m2_valid.q.val() && self.m2_fault.val() && !self.m2_stopped.val() && self.drained.val();
        self.m2_drop.next = self.m2_valid.q.val() && self.m2_stopped.val();
    }

    /// Reads the request's data from the store buffer. A request to store four registers per lane goes to m3 twice if
    /// they cannot be read at once; the beat is done with its last request, or when it is dropped.
    #[hdl_part]
    pub(super) fn read_store_data(&mut self) {
        self.words.read_served.next = self.coalescer.served.val();
        self.words.read_of_four.next = self.m2.q.val().store && self.m2.q.val().size.get_bit(2);
        self.m2_partial.next = self.words.meets.val() && !self.m2_second.q.val();
        self.m2_whole.next = self.m2_step.val() && !self.m2_partial.val();
        self.m2_done.next = self.m2_drop.val() || (self.m2_whole.val() && self.coalescer.complete.val());
        self.words.read_enable.next = self.m2_step.val();
        self.words.read_second.next = self.m2_second.q.val();
        self.words.read_beat.next = self.m2_place.q.val();
    }

    /// The request to m3, and the lanes still waiting. An instruction's last beat frees its places in the queue.
    #[hdl_part]
    pub(super) fn pass_request(&mut self) {
        if self.m3_go.val() {
            self.m3.d.next.valid = false;
        }
        if self.m2_step.val() {
            self.m3.d.next.valid = true;
            self.m3.d.next.request = self.m2_pending.q.val().any();
            self.m3.d.next.complete = self.coalescer.complete.val();
            self.m3.d.next.partial = self.m2_partial.val();
            self.m3.d.next.second = self.m2_second.q.val();
            self.m2_second.d.next = self.m2_partial.val();
            self.m3.d.next.segment = self.coalescer.segment.val();
            self.m3.d.next.served = self.coalescer.served.val();
            self.m3.d.next.mask = self.m2_mask.q.val();
            self.m3_control.d.next = self.m2.q.val();
        }
        if self.m2_whole.val() {
            self.m2_pending.d.next = self.coalescer.rest.val();
            self.m2_leader.d.next = self.following.leader.val();
        }
        self.dequeued.d.next = self.m2_done.val() && self.m2.q.val().last;
        self.m_dequeued.next = self.dequeued.q.val();
    }

    /// The beat at the head of the queue, its lanes and their addresses. It moves to m2 when m2 has finished its own
    /// beat.
    #[hdl_part]
    pub(super) fn read_queue_head(&mut self) {
        self.queue.read_address.next = self.head.q.val();
        self.addresses.read_address.next = self.head.q.val();
        self.m1_valid.next = self.waiting.q.val().any();
        self.m1_pop.next = self.m1_valid.val() && (self.m2_done.val() || !self.m2_valid.q.val());
        self.m1_mask.next = 0.into();
        for i in 0..LANES {
            self.m1_entry.next = self.addresses.read_data[i].val();
            self.m1_mask.next = self.m1_mask.val().replace_bit(i, self.m1_entry.val().get_bit(32));
            self.first.address[i].next = self.m1_entry.val().get_bits::<32>(0);
            self.m2_own.next = self.m2_address[i].q.val();
            self.coalescer.address[i].next = self.m2_own.val();
            self.following.address[i].next = self.m2_own.val();
            self.m2_address[i].clock.next = self.clock.val();
            self.m2_address[i].d.next = self.m2_own.val();
            if self.m1_pop.val() {
                self.m2_address[i].d.next = self.m1_entry.val().get_bits::<32>(0);
            }
            self.m3_offset[i].clock.next = self.clock.val();
            self.m3_offset[i].d.next = self.m3_offset[i].q.val();
            if self.m2_step.val() {
                self.m3_offset[i].d.next = self.m2_own.val().get_bits::<7>(0);
            }
        }
        self.first.pending.next = self.m1_mask.val();
    }

    /// Moves the head to m2: all of its lanes wait. The strict rule's verdict is looked up on the way, if it is already
    /// known.
    #[hdl_part]
    pub(super) fn pop_beat(&mut self) {
        self.m2_followed.d.next = self.m1_valid.val();
        if self.m2_done.val() {
            self.m2_valid.d.next = false;
        }
        if self.m1_pop.val() {
            self.m2_valid.d.next = true;
            self.m2.d.next = self.queue.read_data.val();
            self.m2_second.d.next = false;
            self.m2_place.d.next = self.head.q.val();
            self.m2_mask.d.next = self.m1_mask.val();
            self.m2_pending.d.next = self.m1_mask.val();
            self.m2_leader.d.next = self.first.leader.val();
            // All beats in the queue have been judged except the one that arrives in this cycle. The verdict on the one
            // before that cannot be looked up yet.
            self.m2_followed.d.next = self.waiting.q.val() > 1;
            self.m2_one_by_one.d.next = self.rule.next_one_by_one.val();
            self.m2_settled.d.next = self.waiting.q.val() > 1;
            if self.half_warp_pairs.val() && !self.head.q.val().get_bit(0) {
                self.m2_settled.d.next = self.waiting.q.val() > 2;
            }
            self.head.d.next = self.head.q.val() + 1;
        }
        if self.m0_complete.val() && !self.m1_pop.val() {
            self.waiting.d.next = self.waiting.q.val() + 1;
        }
        if !self.m0_complete.val() && self.m1_pop.val() {
            self.waiting.d.next = self.waiting.q.val() - 1;
        }
    }
}
