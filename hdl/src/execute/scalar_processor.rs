//! A scalar processor: the integer and the float unit of one lane, with one multiplier, and one way out.
//!
//! ```text
//! cycle    t           t+1   t+2   t+3          t+4   t+5   t+6
//! early    x_a, b, c                w_result
//! late     x_a, b, c                kept         kept  kept  w_result
//! float    x_float_a, b, c                                   w_result
//! ```
//! An integer result comes out after three cycles, or, so that it does not meet a float's that was on its way before it,
//! after six as that does. Which of them is the parent's choice.

use super::float::{FloatControl, FloatLane};
use super::integer::IntegerLane;
use crate::bundles::IntegerControl;
use hdlkit::prelude::*;

/// Whose result leaves the lanes.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum ResultSource {
    /// The integer unit's, just computed.
    Early,
    /// The integer unit's, kept for three cycles.
    Late,
    /// The float unit's.
    Float,
}

/// A kept result.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct LateResult {
    value: Bits<32>,
    condition: Bits<4>,
}

/// One lane's units. The controls are the same control, delayed by the parent once for all lanes; see [`IntegerLane`] and
/// [`FloatLane`].
#[derive(Clone, Debug, LogicBlock, Cycle, Blank)]
pub struct ScalarProcessor {
    pub clock: Signal<In, Clock>,
    pub x1_integer: Signal<In, IntegerControl>,
    pub x2_integer: Signal<In, IntegerControl>,
    pub x3_integer: Signal<In, IntegerControl>,
    pub x_a: Signal<In, Bits<32>>,
    pub x_b: Signal<In, Bits<32>>,
    pub x_c: Signal<In, Bits<32>>,
    /// C of the source condition code.
    pub x_carry: Signal<In, Bit>,
    /// The operands of this cycle are floats'.
    pub x1_is_float: Signal<In, Bit>,
    pub x1_float: Signal<In, FloatControl>,
    pub x2_float: Signal<In, FloatControl>,
    pub x3_float: Signal<In, FloatControl>,
    pub x5_float: Signal<In, FloatControl>,
    pub x6_float: Signal<In, FloatControl>,
    pub x_float_a: Signal<In, Bits<32>>,
    pub x_float_b: Signal<In, Bits<32>>,
    pub x_float_c: Signal<In, Bits<32>>,
    /// Of the integer unit's operands three, four and five cycles ago the result is to come late.
    pub x4_keep: Signal<In, Bit>,
    pub x5_keep: Signal<In, Bit>,
    pub x6_keep: Signal<In, Bit>,
    /// Whose result leaves in this cycle.
    pub w_source: Signal<In, ResultSource>,
    pub w_result: Signal<Out, Bits<32>>,
    /// Z = bit 0, S = bit 1, C = bit 2, O = bit 3.
    pub w_condition: Signal<Out, Bits<4>>,

    float_unit: FloatLane,
    integer_unit: IntegerLane,
    x5_late: DFF<LateResult>,
    x6_late: DFF<LateResult>,
    w_late: DFF<LateResult>,
    _activity: Activity,
}

impl Logic for ScalarProcessor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x5_late, x6_late, w_late);
        self.float_unit.clock.next = self.clock.val();
        self.float_unit.x1_control.next = self.x1_float.val();
        self.float_unit.x2_control.next = self.x2_float.val();
        self.float_unit.x3_control.next = self.x3_float.val();
        self.float_unit.x5_control.next = self.x5_float.val();
        self.float_unit.x6_control.next = self.x6_float.val();
        self.float_unit.x_a.next = self.x_float_a.val();
        self.float_unit.x_b.next = self.x_float_b.val();
        self.float_unit.x_c.next = self.x_float_c.val();
        self.integer_unit.clock.next = self.clock.val();
        self.integer_unit.x1_control.next = self.x1_integer.val();
        self.integer_unit.x2_control.next = self.x2_integer.val();
        self.integer_unit.x3_control.next = self.x3_integer.val();
        self.integer_unit.x_a.next = self.x_a.val();
        self.integer_unit.x_b.next = self.x_b.val();
        self.integer_unit.x_c.next = self.x_c.val();
        self.integer_unit.x_carry.next = self.x_carry.val();
        self.integer_unit.x1_is_float.next = self.x1_is_float.val();
        self.integer_unit.x1_float_a.next = self.float_unit.x1_factor_a.val();
        self.integer_unit.x1_float_b.next = self.float_unit.x1_factor_b.val();
        self.float_unit.x3_product.next = self.integer_unit.x3_product.val();

        if self.x4_keep.val() {
            self.x5_late.d.next.value = self.integer_unit.x_result.val();
            self.x5_late.d.next.condition = self.integer_unit.x_condition.val();
        }
        if self.x5_keep.val() {
            self.x6_late.d.next = self.x5_late.q.val();
        }
        if self.x6_keep.val() {
            self.w_late.d.next = self.x6_late.q.val();
        }

        match self.w_source.val() {
            ResultSource::Early => {
                self.w_result.next = self.integer_unit.x_result.val();
                self.w_condition.next = self.integer_unit.x_condition.val();
            }
            ResultSource::Late => {
                self.w_result.next = self.w_late.q.val().value;
                self.w_condition.next = self.w_late.q.val().condition;
            }
            _ => {
                self.w_result.next = self.float_unit.x_result.val();
                self.w_condition.next = self.float_unit.x_condition.val();
            }
        }
    }
}
