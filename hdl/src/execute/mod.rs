//! The execute stage: the lanes' units, and the control that travels with the data.
//!
//! ```text
//! cycle    x1          x2          x3          x4 or w     x5          x6          x7          w (writeback)
//! integer  operands    multiply,   add,        result
//!                      shift       saturate      └─ kept ─ kept ────── kept ────── kept ────── result
//! float    operands    multiply    align       add         normalise   round       pack        result
//! control  x1_write ─> x2 ──────── x3 ──┬───── x4 ──────── x5 ──────── x6 ──────── x7 ──┬───── w_pipeline
//!                                       └────────────────── early ──────────────────────┘
//! ```
//! One beat a cycle, no stalls. An integer instruction's beats leave after x3, four cycles before a float instruction's
//! would, unless one of them would collide at the end with a float instruction's beat in x2 to x5. Then they take the
//! long path, too, and so does everything that follows without a gap. So results leave in order, and no instruction
//! waits.
//!
//! Loads leave for the memory unit at x1, special functions for their [units](special_function_queue); they pass
//! through here as empty beats.

pub mod float;
pub mod float_pipeline;
pub mod integer;
pub mod late_results;
pub mod multiplier;
pub mod quad_exchange;
pub mod shifter;
pub mod special_function;
pub mod special_function_queue;
pub mod writeback;

use crate::bundles::*;
use float::FloatControl;
use float_pipeline::FloatPipeline;
use hdlkit::prelude::*;
use integer::{IntegerLane, IntegerResult};
use late_results::LateResults;
use quad_exchange::{QuadControl, QuadExchange};

/// The unit whose result leaves the lanes.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum ResultSource {
    /// The integer unit's, just computed.
    Early,
    /// The integer unit's, kept for four cycles.
    Late,
    /// The float unit's.
    Float,
}

/// A beat's control between two stages of the pipeline.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ExecuteBeat {
    pub write: WriteControl,
    pub lanes: Bits<32>,
    pub source: ResultSource,
}

/// The result at the end of the pipeline; none if there is no beat, or one whose result comes from elsewhere.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ResultSelect {
    pub early: Bit,
    pub late: Bit,
    pub float: Bit,
}

/// The execute stage of an SM.
#[derive(LogicBlock, Cycle, Blank)]
pub struct Execute<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub x_write: Signal<In, WriteControl>,
    pub x_integer: Signal<In, IntegerControl>,
    /// The beat is for the float unit.
    pub x_is_float: Signal<In, Bit>,
    pub x_float: Signal<In, FloatControl>,
    pub x_quad: Signal<In, QuadControl>,
    pub x_lanes: Signal<In, Bits<32>>,
    pub x_carries: Signal<In, Bits<32>>,
    pub x_a: [Signal<In, Bits<32>>; LANES],
    pub x_b: [Signal<In, Bits<32>>; LANES],
    pub x_c: [Signal<In, Bits<32>>; LANES],
    pub x_float_a: [Signal<In, Bits<32>>; LANES],
    pub x_float_b: [Signal<In, Bits<32>>; LANES],
    pub x_float_c: [Signal<In, Bits<32>>; LANES],
    pub w_pipeline: Signal<Out, WriteControl>,
    pub w_lanes: Signal<Out, Bits<32>>,
    /// 0 unless a beat with a result ends here; likewise the condition code.
    pub w_result: [Signal<Out, Bits<32>>; LANES],
    pub w_condition: [Signal<Out, Bits<4>>; LANES],
    /// No beat is in the stage or at its end.
    pub x_idle: Signal<Out, Bit>,

    quads: QuadExchange<LANES>,
    floats: FloatPipeline<LANES>,
    lane: [IntegerLane; LANES],
    late: LateResults<LANES>,
    x2: DFF<ExecuteBeat>,
    x3: DFF<ExecuteBeat>,
    x4: DFF<ExecuteBeat>,
    x5: DFF<ExecuteBeat>,
    x6: DFF<ExecuteBeat>,
    x7: DFF<ExecuteBeat>,
    w: DFF<ExecuteBeat>,
    w_select: DFF<ResultSelect>,
    /// The instruction whose beats are arriving takes the long path.
    x1_long: DFF<Bit>,
    x2_integer: DFF<IntegerControl>,
    x3_integer: DFF<IntegerControl>,
    no_beat: Constant<ExecuteBeat>,
    beat_1: Signal<Local, ExecuteBeat>,
    beat_2: Signal<Local, ExecuteBeat>,
    beat_3: Signal<Local, ExecuteBeat>,
    beat_4: Signal<Local, ExecuteBeat>,
    beat_5: Signal<Local, ExecuteBeat>,
    beat_6: Signal<Local, ExecuteBeat>,
    beat_7: Signal<Local, ExecuteBeat>,
    beat_w: Signal<Local, ExecuteBeat>,
    write_1: Signal<Local, WriteControl>,
    write_2: Signal<Local, WriteControl>,
    write_3: Signal<Local, WriteControl>,
    write_4: Signal<Local, WriteControl>,
    write_5: Signal<Local, WriteControl>,
    write_6: Signal<Local, WriteControl>,
    write_7: Signal<Local, WriteControl>,
    write_w: Signal<Local, WriteControl>,
    long_2: Signal<Local, Bit>,
    long_3: Signal<Local, Bit>,
    long_4: Signal<Local, Bit>,
    long_5: Signal<Local, Bit>,
    goes_long: Signal<Local, Bit>,
    ending: Signal<Local, ExecuteBeat>,
    ending_write: Signal<Local, WriteControl>,
    has_result: Signal<Local, Bit>,
    select: Signal<Local, ResultSelect>,
    late_result: Signal<Local, IntegerResult>,
    result: Signal<Local, Bits<32>>,
    code: Signal<Local, Bits<4>>,
    keep_4: Signal<Local, Bit>,
    keep_5: Signal<Local, Bit>,
    keep_6: Signal<Local, Bit>,
    keep_7: Signal<Local, Bit>,
    _activity: Activity,
}

