//! Errors: the fault that is reported, and when the unit is idle.

use super::GlobalMemoryUnit;
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// The data of the first beat with a fault that the queue does not keep, for the report. No other fault can be
    /// reported: later beats are dropped.
    #[hdl_part]
    pub(super) fn note_first_fault(&mut self) {
        if self.m0_complete.val() && self.m0_faulty.val() && !self.fault_seen.q.val() {
            self.fault_seen.d.next = true;
            self.fault_pc.d.next = self.m_control.val().pc;
            self.fault_local.d.next = self.m0_local.val();
        }
    }

    /// The error of a beat with a fault. The leader is the lowest faulting lane; its address tells whether the access
    /// is misaligned or out of range.
    #[hdl_part]
    pub(super) fn report_fault(&mut self) {
        self.m2_above.next = self.ones.val() << self.m2.q.val().size;
        self.m2_remainder.next = self.m2_leader.q.val() & !self.m2_above.val();
        if self.m2_fail.val() {
            self.error.d.next.code = self.codes.val().global_range;
            if self.m2_remainder.val().any() {
                self.error.d.next.code = self.codes.val().global_misaligned;
            }
            if self.fault_local.q.val() {
                self.error.d.next.code = self.codes.val().local_range;
                if self.m2_remainder.val().any() {
                    self.error.d.next.code = self.codes.val().local_misaligned;
                }
            }
            self.error_tag.d.next = self.m2.q.val().tag;
            self.error.d.next.warp = self.m2.q.val().warp;
            self.error.d.next.pc = self.fault_pc.q.val();
            self.error.d.next.address = self.m2_leader.q.val();
        }
    }

    /// The error stays until the next grid clears it. The unit is idle with no beat, request, response or register in
    /// flight.
    #[hdl_part]
    pub(super) fn drive_status(&mut self) {
        if self.clear.val() {
            self.error.d.next.code = 0.into();
            self.fault_seen.d.next = false;
        }
        self.m_error.next = self.error.q.val();
        self.m_error_tag.next = self.error_tag.q.val();
        self.m_idle.next = self.drained.val() && !self.m2_valid.q.val() && !self.m1_valid.val();
    }
}
