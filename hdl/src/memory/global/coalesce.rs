//! m1 and m2: splits the beat at the head of the queue into requests of one segment each, or reports its fault.

use super::GlobalMemoryUnit;
use crate::bundles::{KernelError, TaggedError};
use crate::memory::bundles::{ChosenRequest, SplitBeat};
use crate::memory::coalescer::segment::{leader_address, next_request};
use flexgrip_machine::code;
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// Moves the beat's next request to m3 if that is free, with its data from the store buffer, and drops a beat after
    /// an error. Returns true if m2 is done with its beat: with its last request, or when it is dropped. A request to
    /// store four registers per lane passes m3 twice if they cannot be read at once. A faulting beat stays until it is
    /// reported. With the strict rule, a beat waits until its whole half-warp has been checked.
    #[hdl_part]
    pub(super) fn pass_request(&mut self, leaves: Bit) -> Bit {
        let m2 = self.m2.q.val();
        let strict = self.configuration.val().strict_coalescing;
        let mut address = [Bits::<32>::ZERO; LANES];
        for i in 0..LANES {
            address[i] = self.m2_address[i].q.val();
        }
        let one_by_one = if self.atomics.val() {
            let atomic = self.m2_atomic[0].q.val();
            mask(strict, m2.one_by_one) | atomic.valid.fill::<2>()
        } else {
            mask(strict, m2.one_by_one)
        };
        let (segment, served, rest) = next_request::<LANES>(m2.pending, address, m2.leader, strict, one_by_one);
        let complete = !rest.any();

        let stopped = self.fault.q.val().error.error.code.any();
        let judged = !strict || m2.settled;
        let step = m2.valid && judged && !m2.queued.fault && !stopped && (leaves || !self.m3.q.val().valid);
        self.words.read_enable.next = step;
        self.words.read_served.next = served;
        self.words.read_of_four.next = m2.queued.store && m2.queued.size.get_bit(2);
        self.words.read_second.next = m2.second;
        self.words.read_beat.next = m2.place;
        let partial = self.words.meets.val() && !m2.second;
        if leaves {
            self.m3.d.next.valid = false;
        }
        if step {
            self.m3.d.next = ChosenRequest {
                valid: true,
                queued: m2.queued,
                request: m2.pending.any(),
                complete,
                partial,
                second: m2.second,
                segment,
                served,
                lanes: m2.lanes,
            };
            if self.atomics.val() {
                let atomic = self.m2_atomic[0].q.val();
                self.m3_atomic[0].d.next = atomic;
                if atomic.valid {
                    // The lane's own address.
                    self.m3.d.next.segment = m2.leader;
                }
            }
            for i in 0..LANES {
                self.m3_offset[i].d.next = address[i].low::<7>();
            }
            self.m2.d.next.second = partial;
        }
        // The lanes still waiting.
        if step && !partial {
            self.m2.d.next.pending = rest;
            self.m2.d.next.leader = leader_address::<LANES>(rest, address);
        }
        (m2.valid && stopped) || (step && !partial && complete)
    }

    /// Moves the beat at the head of the queue to m2, with its addresses and all of its lanes waiting, when m2 has
    /// finished its own beat. True if it does. The strict rule's verdict is registered before m2 uses it, because the
    /// path from it to the end of the beat is long: with the beat, if it is known by then, else while the beat waits in
    /// m2.
    #[hdl_part]
    pub(super) fn pop_beat(&mut self, done: Bit) -> Bit {
        let m2 = self.m2.q.val();
        let beats = self.beats.q.val();
        let m1_pop = beats.waiting.any() && (done || !m2.valid);
        let queued = self.queue.read(beats.head);
        let mut lanes = Bits::<32>::ZERO;
        let mut address = [Bits::<32>::ZERO; LANES];
        for i in 0..LANES {
            let entry = self.addresses[i].read(beats.head);
            lanes = lanes.replace_bit(i, entry.accesses);
            address[i] = entry.address;
            if m1_pop {
                self.m2_address[i].d.next = address[i];
            }
        }
        self.rule.read_place.next = m2.place;
        self.rule.next_place.next = beats.head;
        if done {
            self.m2.d.next.valid = false;
        }
        self.m2.d.next.followed = beats.waiting.any();
        self.m2.d.next.one_by_one = self.rule.one_by_one.val();
        self.m2.d.next.settled = !Self::HALF_WARP_PAIRS || m2.place.get_bit(0) || m2.followed;
        if m1_pop {
            // A verdict is available from the second cycle after the beat's arrival, so the newest beat in the queue
            // may not have one yet.
            let first_of_pair = Self::HALF_WARP_PAIRS && !beats.head.get_bit(0);
            self.m2.d.next = SplitBeat {
                valid: true,
                queued,
                place: beats.head,
                lanes,
                pending: lanes,
                leader: leader_address::<LANES>(lanes, address),
                second: false,
                followed: beats.waiting > 1,
                one_by_one: self.rule.next_one_by_one.val(),
                settled: if first_of_pair { beats.waiting > 2 } else { beats.waiting > 1 },
            };
        }
        m1_pop
    }

    /// Reports the error of a faulting beat, which waits in m2 until all earlier accesses have completed: m3 to
    /// writeback are empty. The leader is the lowest faulting lane; its address distinguishes a misaligned access from
    /// one out of range. The error stays until the next grid clears it. Also drives `m_idle`: no beat, request,
    /// response or register is in flight.
    #[hdl_part]
    pub(super) fn report_fault(&mut self) {
        let m2 = self.m2.q.val();
        let fault = self.fault.q.val();
        let drained = !self.m3.q.val().valid
            && !self.m4.q.val().valid
            && !self.record_queue.q.val().unread.any()
            && !self.record_queue.q.val().read
            && !self.loaded.q.val().control.valid
            && !self.later.q.val().control.valid;
        if m2.valid && m2.queued.fault && !fault.error.error.code.any() && drained {
            let (if_misaligned, if_outside) = if fault.local {
                (bits::<4>(code::LOCAL_MISALIGNED as u64), bits::<4>(code::LOCAL_RANGE as u64))
            } else {
                (bits(code::GLOBAL_MISALIGNED as u64), bits(code::GLOBAL_RANGE as u64))
            };
            let misaligned = (m2.leader & !(Bits::<32>::ONES << m2.queued.size)).any();
            let code = if misaligned { if_misaligned } else { if_outside };
            self.fault.d.next.error = TaggedError {
                error: KernelError { code, warp: m2.queued.beat.warp, pc: fault.pc, address: m2.leader },
                tag: m2.queued.beat.tag,
            };
        }
        if self.clear.val() {
            self.fault.d.next.error.error.code = 0.into();
            self.fault.d.next.seen = false;
        }
        self.m_error.next = fault.error;
        self.m_idle.next = drained && !m2.valid && !self.beats.q.val().waiting.any();
    }
}