impl<const LANES: usize> Logic for Execute<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x2, x3, x4, x5, x6, x7, w, w_select, x1_long, x2_integer, x3_integer);
        clock!(self, clock, floats, late);
        self.beat_2.next = self.x2.q.val();
        self.beat_3.next = self.x3.q.val();
        self.beat_4.next = self.x4.q.val();
        self.beat_5.next = self.x5.q.val();
        self.beat_6.next = self.x6.q.val();
        self.beat_7.next = self.x7.q.val();
        self.beat_w.next = self.w.q.val();
        self.select.next = self.w_select.q.val();
        self.write_1.next = self.x_write.val();
        self.write_2.next = self.beat_2.val().write;
        self.write_3.next = self.beat_3.val().write;
        self.write_4.next = self.beat_4.val().write;
        self.write_5.next = self.beat_5.val().write;
        self.write_6.next = self.beat_6.val().write;
        self.write_7.next = self.beat_7.val().write;
        self.write_w.next = self.beat_w.val().write;

        // The path: chosen by an instruction's first beat. After x5 there is nothing that it or a later beat could
        // collide with.
        self.long_2.next = self.write_2.val().valid && (self.beat_2.val().source != ResultSource::Early);
        self.long_3.next = self.write_3.val().valid && (self.beat_3.val().source != ResultSource::Early);
        self.long_4.next = self.write_4.val().valid;
        self.long_5.next = self.write_5.val().valid;
        self.goes_long.next = self.x1_long.q.val();
        if !self.write_1.val().beat.any() {
            self.goes_long.next = self.x_is_float.val()
                || self.long_2.val()
                || self.long_3.val()
                || self.long_4.val()
                || self.long_5.val();
        }
        if self.write_1.val().valid {
            self.x1_long.d.next = self.goes_long.val();
        }
        self.beat_1.next.write = self.write_1.val();
        self.beat_1.next.lanes = self.x_lanes.val();
        self.beat_1.next.source = ResultSource::Early;
        if self.x_is_float.val() {
            self.beat_1.next.source = ResultSource::Float;
        } else if self.goes_long.val() && self.write_1.val().valid {
            self.beat_1.next.source = ResultSource::Late;
        }
        self.x2.d.next = self.beat_1.val();
        self.x3.d.next = self.beat_2.val();
        self.x4.d.next = self.no_beat.val();
        self.x5.d.next = self.beat_4.val();
        self.x6.d.next = self.beat_5.val();
        self.x7.d.next = self.beat_6.val();
        self.ending.next = self.beat_7.val();
        if self.beat_3.val().source != ResultSource::Early {
            self.x4.d.next = self.beat_3.val();
        } else if self.write_3.val().valid {
            self.ending.next = self.beat_3.val();
        }
        self.w.d.next = self.ending.val();
        self.ending_write.next = self.ending.val().write;
        self.has_result.next = self.ending_write.val().valid && !self.ending_write.val().elsewhere;
        self.w_select.d.next.early = self.has_result.val() && (self.ending.val().source == ResultSource::Early);
        self.w_select.d.next.late = self.has_result.val() && (self.ending.val().source == ResultSource::Late);
        self.w_select.d.next.float = self.has_result.val() && (self.ending.val().source == ResultSource::Float);

        // The lanes.
        self.x2_integer.d.next = self.x_integer.val();
        self.x3_integer.d.next = self.x2_integer.q.val();
        self.keep_4.next = self.beat_4.val().source == ResultSource::Late;
        self.keep_5.next = self.beat_5.val().source == ResultSource::Late;
        self.keep_6.next = self.beat_6.val().source == ResultSource::Late;
        self.keep_7.next = self.beat_7.val().source == ResultSource::Late;
        self.floats.x_float.next = self.x_float.val();
        self.quads.x_quad.next = self.x_quad.val();
        self.late.x5_keep.next = self.keep_5.val();
        self.late.x6_keep.next = self.keep_6.val();
        self.late.x7_keep.next = self.keep_7.val();
        for i in 0..LANES {
            self.lane[i].clock.next = self.clock.val();
            self.lane[i].x1_control.next = self.x_integer.val();
            self.lane[i].x2_control.next = self.x2_integer.q.val();
            self.lane[i].x3_control.next = self.x3_integer.q.val();
            self.lane[i].x_a.next = self.x_a[i].val();
            self.lane[i].x_b.next = self.x_b[i].val();
            self.lane[i].x_c.next = self.x_c[i].val();
            self.lane[i].x_carry.next = self.x_carries.val().get_bit(i);
            self.lane[i].x1_is_float.next = self.x_is_float.val();
            self.lane[i].x1_float_a.next = self.floats.x1_factor_a[i].val();
            self.lane[i].x1_float_b.next = self.floats.x1_factor_b[i].val();
            self.lane[i].x4_keep.next = self.keep_4.val();
            self.quads.x_a[i].next = self.x_float_a[i].val();
            self.quads.x_b[i].next = self.x_float_b[i].val();
            self.quads.x_c[i].next = self.x_float_c[i].val();
            self.floats.x_a[i].next = self.quads.x_quad_a[i].val();
            self.floats.x_b[i].next = self.x_float_b[i].val();
            self.floats.x_c[i].next = self.quads.x_quad_c[i].val();
            self.floats.x3_product[i].next = self.lane[i].x3_product.val();
            self.late.x5_result[i].next = self.lane[i].x5_result.val();
            self.late_result.next = self.late.w_result[i].val();
            self.result.next = 0.into();
            self.code.next = 0.into();
            if self.select.val().early {
                self.result.next = self.lane[i].x_result.val();
                self.code.next = self.lane[i].x_condition.val();
            }
            if self.select.val().late {
                self.result.next = self.result.val() | self.late_result.val().value;
                self.code.next = self.code.val() | self.late_result.val().condition;
            }
            if self.select.val().float {
                self.result.next = self.result.val() | self.floats.w_result[i].val();
                self.code.next = self.code.val() | self.floats.w_condition[i].val();
            }
            self.w_result[i].next = self.result.val();
            self.w_condition[i].next = self.code.val();
        }

        self.w_pipeline.next = self.write_w.val();
        self.w_lanes.next = self.beat_w.val().lanes;
        self.x_idle.next = !self.write_2.val().valid
            && !self.write_3.val().valid
            && !self.write_4.val().valid
            && !self.write_5.val().valid
            && !self.write_6.val().valid
            && !self.write_7.val().valid
            && !self.write_w.val().valid;
    }
}
