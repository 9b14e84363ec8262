//! The long path of integer results: three registers after the integer unit's, in step with the last stages of the
//! float units.
//!
//! ```text
//! cycle   t                     t+1        t+2        t+3
//!         x5_result, x5_keep                          w_result
//!                               x6_keep    x7_keep
//! ```

use super::integer::IntegerResult;
use hdlkit::prelude::*;

/// The registers of all lanes. A circuit of its own: without float instructions nothing in it changes, and the cycle
/// engine skips it.
#[circuit]
#[derive(Clone, Debug)]
pub struct LateResults<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub x5_keep: Signal<In, Bit>,
    pub x6_keep: Signal<In, Bit>,
    pub x7_keep: Signal<In, Bit>,
    pub x5_result: [Signal<In, IntegerResult>; LANES],
    pub w_result: [Signal<Out, IntegerResult>; LANES],
    x6: [DFF<IntegerResult>; LANES],
    x7: [DFF<IntegerResult>; LANES],
    w: [DFF<IntegerResult>; LANES],
}

impl<const LANES: usize> Logic for LateResults<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..LANES {
            if self.x5_keep.val() {
                self.x6[i].d.next = self.x5_result[i].val();
            }
            if self.x6_keep.val() {
                self.x7[i].d.next = self.x6[i].q.val();
            }
            if self.x7_keep.val() {
                self.w[i].d.next = self.x7[i].q.val();
            }
            self.w_result[i].next = self.w[i].q.val();
        }
    }
}
