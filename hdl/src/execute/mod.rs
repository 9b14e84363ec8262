//! The execute stage: in each lane a pipelined integer unit and a pipelined float unit, and the control that travels
//! with the data. Stage N of a unit works in cycle xN, on the registers named `xN`.
//!
//! ```text
//! cycle    x1          x2          x3          x4 or w     x5          x6          x7          w (writeback)
//! integer  operands    multiply,   add,        result
//!                      shift       saturate      └─ kept ─ kept ────── kept ────── kept ────── result
//! float    unpack      multiply    align       add         normalise   round       pack        result
//! control  x.beat ───> x2 ──────── x3 ──┬───── x4 ──────── x5 ──────── x6 ──────── x7 ──┬───── pipeline
//!                                       └────────────────── early ──────────────────────┘
//! ```
//! The stage accepts one beat a cycle and never stalls. An integer instruction's beats leave after x3, four cycles
//! earlier than a float instruction's, unless a beat on the long path is in x2 to x5, which they would meet at w or
//! overtake. Then the instruction takes the long path, too, and so do the instructions that follow without a gap. So
//! results leave in order, and no instruction waits.
//!
//! Loads leave for the memory unit at x1, special functions for their [queue](special_function_queue), double
//! instructions for [theirs](double_queue); they pass through this stage as empty beats.

pub mod double;
pub mod double_queue;
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
use crate::optional::optional;
use crate::stage_ports::LaneBeatPort;
use double_queue::DoubleQueue;
use flexgrip_machine::Capability;
use float_pipeline::FloatPipeline;
use hdlkit::prelude::*;
use integer::IntegerLane;
use late_results::LateResults;
use quad_exchange::QuadExchange;

/// The source of the result that leaves the lanes.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum ResultSource {
    /// The integer unit, on the short path.
    Early,
    /// The integer unit, on the long path: four cycles later.
    Late,
    /// The float unit.
    Float,
}

/// A beat's control between two stages of the pipeline.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ExecuteBeat {
    pub write: WriteControl,
    pub lanes: Bits<32>,
    pub source: ResultSource,
}

/// Selects the result at the end of the pipeline; all clear without a beat, or if another unit provides the result.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ResultSelect {
    pub early: Bit,
    pub late: Bit,
    pub float: Bit,
}

/// The beat at the end of the pipeline, to writeback.
#[interface(mirror = PipelineSinkPort)]
pub struct PipelinePort<const LANES: usize> {
    pub write: Signal<Out, WriteControl>,
    pub lanes: Signal<Out, Bits<32>>,
    /// Result and condition code are 0 unless a beat with a result ends here.
    pub result: [Signal<Out, Bits<32>>; LANES],
    pub condition: [Signal<Out, Bits<4>>; LANES],
}

/// The execute stage of an SM.
#[circuit]
pub struct Execute<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub x: LaneBeatPort<LANES>,
    pub pipeline: PipelinePort<LANES>,
    /// True if no beat is in x2 to x7 or w, nor in the double-precision unit.
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
    /// The instruction with beats in x1 takes the long path.
    x1_long: DFF<Bit>,
    x2_integer: DFF<IntegerControl>,
    x3_integer: DFF<IntegerControl>,

    /// Double instructions exist: capability 1.3. If not, the parts below do not exist.
    doubles: Constant<Bit>,
    /// The control of the double beat in `x`.
    pub x_double: Vec<Signal<In, DoubleBeat>>,
    pub double_events: Vec<Signal<Out, DoubleEvents>>,
    double_queue: Vec<DoubleQueue<LANES>>,
}

impl<const LANES: usize> Execute<LANES> {
    /// Returns the stage for the instructions of this capability.
    pub fn new(capability: Capability) -> Self {
        let locks = capability.has_locks();
        let doubles = capability.has_doubles();
        Execute {
            lane: std::array::from_fn(|_| IntegerLane::new(locks)),
            doubles: Constant::new(doubles),
            x_double: optional(doubles),
            double_events: optional(doubles),
            double_queue: optional(doubles),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for Execute<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        self.advance_beats();
        self.drive_lanes();
        self.choose_results();
        self.x_idle.next = !self.x2.q.val().write.valid
            && !self.x3.q.val().write.valid
            && !self.x4.q.val().write.valid
            && !self.x5.q.val().write.valid
            && !self.x6.q.val().write.valid
            && !self.x7.q.val().write.valid
            && !self.w.q.val().write.valid;
        if self.doubles.val() {
            self.fill_gaps();
        }
    }
}

/// True if a beat of x2 or x3 takes the long path.
#[hdl_fn]
fn is_long(beat: ExecuteBeat) -> Bit {
    beat.write.valid && beat.source != ResultSource::Early
}

impl<const LANES: usize> Execute<LANES> {
    /// Fills gaps at the end of the pipeline with results of the double-precision unit.
    #[hdl_part]
    fn fill_gaps(&mut self) {
        let ending = self.w.q.val().write;
        let gap = !ending.valid || ending.elsewhere;
        let waiting = self.double_queue[0].results.valid.val();
        let fills = waiting && gap;
        self.double_queue[0].x_double.next = self.x_double[0].val();
        self.double_queue[0].x_beat.next = self.x.beat.val();
        self.double_queue[0].results.ready.next = gap;
        if fills {
            self.pipeline.write.next = self.double_queue[0].results.control.val();
            self.pipeline.lanes.next = self.double_queue[0].results.lanes.val();
        }
        for i in 0..LANES {
            self.double_queue[0].x_operands[i].next = self.x.float_operands[i].val();
            if fills {
                self.pipeline.result[i].next = self.double_queue[0].results.data[i].val();
                self.pipeline.condition[i].next = self.double_queue[0].condition[i].val();
            }
        }
        let idle = self.double_queue[0].dq_idle.val();
        if !idle {
            self.x_idle.next = false;
        }
        self.double_events[0].next =
            DoubleEvents { idle, fills, waits: waiting && !gap, dequeued: self.double_queue[0].dq_dequeued.val() };
    }

