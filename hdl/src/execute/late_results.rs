//! The long path of integer results: three registers after the integer unit's own, in step with the float units' last
//! stages.
//!
//! ```text
//! cycle   t                     t+1        t+2        t+3
//!         x5_result, x5_keep                          w_result
//!                               x6_keep    x7_keep
//! ```

use super::integer::IntegerResult;
use hdlkit::prelude::*;

/// One lane.
#[circuit]
#[derive(Clone, Debug)]
pub struct LateResultLane {
    pub clock: Signal<In, Clock>,
    pub x5_keep: Signal<In, Bit>,
    pub x6_keep: Signal<In, Bit>,
    pub x7_keep: Signal<In, Bit>,
    pub x5_result: Signal<In, IntegerResult>,
    pub w_result: Signal<Out, IntegerResult>,
    x6: DFF<IntegerResult>,
    x7: DFF<IntegerResult>,
    w: DFF<IntegerResult>,
}

impl Logic for LateResultLane {
    #[hdl_gen]
    fn update(&mut self) {
        if self.x5_keep.val() {
            self.x6.d.next = self.x5_result.val();
        }
        if self.x6_keep.val() {
            self.x7.d.next = self.x6.q.val();
        }
        if self.x7_keep.val() {
            self.w.d.next = self.x7.q.val();
        }
        self.w_result.next = self.w.q.val();
    }
}

/// All lanes. A separate block because nothing in it changes while there are no floats.
#[circuit]
#[derive(Clone, Debug)]
pub struct LateResults<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub x5_keep: Signal<In, Bit>,
    pub x6_keep: Signal<In, Bit>,
    pub x7_keep: Signal<In, Bit>,
    pub x5_result: [Signal<In, IntegerResult>; LANES],
    pub w_result: [Signal<Out, IntegerResult>; LANES],
    lane: [LateResultLane; LANES],
}

impl<const LANES: usize> Logic for LateResults<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..LANES {
            self.lane[i].x5_keep.next = self.x5_keep.val();
            self.lane[i].x6_keep.next = self.x6_keep.val();
            self.lane[i].x7_keep.next = self.x7_keep.val();
            self.lane[i].x5_result.next = self.x5_result[i].val();
            self.w_result[i].next = self.lane[i].w_result.val();
        }
    }
}
