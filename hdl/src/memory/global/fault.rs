//! Errors: the fault that is reported, and when the unit is idle.

use super::GlobalMemoryUnit;
use crate::bundles::{KernelError, TaggedError};
use flexgrip_machine::code;
use hdlkit::prelude::*;

impl<const LANES: usize> GlobalMemoryUnit<LANES> {
    /// The data of the first beat with a fault that the queue does not keep, for the report. No other fault can be
    /// reported: later beats are dropped.
    #[hdl_part]
    pub(super) fn note_first_fault(&mut self, complete: Bit, faulty: Bit) {
        if complete && faulty && !self.fault.q.val().seen {
            self.fault.d.next.seen = true;
            self.fault.d.next.pc = self.m.control.val().pc;
            self.fault.d.next.local = self.m.control.val().local;
        }
    }

    /// The error of a beat with a fault, which waits in m2 until everything before it has taken effect: nothing is on the way
    /// from m3 to writeback. The leader is the lowest faulting lane; its address tells whether the access is misaligned or
    /// out of range. The error stays until the next grid clears it. The unit is idle with no beat, request, response or
    /// register in flight.
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
