//! m1 and m2: splits the beat at the head of the queue into requests of one segment each.

use super::{ChosenRequest, GlobalMemoryUnit};
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// The lanes served by the beat's next request: the coalescer's answer for the waiting lanes, by the strict rule if
    /// that is chosen. In that case the beat may have to wait until its whole half-warp has been judged; returns whether
    /// it has.
    #[hdl_part]
    pub(super) fn choose_lanes(&mut self) -> Bit {
        let strict = self.strict_coalescing.val();
        self.coalescer.pending.next = self.m2_pending.q.val();
        self.coalescer.leader.next = self.m2_leader.q.val();
        self.coalescer.strict.next = strict;
        self.coalescer.one_by_one.next = mask(strict, self.m2_one_by_one.q.val());
        self.following.pending.next = self.coalescer.rest.val();
        for i in 0..LANES {
            self.coalescer.address[i].next = self.m2_address[i].q.val();
            self.following.address[i].next = self.m2_address[i].q.val();
        }
        // The strict rule's verdict is looked up a cycle early: the path from the verdict to the end of the beat is
        // long enough.
        self.rule.read_place.next = self.m2_place.q.val();
        self.rule.next_place.next = self.head.q.val();
        self.m2_one_by_one.d.next = self.rule.one_by_one.val();
        self.m2_settled.d.next = !Self::HALF_WARP_PAIRS || self.m2_place.q.val().get_bit(0) || self.m2_followed.q.val();
        !strict || self.m2_settled.q.val()
    }

    /// Moves the beat's next request to m3 if there is room, with its data from the store buffer, and drops a beat after
    /// an error. Returns whether m2 is done with its beat: with its last request, or when it is dropped. A request to
    /// store four registers per lane goes to m3 twice if they cannot be read at once. A beat with a fault stays until it
    /// is reported.
    #[hdl_part]
    pub(super) fn pass_request(&mut self, judged: Bit, leaves: Bit) -> Bit {
        let beat = self.m2.q.val();
        let stopped = self.error.q.val().code.any();
        let step = self.m2_valid.q.val() && judged && !beat.fault && !stopped && (leaves || !self.m3.q.val().valid);
        self.words.read_enable.next = step;
        self.words.read_served.next = self.coalescer.served.val();
        self.words.read_of_four.next = beat.store && beat.size.get_bit(2);
        self.words.read_second.next = self.m2_second.q.val();
        self.words.read_beat.next = self.m2_place.q.val();

        let partial = self.words.meets.val() && !self.m2_second.q.val();
        if leaves {
            self.m3.d.next.valid = false;
        }
        if step {
            self.m3.d.next = ChosenRequest {
                valid: true,
                request: self.m2_pending.q.val().any(),
                complete: self.coalescer.complete.val(),
                partial,
                second: self.m2_second.q.val(),
                segment: self.coalescer.segment.val(),
                served: self.coalescer.served.val(),
                mask: self.m2_mask.q.val(),
            };
            self.m3_control.d.next = beat;
            for i in 0..LANES {
                self.m3_offset[i].d.next = self.m2_address[i].q.val().low::<7>();
            }
            self.m2_second.d.next = partial;
        }
        // The lanes still waiting.
        if step && !partial {
            self.m2_pending.d.next = self.coalescer.rest.val();
            self.m2_leader.d.next = self.following.leader.val();
        }

        // An instruction's last beat frees its places in the queue.
        let drop = self.m2_valid.q.val() && stopped;
        let done = drop || (step && !partial && self.coalescer.complete.val());
        self.dequeued.d.next = done && beat.last;
        self.m_dequeued.next = self.dequeued.q.val();
        done
    }

    /// Moves the beat at the head of the queue to m2, with its addresses, when m2 has finished its own beat: all of its
    /// lanes wait. The strict rule's verdict is looked up on the way, if it is already known.
    #[hdl_part]
    pub(super) fn pop_beat(&mut self, done: Bit) -> Bit {
        let waiting = self.waiting.q.val();
        let m1_pop = waiting.any() && (done || !self.m2_valid.q.val());
        self.queue.read_address.next = self.head.q.val();
        self.addresses.read_address.next = self.head.q.val();
        let mut lanes = Bits::<32>::ZERO;
        for i in 0..LANES {
            let entry = self.addresses.read_data[i].val();
            lanes = lanes.replace_bit(i, entry.get_bit(32));
            self.first.address[i].next = entry.low::<32>();
            if m1_pop {
                self.m2_address[i].d.next = entry.low::<32>();
            }
        }
        self.first.pending.next = lanes;

        self.m2_followed.d.next = waiting.any();
        if done {
            self.m2_valid.d.next = false;
        }
        if m1_pop {
            self.m2_valid.d.next = true;
            self.m2.d.next = self.queue.read_data.val();
            self.m2_second.d.next = false;
            self.m2_place.d.next = self.head.q.val();
            self.m2_mask.d.next = lanes;
            self.m2_pending.d.next = lanes;
            self.m2_leader.d.next = self.first.leader.val();
            // All beats in the queue have been judged except the one that arrives in this cycle. The verdict on the one
            // before that cannot be looked up yet.
            self.m2_followed.d.next = waiting > 1;
            self.m2_one_by_one.d.next = self.rule.next_one_by_one.val();
            self.m2_settled.d.next =
                if Self::HALF_WARP_PAIRS && !self.head.q.val().get_bit(0) { waiting > 2 } else { waiting > 1 };
            self.head.d.next = self.head.q.val() + 1;
        }
        m1_pop
    }

    /// Counts the beats in the queue.
    #[hdl_part]
    pub(super) fn count_beats(&mut self, enqueued: Bit, popped: Bit) {
        if enqueued && !popped {
            self.waiting.d.next = self.waiting.q.val() + 1;
        }
        if !enqueued && popped {
            self.waiting.d.next = self.waiting.q.val() - 1;
        }
    }
}
