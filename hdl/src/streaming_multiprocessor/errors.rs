//! Errors: the first one stops an SM. If its warp has several, the host reads the error of the oldest instruction.
//!
//! Global memory and the collector detect errors late, so any other error of the same warp belongs to a younger
//! instruction. If both report one, the instruction that issued first decides. Tags give the order: they are
//! sequential, and fewer than half of them are in flight.

use super::state::ErrorState;
use super::StreamingMultiprocessor;
use crate::bundles::{schedulers_differ_error, KernelError};
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

    /// Stops on an error that check bits or the second scheduler have found. It takes precedence over all other errors,
    /// because they may be its consequences.
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
            let candidate = self.scheduler.s_issued.val();
            let differ = self.schedulers_differ();
            if differ && !found.code.any() {
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
}
