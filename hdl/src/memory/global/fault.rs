//! Errors: the fault that is reported, and when the unit is idle.

use super::GlobalMemoryUnit;
use flexgrip_machine::code;
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// The data of the first beat with a fault that the queue does not keep, for the report. No other fault can be
    /// reported: later beats are dropped.
    #[hdl_part]
    pub(super) fn note_first_fault(&mut self, complete: Bit, faulty: Bit) {
        if complete && faulty && !self.fault_seen.q.val() {
            self.fault_seen.d.next = true;
            self.fault_pc.d.next = self.m_control.val().pc;
            self.fault_local.d.next = self.m_control.val().local;
        }
    }

    /// Nothing is on the way from m3 to writeback.
    #[hdl_part]
    pub(super) fn is_drained(&self) -> Bit {
        !self.m3.q.val().valid
            && !self.m4.q.val().valid
            && !self.records_unread.q.val().any()
            && !self.record_valid.q.val()
            && !self.loaded_complete.q.val()
            && !self.later_valid.q.val()
    }

    /// The error of a beat with a fault. The leader is the lowest faulting lane; its address tells whether the access
    /// is misaligned or out of range.
    #[hdl_part]
    pub(super) fn report_fault(&mut self, fails: Bit) {
        let beat = self.m2.q.val();
        let address = self.m2_leader.q.val();
        let misaligned = (address & !(Bits::<32>::ONES << beat.size)).any();
        if fails {
            self.error.d.next.code = if self.fault_local.q.val() {
                if misaligned {
                    bits(code::LOCAL_MISALIGNED as u64)
                } else {
                    bits::<4>(code::LOCAL_RANGE as u64)
                }
            } else if misaligned {
                bits(code::GLOBAL_MISALIGNED as u64)
            } else {
                bits(code::GLOBAL_RANGE as u64)
            };
            self.error.d.next.warp = beat.warp;
            self.error.d.next.pc = self.fault_pc.q.val();
            self.error.d.next.address = address;
            self.error_tag.d.next = beat.tag;
        }
    }

    /// The error stays until the next grid clears it. The unit is idle with no beat, request, response or register in
    /// flight.
    #[hdl_part]
    pub(super) fn drive_status(&mut self, drained: Bit) {
        if self.clear.val() {
            self.error.d.next.code = 0.into();
            self.fault_seen.d.next = false;
        }
        self.m_error.next = self.error.q.val();
        self.m_error_tag.next = self.error_tag.q.val();
        self.m_idle.next = drained && !self.m2_valid.q.val() && !self.waiting.q.val().any();
    }
}
