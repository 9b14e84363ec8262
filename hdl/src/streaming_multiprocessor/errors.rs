//! Errors: the first one stops an SM; the host reads the error of the oldest instruction.
//!
//! If a warp has several errors, the error of its oldest instruction counts. Global memory and the collector detect
//! errors late, so any other error that stopped the warp belongs to a younger instruction; between these two, the
//! instruction that issued first decides. Tags give the order: they are sequential, and fewer than half of them are in
//! flight.

use super::state::ErrorState;
use super::StreamingMultiprocessor;
use crate::bundles::{schedulers_differ_error, KernelError, PROTECTED_CODES};
use flexgrip_machine::code;
use hdlkit::prelude::*;

impl<const LANES: usize> StreamingMultiprocessor<LANES> {
    /// Returns true if issue must stop. `quiet` is true if no instruction is in flight.
    #[hdl_part]
    pub(super) fn stop_on_errors(&mut self, quiet: Bit) -> Bit {
        let errors = self.errors.q.val();
        let memory = self.memory_unit.m_error.val();
        let collector = self.collector.c_error.val();
        let branch_error = self.branch.b_error.val();
        let read_error = self.read.r_error.val();
        let barrier_error = self.barriers.bar_error.val();
        let found = if branch_error.code.any() {
            branch_error
        } else if collector.error.code.any() {
            collector.error
        } else if read_error.code.any() {
            read_error
        } else if quiet && barrier_error.code.any() {
            barrier_error
        } else {
            self.scheduler.s_error.val()
        };

        // Negative if the faulting global memory instruction issued before the collector's.
        let distance = memory.tag - collector.tag;
        let memory_is_older = !collector.error.code.any() || distance.get_bit(15);
        let oldest = if memory.error.code.any() && memory_is_older {
            memory.error
        } else if collector.error.code.any() {
            collector.error
        } else {
            errors.stopped_by
        };
        self.errors.d.next = if self.sm_clear.val() {
            ErrorState::default()
        } else {
            ErrorState {
                stopped_by: if errors.stopped_by.code.any() { errors.stopped_by } else { found },
                counts: if quiet && !errors.counts.code.any() { oldest } else { errors.counts },
                aborted: errors.aborted || self.sm_abort.val(),
            }
        };
        let stopped = errors.stopped_by.code.any() || memory.error.code.any() || errors.aborted;
        stopped || self.barriers.bar_deadlock.val()
    }

    /// Stops on an error of protected circuits, which takes precedence over all others: they may be its consequences.
    #[hdl_part]
    pub(super) fn stop_on_protected_errors(&mut self, quiet: Bit) {
        let mut found = KernelError::default();
        if self.has_check_bits.val() {
            self.read.register_faults[0].next = self.register_file.faults[0].val();
            self.read.shared_faults[0].next = self.shared_memory.uniform_faults[0].val();
            self.collector.bank_faults[0].next = self.shared_memory.bank_faults[0].val();
            let read_error = self.read.r_uncorrectable[0].val();
            found = if read_error.code.any() { read_error } else { self.collector.c_uncorrectable[0].val() };
        }
        if self.has_second_scheduler.val() {
            self.drive_second_scheduler();
            if !found.code.any() && self.schedulers_differ() {
                let candidate = self.scheduler.s_issued.val();
                found = schedulers_differ_error(candidate.warp, candidate.pc);
            }
        }
        let errors = self.errors.q.val();
        let stopped = self.stopped_by_protection[0].q.val();
        if self.sm_clear.val() {
            self.stopped_by_protection[0].d.next = false;
        } else if found.code.any() && !stopped {
            self.stopped_by_protection[0].d.next = true;
            self.errors.d.next.stopped_by = found;
        } else if stopped && quiet && !errors.counts.code.any() {
            self.errors.d.next.counts = errors.stopped_by;
        }
        self.protected_error[0].next = stopped;
    }

    /// Ends the grid after the error of two schedulers that differ: the instructions in flight may never complete, so only
    /// the memory unit must be idle.
    #[hdl_part]
    pub(super) fn end_if_schedulers_differ(&mut self) {
        let errors = self.errors.q.val();
        let differ = errors.stopped_by.code == (code::SCHEDULERS_DIFFER as u64 - PROTECTED_CODES);
        if self.stopped_by_protection[0].q.val() && differ && self.memory_unit.m_idle.val() && !self.sm_clear.val() {
            self.errors.d.next.counts = errors.stopped_by;
            self.idle.d.next = true;
        }
    }

    /// Drives the second scheduler with the inputs of the first.
    #[hdl_part]
    fn drive_second_scheduler(&mut self) {
        self.second_scheduler[0].s_clear.next = self.scheduler.s_clear.val();
        self.second_scheduler[0].configuration.next = self.scheduler.configuration.val();
        self.second_scheduler[0].s_stop.next = self.scheduler.s_stop.val();
        self.second_scheduler[0].begins.next = self.scheduler.begins.val();
        self.second_scheduler[0].heads.available.next = self.scheduler.heads.available.val();
        self.second_scheduler[0].heads.lower.next = self.scheduler.heads.lower.val();
        self.second_scheduler[0].heads.upper.next = self.scheduler.heads.upper.val();
        self.second_scheduler[0].heads.both.next = self.scheduler.heads.both.val();
        self.second_scheduler[0].r_slot.next = self.scheduler.r_slot.val();
        self.second_scheduler[0].s_hold.next = self.scheduler.s_hold.val();
        self.second_scheduler[0].collect.slot.next = self.scheduler.collect.slot.val();
        self.second_scheduler[0].collect.room.next = self.scheduler.collect.room.val();
        self.second_scheduler[0].collect.storing.next = self.scheduler.collect.storing.val();
        self.second_scheduler[0].collect.incrementing.next = self.scheduler.collect.incrementing.val();
        self.second_scheduler[0].collect.held.next = self.scheduler.collect.held.val();
        self.second_scheduler[0].c_injects.next = self.scheduler.c_injects.val();
        self.second_scheduler[0].c_injected.next = self.scheduler.c_injected.val();
        self.second_scheduler[0].s_late_store.next = self.scheduler.s_late_store.val();
        self.second_scheduler[0].memory_places.next = self.scheduler.memory_places.val();
        self.second_scheduler[0].m_dequeued.next = self.scheduler.m_dequeued.val();
        self.second_scheduler[0].s_special_dequeued.next = self.scheduler.s_special_dequeued.val();
        self.second_scheduler[0].b_resolved.next = self.scheduler.b_resolved.val();
        self.second_scheduler[0].bar_release.next = self.scheduler.bar_release.val();
        self.second_scheduler[0].bar_busy.next = self.scheduler.bar_busy.val();
        self.second_scheduler[0].w_release.next = self.scheduler.w_release.val();
        self.second_scheduler[0].w_address_done.next = self.scheduler.w_address_done.val();
        if self.locks.val() {
            self.second_scheduler[0].s_locking[0].next = self.scheduler.s_locking[0].val();
        }
    }

    /// Compares what the schedulers issue, remove from the instruction buffers and report. Signals of an instruction that
    /// does not issue do not count. Nor do the reads of the instruction buffers: both schedulers get the word that the first
    /// asks for, so a wrong read shows when the word issues for two warps.
    #[hdl_part]
    fn schedulers_differ(&mut self) -> Bit {
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
}