    /// Advances the beats' control. An instruction's first beat chooses the path of all its beats: a beat past x5 is
    /// written before the first beat could be.
    #[hdl_part]
    fn advance_beats(&mut self) {
        let beat = self.x.beat.val();
        let write = beat.write;
        let x3 = self.x3.q.val();
        let goes_long = if write.beat.any() {
            self.x1_long.q.val()
        } else {
            beat.for_float
                || is_long(self.x2.q.val())
                || is_long(x3)
                || self.x4.q.val().write.valid
                || self.x5.q.val().write.valid
        };
        if write.valid {
            self.x1_long.d.next = goes_long;
        }
        self.x2.d.next = ExecuteBeat {
            write,
            lanes: beat.lanes,
            source: if beat.for_float {
                ResultSource::Float
            } else if goes_long && write.valid {
                ResultSource::Late
            } else {
                ResultSource::Early
            },
        };
        self.x3.d.next = self.x2.q.val();
        let no_beat = ExecuteBeat { ..Default::default() };
        self.x4.d.next = if x3.source == ResultSource::Early { no_beat } else { x3 };
        self.x5.d.next = self.x4.q.val();
        self.x6.d.next = self.x5.q.val();
        self.x7.d.next = self.x6.q.val();
        let ending = if x3.source == ResultSource::Early && x3.write.valid { x3 } else { self.x7.q.val() };
        self.w.d.next = ending;
        let has_result = ending.write.valid && !ending.write.elsewhere;
        self.w_select.d.next = ResultSelect {
            early: has_result && ending.source == ResultSource::Early,
            late: has_result && ending.source == ResultSource::Late,
            float: has_result && ending.source == ResultSource::Float,
        };
        self.pipeline.write.next = self.w.q.val().write;
        self.pipeline.lanes.next = self.w.q.val().lanes;
    }

    /// Connects the units' operands and control, and the factors and products between them.
    #[hdl_part]
    fn drive_lanes(&mut self) {
        self.x2_integer.d.next = self.x.integer.val();
        self.x3_integer.d.next = self.x2_integer.q.val();
        self.quads.x_quad.next = self.x.quad.val();
        self.floats.x_float.next = self.x.float.val();
        for i in 0..LANES {
            self.lane[i].x1_control.next = self.x.integer.val();
            self.lane[i].x2_control.next = self.x2_integer.q.val();
            self.lane[i].x3_control.next = self.x3_integer.q.val();
            self.lane[i].x_operands.next = self.x.operands[i].val();
            self.lane[i].x_carry.next = self.x.beat.val().carries.get_bit(i);
            self.lane[i].x1_is_float.next = self.x.beat.val().for_float;
            self.lane[i].x1_float_a.next = self.floats.x1_factor_a[i].val();
            self.lane[i].x1_float_b.next = self.floats.x1_factor_b[i].val();
            self.quads.x_operands[i].next = self.x.float_operands[i].val();
            self.floats.x_operands[i].next = self.quads.x_exchanged[i].val();
            self.floats.x3_product[i].next = self.lane[i].x3_product.val();
        }
    }

    /// Selects the results of the beat at the end, and delays results on the long path.
    #[hdl_part]
    fn choose_results(&mut self) {
        let keeps_4 = self.x4.q.val().source == ResultSource::Late;
        self.late.x5_keep.next = self.x5.q.val().source == ResultSource::Late;
        self.late.x6_keep.next = self.x6.q.val().source == ResultSource::Late;
        self.late.x7_keep.next = self.x7.q.val().source == ResultSource::Late;
        let select = self.w_select.q.val();
        for i in 0..LANES {
            self.lane[i].x4_keep.next = keeps_4;
            self.late.x5_result[i].next = self.lane[i].x5_result.val();
            let late = self.late.w_result[i].val();
            self.pipeline.result[i].next = mask(select.early, self.lane[i].x_result.val())
                | mask(select.late, late.value)
                | mask(select.float, self.floats.w_result[i].val());
            self.pipeline.condition[i].next = mask(select.early, self.lane[i].x_condition.val())
                | mask(select.late, late.condition)
                | mask(select.float, self.floats.w_condition[i].val());
        }
    }
}
