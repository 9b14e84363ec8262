//! The execute stage: the lanes' units, and the control that travels beside the data.
//!
//! ```text
//! cycle    x1          x2          x3          w (writeback)
//! lane     operands    multiply,   add,        result and condition code
//!                      shift       saturate
//! control  x1_write ─> x2 ──────── x3 ──────── w_pipeline
//! ```
//! One beat a cycle, nothing stalls. Loads leave for the memory unit at x1 and pass here as empty beats.

pub mod branch;
pub mod float;
pub mod integer;
pub mod multiplier;
pub mod shifter;
pub mod special_function;

use crate::bundles::*;
use hdlkit::prelude::*;
use integer::IntegerLane;

/// A beat's control between two steps of the pipeline.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ExecuteBeat {
    pub write: WriteControl,
    pub lanes: Bits<32>,
}

/// The execute stage of an SM.
#[derive(LogicBlock, Cycle, Blank)]
pub struct Execute<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub x_write: Signal<In, WriteControl>,
    pub x_integer: Signal<In, IntegerControl>,
    pub x_lanes: Signal<In, Bits<32>>,
    pub x_carries: Signal<In, Bits<32>>,
    pub x_a: [Signal<In, Bits<32>>; LANES],
    pub x_b: [Signal<In, Bits<32>>; LANES],
    pub x_c: [Signal<In, Bits<32>>; LANES],
    pub w_pipeline: Signal<Out, WriteControl>,
    pub w_lanes: Signal<Out, Bits<32>>,
    pub w_result: [Signal<Out, Bits<32>>; LANES],
    pub w_condition: [Signal<Out, Bits<4>>; LANES],
    /// No beat is in the stage or at its end.
    pub x_idle: Signal<Out, Bit>,

    lane: [IntegerLane; LANES],
    x2: DFF<ExecuteBeat>,
    x3: DFF<ExecuteBeat>,
    w: DFF<ExecuteBeat>,
    x2_integer: DFF<IntegerControl>,
    x3_integer: DFF<IntegerControl>,
    beat_2: Signal<Local, ExecuteBeat>,
    beat_3: Signal<Local, ExecuteBeat>,
    beat_w: Signal<Local, ExecuteBeat>,
    write_2: Signal<Local, WriteControl>,
    write_3: Signal<Local, WriteControl>,
    write_w: Signal<Local, WriteControl>,
    _activity: Activity,
}

impl<const LANES: usize> Logic for Execute<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x2, x3, w, x2_integer, x3_integer);
        self.x2.d.next.write = self.x_write.val();
        self.x2.d.next.lanes = self.x_lanes.val();
        self.x3.d.next = self.x2.q.val();
        self.w.d.next = self.x3.q.val();
        self.x2_integer.d.next = self.x_integer.val();
        self.x3_integer.d.next = self.x2_integer.q.val();
        for i in 0..LANES {
            self.lane[i].clock.next = self.clock.val();
            self.lane[i].x1_control.next = self.x_integer.val();
            self.lane[i].x2_control.next = self.x2_integer.q.val();
            self.lane[i].x3_control.next = self.x3_integer.q.val();
            self.lane[i].x_a.next = self.x_a[i].val();
            self.lane[i].x_b.next = self.x_b[i].val();
            self.lane[i].x_c.next = self.x_c[i].val();
            self.lane[i].x_carry.next = self.x_carries.val().get_bit(i);
            self.w_result[i].next = self.lane[i].x_result.val();
            self.w_condition[i].next = self.lane[i].x_condition.val();
        }
        self.beat_2.next = self.x2.q.val();
        self.beat_3.next = self.x3.q.val();
        self.beat_w.next = self.w.q.val();
        self.write_2.next = self.beat_2.val().write;
        self.write_3.next = self.beat_3.val().write;
        self.write_w.next = self.beat_w.val().write;
        self.w_pipeline.next = self.write_w.val();
        self.w_lanes.next = self.beat_w.val().lanes;
        self.x_idle.next = !self.write_2.val().valid && !self.write_3.val().valid && !self.write_w.val().valid;
    }
}
