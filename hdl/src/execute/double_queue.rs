//! The double-precision unit in the SM: one [unit](super::double) shared by all lanes, with the queues before and after
//! it.
//!
//! ```text
//! x_double ──> low words, ─> one thread a cycle ─> operands ─> unit ──────> results ─> results (to the end of the
//!              high words    of 4 instructions     1 cycle     10 cycles    of the 4   pipeline, in gaps)
//! ```
//! A warp instruction takes 32 cycles of the unit at any number of lanes, as on the GT200: one for each thread, active
//! or not. The next instruction follows without a gap. Results leave beat by beat, in instruction order: the low words
//! with the condition codes, then, if the result has 64 bits, the high words. The last beat frees the instruction's
//! queue entry. The scheduler gives out four entries in all, for these instructions and special functions together.
//!
//! ```text
//! cycle    t                  t+2 .. t+33   t+21              t+46
//! 8 lanes  first beat: high   threads       first beat: low   last beat: high, at the earliest
//! ```

use super::double::DoubleUnit;
use super::special_function_queue::{next_beat, QueuedBeat};
use crate::bundles::{DispatchedBeat, DoubleBeat, DoubleControl, DoubleOperands, Operands, WriteControl};
use crate::count::up_down;
use crate::stage_ports::ResultPort;
use hdlkit::prelude::*;

/// The destinations of an instruction in the queue.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DoubleWrite {
    write: WriteControl,
    /// The result has 64 bits: its high word belongs to the register after `write`'s.
    wide: Bit,
    /// This second register exists; this is its first write.
    second: Bit,
    second_fill: Bit,
}

/// A thread's result.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DoubleResult {
    value: Bits<64>,
    condition: Bits<4>,
}

/// The double-precision unit of an SM with its queue.
#[circuit]
pub struct DoubleQueue<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// A beat for the unit, with its destination and its operands. The queue must have a free entry for its
    /// instruction.
    pub x_double: Signal<In, DoubleBeat>,
    pub x_beat: Signal<In, DispatchedBeat>,
    pub x_operands: [Signal<In, Operands>; LANES],
    /// Pulse: an entry of the queue is free again.
    pub dq_dequeued: Signal<Out, Bit>,
    /// No instruction is in the queue or the unit.
    pub dq_idle: Signal<Out, Bit>,
    pub results: ResultPort<LANES>,
    /// The condition codes of the beat in `results`.
    pub condition: [Signal<Out, Bits<4>>; LANES],

    unit: DoubleUnit,
    low: [LutRam<4, Operands>; LANES],
    high: [LutRam<4, Operands>; LANES],
    unit_results: [LutRam<4, DoubleResult>; LANES],
    masks: LutRam<4, Bits<32>>,
    writes: LutRam<2, DoubleWrite>,
    controls: LutRam<2, DoubleControl>,
    /// Number of instructions in the queue and the unit.
    instructions: DFF<Bits<3>>,
    /// Number of instructions with their first beat in the queue that have not started.
    queued: DFF<Bits<3>>,
    /// The entry for the next instruction.
    in_place: DFF<Bits<2>>,
    /// In this cycle a thread, the one at `run` and `run_lane`, is read for the unit.
    running: DFF<Bit>,
    run: DFF<QueuedBeat>,
    run_lane: DFF<Bits<5>>,

    /// The operand register.
    control: DFF<DoubleControl>,
    operands: DFF<DoubleOperands>,
    /// A bit for each thread in the operand register (bit 0) and in the unit's stages.
    under_way: DFF<Bits<11>>,
    /// The next thread from the unit.
    done: DFF<QueuedBeat>,
    done_lane: DFF<Bits<5>>,
    /// Number of finished beats that have not left.
    finished: DFF<Bits<5>>,
    /// The next beat to leave; its low words have left.
    out: DFF<QueuedBeat>,
    out_high: DFF<Bit>,
}

impl<const LANES: usize> DoubleQueue<LANES> {
    const LAST_BEAT: u64 = (32 / LANES - 1) as u64;
    const LAST_LANE: u64 = (LANES - 1) as u64;
}

impl<const LANES: usize> Logic for DoubleQueue<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        // A beat is complete with its last words.
        let double = self.x_double.val();
        let write = self.x_beat.val().write;
        let enters = double.valid && write.valid && !write.beat.any();
        self.enter(double, write, enters);
        let begins = self.run();
        self.queued.d.next = up_down::<3>(self.queued.q.val(), enters, begins);

        self.unit.x_control.next = self.control.q.val();
        self.unit.x_operands.next = self.operands.q.val();

        let beat_done = self.collect();
        let beat_leaves = self.leave();
        let dequeued = beat_leaves && self.out.q.val().beat == Self::LAST_BEAT;
        self.finished.d.next = up_down::<5>(self.finished.q.val(), beat_done, beat_leaves);
        self.instructions.d.next = up_down::<3>(self.instructions.q.val(), enters, dequeued);
        self.dq_dequeued.next = dequeued;
        self.dq_idle.next = !self.instructions.q.val().any();
    }
}

