//! The second scheduler of a protected SM (dual modular redundancy): it has the inputs of the first and drives nothing.
//! In each cycle the outputs of both are compared.

use super::StreamingMultiprocessor;
use crate::bundles::{WarpBegin, PROTECTED_CODES};
use crate::memory::global::queue_instructions;
use flexgrip_machine::code;
use hdlkit::prelude::*;

impl<const LANES: usize> StreamingMultiprocessor<LANES> {
    /// Drives the second scheduler with the inputs of the first.
    #[hdl_part]
    pub(super) fn drive_second_scheduler(&mut self, begins: WarpBegin, stop: Bit, injects: Bit) {
        self.second_scheduler[0].s_clear.next = self.sm_clear.val();
        self.second_scheduler[0].configuration.next = self.configured.q.val();
        self.second_scheduler[0].begins.next = begins;
        self.second_scheduler[0].s_stop.next = stop;
        self.second_scheduler[0].heads.available.next = self.fetch.heads.available.val();
        self.second_scheduler[0].heads.lower.next = self.fetch.heads.lower.val();
        self.second_scheduler[0].heads.upper.next = self.fetch.heads.upper.val();
        self.second_scheduler[0].heads.both.next = self.fetch.heads.both.val();
        self.second_scheduler[0].r_slot.next = self.read.r_slot.val();
        self.second_scheduler[0].s_hold.next = self.hold.q.val();
        self.second_scheduler[0].collect.slot.next = self.collector.collect.slot.val();
        self.second_scheduler[0].collect.room.next = self.collector.collect.room.val();
        self.second_scheduler[0].collect.storing.next = self.collector.collect.storing.val();
        self.second_scheduler[0].collect.incrementing.next = self.collector.collect.incrementing.val();
        self.second_scheduler[0].collect.held.next = self.collector.collect.held.val();
        self.second_scheduler[0].c_injects.next = self.collector.c_inject.val().valid;
        self.second_scheduler[0].c_injected.next = injects;
        self.second_scheduler[0].s_late_store.next = self.late_store.q.val().valid;
        self.second_scheduler[0].memory_places.next = bits(queue_instructions(LANES) as u64);
        self.second_scheduler[0].m_dequeued.next = self.memory_unit.m_dequeued.val();
        self.second_scheduler[0].s_special_dequeued.next = self.special_dequeued.q.val();
        self.second_scheduler[0].b_resolved.next = self.branch.b_resolved.val();
        self.second_scheduler[0].bar_release.next = self.barriers.bar_release.val();
        self.second_scheduler[0].bar_busy.next = self.barriers.bar_busy.val();
        self.second_scheduler[0].w_release.next = self.writeback.w_release.val();
        self.second_scheduler[0].w_address_done.next = self.writeback.w_address_done.val();
        if self.locks.val() {
            self.second_scheduler[0].s_locking[0].next = self.collector.c_locking[0].val();
        }
    }

    /// Compares what the schedulers issue, remove from the instruction buffers and report. Signals of an instruction
    /// that does not issue do not count. Nor do the reads of the instruction buffers: both schedulers get the word that
    /// the first asks for, so if they choose different warps, they differ when the word issues.
    #[hdl_part]
    pub(super) fn schedulers_differ(&mut self) -> Bit {
        let first = self.scheduler.s_issued.val();
        let second = self.second_scheduler[0].s_issued.val();
        let pops = self.scheduler.heads.pop.val();
        let second_pops = self.second_scheduler[0].heads.pop.val();
        first.valid != second.valid
            || first.valid && first != second
            || self.scheduler.s_reads.val() != self.second_scheduler[0].s_reads.val()
            || self.scheduler.collect.issued.val() != self.second_scheduler[0].collect.issued.val()
            || self.scheduler.collect.takes_place.val() != self.second_scheduler[0].collect.takes_place.val()
            || self.scheduler.collect.holds.val() != self.second_scheduler[0].collect.holds.val()
            || pops.valid != second_pops.valid
            || pops.valid && pops.warp != second_pops.warp
            || self.scheduler.s_error.val() != self.second_scheduler[0].s_error.val()
            || self.scheduler.s_idle.val() != self.second_scheduler[0].s_idle.val()
    }

    /// Ends the grid after the error of two schedulers that differ: the instructions in flight may never complete, so
    /// only the memory unit must be idle.
    #[hdl_part]
    pub(super) fn end_if_schedulers_differ(&mut self) {
        let errors = self.errors.q.val();
        let differ = errors.stopped_by.code == (code::SCHEDULERS_DIFFER as u64 - PROTECTED_CODES);
        if self.stopped_by_protection[0].q.val() && differ && self.memory_unit.m_idle.val() && !self.sm_clear.val() {
            self.errors.d.next.counts = errors.stopped_by;
            self.idle.d.next = true;
        }
    }
}
