//! The lanes' float units, with their shared control.
//!
//! ```text
//! cycle   t                        t+2          t+7
//!         x_float, x_operands      x3_product   w_result, w_condition
//!         x1_factor_a, x1_factor_b
//! ```
//! A circuit of its own, with the control's delay: without float instructions nothing in it changes, and the cycle
//! engine skips it.

use super::float::FloatLane;
use crate::bundles::{FloatControl, Operands};
use hdlkit::prelude::*;

/// The float units of an SM.
#[circuit]
#[derive(Clone, Debug)]
pub struct FloatPipeline<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub x_float: Signal<In, FloatControl>,
    pub x_operands: [Signal<In, Operands>; LANES],
    /// Factors for the integer units' multipliers, and their product.
    pub x1_factor_a: [Signal<Out, Bits<25>>; LANES],
    pub x1_factor_b: [Signal<Out, Bits<25>>; LANES],
    pub x3_product: [Signal<In, Bits<48>>; LANES],
    pub w_result: [Signal<Out, Bits<32>>; LANES],
    /// Z = bit 0, S = bit 1.
    pub w_condition: [Signal<Out, Bits<4>>; LANES],

    lane: [FloatLane; LANES],
    x2: DFF<FloatControl>,
    x3: DFF<FloatControl>,
    x4: DFF<FloatControl>,
    x5: DFF<FloatControl>,
}

impl<const LANES: usize> Logic for FloatPipeline<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        self.x2.d.next = self.x_float.val();
        self.x3.d.next = self.x2.q.val();
        self.x4.d.next = self.x3.q.val();
        self.x5.d.next = self.x4.q.val();
        for i in 0..LANES {
            self.lane[i].x1_control.next = self.x_float.val();
            self.lane[i].x3_control.next = self.x3.q.val();
            self.lane[i].x5_control.next = self.x5.q.val();
            self.lane[i].x_operands.next = self.x_operands[i].val();
            self.x1_factor_a[i].next = self.lane[i].x1_factor_a.val();
            self.x1_factor_b[i].next = self.lane[i].x1_factor_b.val();
            self.lane[i].x3_product.next = self.x3_product[i].val();
            self.w_result[i].next = self.lane[i].x_result.val();
            self.w_condition[i].next = self.lane[i].x_condition.val();
        }
    }
}