impl<const LANES: usize> DoubleQueue<LANES> {
    /// Stores a beat's operands and, with the first beat, the instruction's control.
    #[hdl_part]
    fn enter(&mut self, double: DoubleBeat, write: WriteControl, first: Bit) {
        let place = self.in_place.q.val();
        let address = place.concat(write.beat);
        for i in 0..LANES {
            self.low[i].write(double.valid && !double.high, address, self.x_operands[i].val());
            self.high[i].write(double.valid && double.high, address, self.x_operands[i].val());
        }
        self.masks.write_enable.next = double.valid;
        self.masks.write_address.next = address;
        self.masks.write_data.next = self.x_beat.val().lanes;
        let destinations =
            DoubleWrite { write, wide: double.wide, second: double.second, second_fill: double.second_fill };
        self.writes.write(first, place, destinations);
        self.controls.write(first, place, double.control);
        if double.valid && write.last {
            self.in_place.d.next = place + 1;
        }
    }

    /// Sends one thread a cycle to the unit. Returns true if the next instruction starts in the next cycle.
    #[hdl_part]
    fn run(&mut self) -> Bit {
        let running = self.running.q.val();
        let at = self.run.q.val();
        let lane = self.run_lane.q.val();
        let control = self.controls.read(at.place);
        let mut low = Operands::default();
        let mut high = Operands::default();
        for i in 0..LANES {
            let chosen = lane == i as u64;
            let low_words = self.low[i].read(at.place.concat(at.beat));
            low.a = low.a | mask(chosen, low_words.a);
            low.b = low.b | mask(chosen, low_words.b);
            low.c = low.c | mask(chosen, low_words.c);
            let high_words = self.high[i].read(at.place.concat(at.beat));
            high.a = high.a | mask(chosen, high_words.a);
            high.b = high.b | mask(chosen, high_words.b);
            high.c = high.c | mask(chosen, high_words.c);
        }
        let lane_last = lane == Self::LAST_LANE;
        let last = lane_last && at.beat == Self::LAST_BEAT;
        if running {
            self.control.d.next = control;
            self.operands.d.next =
                DoubleOperands { a: high.a.concat(low.a), b: high.b.concat(low.b), c: high.c.concat(low.c) };
            self.run_lane.d.next = if lane_last { bits(0) } else { lane + 1 };
            if lane_last {
                self.run.d.next = next_beat::<LANES>(at);
            }
        }
        let begins = self.queued.q.val().any() && (!running || last);
        self.running.d.next = begins || (running && !last);
        self.under_way.d.next = (self.under_way.q.val() << 1) | mask(running, bits::<11>(1));
        begins
    }

    /// Stores the unit's result. Returns true with the last thread of a beat.
    #[hdl_part]
    fn collect(&mut self) -> Bit {
        let arrives = self.under_way.q.val().get_bit(10);
        let at = self.done.q.val();
        let lane = self.done_lane.q.val();
        let result = DoubleResult { value: self.unit.x_result.val(), condition: self.unit.x_condition.val() };
        for i in 0..LANES {
            self.unit_results[i].write(arrives && lane == i as u64, at.place.concat(at.beat), result);
        }
        let beat_done = arrives && lane == Self::LAST_LANE;
        if beat_done {
            self.done_lane.d.next = 0.into();
            self.done.d.next = next_beat::<LANES>(at);
        } else if arrives {
            self.done_lane.d.next = lane + 1;
        }
        beat_done
    }

    /// Offers a beat of low or high words. Returns true with the last words of a beat.
    #[hdl_part]
    fn leave(&mut self) -> Bit {
        let at = self.out.q.val();
        let is_high = self.out_high.q.val();
        let valid = self.finished.q.val().any();
        let destinations = self.writes.read(at.place);
        let first =
            WriteControl { beat: at.beat, last: at.beat == Self::LAST_BEAT, elsewhere: false, ..destinations.write };
        let second = WriteControl {
            row: first.row + 1,
            register: first.register + 1,
            halves: destinations.second.fill::<2>(),
            fill: destinations.second_fill,
            condition_enable: false,
            ..first
        };
        self.results.valid.next = valid;
        self.results.control.next = if is_high { second } else { first };
        self.results.lanes.next = self.masks.read(at.place.concat(at.beat));
        for i in 0..LANES {
            let result = self.unit_results[i].read(at.place.concat(at.beat));
            self.results.data[i].next = if is_high { result.value.bits::<32>(32) } else { result.value.low::<32>() };
            self.condition[i].next = result.condition;
        }
        let taken = valid && self.results.ready.val();
        let complete = taken && (is_high || !destinations.wide);
        if taken {
            self.out_high.d.next = !complete;
        }
        if complete {
            self.out.d.next = next_beat::<LANES>(at);
        }
        complete
    }
}
