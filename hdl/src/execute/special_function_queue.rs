//! The special function units in the SM: two [units](super::special_function) shared by all lanes, with the queues
//! before and after them.
//!
//! ```text
//! x_enqueue ─> operands ─> two threads a cycle ─> argument ─> two units ─> results ─> sf_ (to writeback, as gaps come)
//!              4 warp instructions, beat by beat   1 cycle     8 cycles    the same 4
//! ```
//! A warp instruction takes 16 cycles of the units at any number of lanes, as on the G80: each unit takes one thread of
//! a pair of neighbours, whether or not the threads execute. The next instruction follows without a gap. Results leave
//! beat by beat, in instruction order; an instruction's place is free again when its last beat has left.
//!
//! ```text
//! cycle    t            t+2 .. t+17        t+12         t+28
//! 8 lanes  first beat   pairs of threads   first beat   last beat at the earliest
//! ```

use super::special_function::{SpecialControl, SpecialFunctionUnit};
use crate::bundles::WriteControl;
use crate::memory::lane_ram::LaneRam;
use hdlkit::prelude::*;

/// Capacity in warp instructions.
pub const PLACES: usize = 4;

/// Data shared by both units.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SpecialPair {
    control: SpecialControl,
    first: Bits<32>,
    second: Bits<32>,
}

/// The special function units of an SM with their queue.
#[derive(LogicBlock, Cycle, Blank)]
pub struct SpecialFunctionQueue<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// A beat: its participating threads, and where the result goes. There must be a place for the instruction.
    pub x_enqueue: Signal<In, Bit>,
    pub x_special: Signal<In, SpecialControl>,
    pub x_write: Signal<In, WriteControl>,
    pub x_lanes: Signal<In, Bits<32>>,
    pub x_a: [Signal<In, Bits<32>>; LANES],
    /// An instruction's place is free again.
    pub sf_dequeued: Signal<Out, Bit>,
    // A beat of results, to writeback.
    pub sf_valid: Signal<Out, Bit>,
    pub sf_ready: Signal<In, Bit>,
    pub sf_control: Signal<Out, WriteControl>,
    pub sf_lanes: Signal<Out, Bits<32>>,
    pub sf_data: [Signal<Out, Bits<32>>; LANES],
    /// No instruction is in flight here.
    pub sf_idle: Signal<Out, Bit>,

    first_unit: SpecialFunctionUnit,
    second_unit: SpecialFunctionUnit,
    operands: LaneRam<4, 32, LANES>,
    results: [LutRam<4, Bits<32>>; LANES],
    masks: LutRam<4, Bits<32>>,
    writes: LutRam<2, WriteControl>,
    controls: LutRam<2, SpecialControl>,
    /// Instructions in flight here.
    instructions: DFF<Bits<3>>,
    /// Instructions whose first beat is here and that have not started.
    queued: DFF<Bits<3>>,
    // Places in which the next instruction is entered, runs, is done and leaves.
    in_place: DFF<Bits<2>>,
    run_place: DFF<Bits<2>>,
    done_place: DFF<Bits<2>>,
    out_place: DFF<Bits<2>>,
    running: DFF<Bit>,
    run_beat: DFF<Bits<2>>,
    run_pair: DFF<Bits<4>>,
    pair: DFF<SpecialPair>,
    /// Pairs in the argument's register (bit 0) and in the units' stages.
    under_way: DFF<Bits<9>>,
    done_beat: DFF<Bits<2>>,
    done_pair: DFF<Bits<4>>,
    /// Beats that may leave.
    finished: DFF<Bits<5>>,
    out_beat: DFF<Bits<2>>,

    last_beat: Constant<Bits<2>>,
    last_pair: Constant<Bits<4>>,
    lane_number: [Constant<Bits<5>>; LANES],
    write: Signal<Local, WriteControl>,
    in_first: Signal<Local, Bit>,
    in_address: Signal<Local, Bits<4>>,
    begins: Signal<Local, Bit>,
    run_address: Signal<Local, Bits<4>>,
    run_pair_last: Signal<Local, Bit>,
    run_last: Signal<Local, Bit>,
    first_lane: Signal<Local, Bits<5>>,
    second_lane: Signal<Local, Bits<5>>,
    first: Signal<Local, Bits<32>>,
    second: Signal<Local, Bits<32>>,
    farther: Signal<Local, Bits<9>>,
    arrives: Signal<Local, Bit>,
    done_address: Signal<Local, Bits<4>>,
    done_pair_last: Signal<Local, Bit>,
    done_lane: Signal<Local, Bits<5>>,
    done_other_lane: Signal<Local, Bits<5>>,
    beat_done: Signal<Local, Bit>,
    out_address: Signal<Local, Bits<4>>,
    leaves: Signal<Local, Bit>,
    out_last: Signal<Local, Bit>,
    dequeued: Signal<Local, Bit>,
    control: Signal<Local, WriteControl>,
    _activity: Activity,
}

impl<const LANES: usize> SpecialFunctionQueue<LANES> {
    /// Idle units.
    pub fn new() -> Self {
        SpecialFunctionQueue {
            last_beat: Constant::new(((32 / LANES - 1) as u64).into()),
            last_pair: Constant::new(((LANES / 2 - 1) as u64).into()),
            lane_number: std::array::from_fn(|lane| Constant::new((lane as u64).into())),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for SpecialFunctionQueue<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            instructions,
            queued,
            in_place,
            run_place,
            done_place,
            out_place,
            running,
            run_beat,
            run_pair,
            pair,
            under_way,
            done_beat,
            done_pair,
            finished,
            out_beat
        );
        clock!(self, clock, first_unit, second_unit, operands, masks, writes, controls);

        // Input.
        self.write.next = self.x_write.val();
        self.in_first.next = self.x_enqueue.val() && !self.write.val().beat.any();
        self.in_address.next = bit_cast::<4, 2>(self.in_place.q.val()) << 2;
        self.in_address.next = self.in_address.val() | bit_cast::<4, 2>(self.write.val().beat);
        self.operands.write_enable.next = self.x_enqueue.val();
        self.operands.write_address.next = self.in_address.val();
        self.masks.write_enable.next = self.x_enqueue.val();
        self.masks.write_address.next = self.in_address.val();
        self.masks.write_data.next = self.x_lanes.val();
        self.writes.write_enable.next = self.in_first.val();
        self.writes.write_address.next = self.in_place.q.val();
        self.writes.write_data.next = self.write.val();
        self.controls.write_enable.next = self.in_first.val();
        self.controls.write_address.next = self.in_place.q.val();
        self.controls.write_data.next = self.x_special.val();
        if self.x_enqueue.val() && self.write.val().last {
            self.in_place.d.next = self.in_place.q.val() + 1;
        }

        // Two threads a cycle.
        self.run_address.next = bit_cast::<4, 2>(self.run_place.q.val()) << 2;
        self.run_address.next = self.run_address.val() | bit_cast::<4, 2>(self.run_beat.q.val());
        self.operands.read_address.next = self.run_address.val();
        self.controls.read_address.next = self.run_place.q.val();
        self.first_lane.next = bit_cast::<5, 4>(self.run_pair.q.val()) << 1;
        self.second_lane.next = self.first_lane.val() | 1;
        self.first.next = 0.into();
        self.second.next = 0.into();
        for i in 0..LANES {
            self.operands.write_data[i].next = self.x_a[i].val();
            if self.first_lane.val() == self.lane_number[i].val() {
                self.first.next = self.operands.read_data[i].val();
            }
            if self.second_lane.val() == self.lane_number[i].val() {
                self.second.next = self.operands.read_data[i].val();
            }
        }
        self.run_pair_last.next = self.run_pair.q.val() == self.last_pair.val();
        self.run_last.next = self.run_pair_last.val() && (self.run_beat.q.val() == self.last_beat.val());
        if self.running.q.val() {
            self.pair.d.next.control = self.controls.read_data.val();
            self.pair.d.next.first = self.first.val();
            self.pair.d.next.second = self.second.val();
            self.run_pair.d.next = self.run_pair.q.val() + 1;
            if self.run_pair_last.val() {
                self.run_pair.d.next = 0.into();
                self.run_beat.d.next = self.run_beat.q.val() + 1;
            }
            if self.run_last.val() {
                self.run_beat.d.next = 0.into();
                self.run_place.d.next = self.run_place.q.val() + 1;
            }
        }
        self.begins.next = self.queued.q.val().any() && (!self.running.q.val() || self.run_last.val());
        if self.begins.val() {
            self.running.d.next = true;
        } else if self.run_last.val() {
            self.running.d.next = false;
        }
        if self.in_first.val() && !self.begins.val() {
            self.queued.d.next = self.queued.q.val() + 1;
        } else if self.begins.val() && !self.in_first.val() {
            self.queued.d.next = self.queued.q.val() - 1;
        }
        self.farther.next = self.under_way.q.val() << 1;
        self.under_way.d.next = self.farther.val();
        if self.running.q.val() {
            self.under_way.d.next = self.farther.val() | 1;
        }

        // The units.
        self.first_unit.x_control.next = self.pair.q.val().control;
        self.first_unit.x_a.next = self.pair.q.val().first;
        self.second_unit.x_control.next = self.pair.q.val().control;
        self.second_unit.x_a.next = self.pair.q.val().second;

        // Results.
        self.arrives.next = self.under_way.q.val().get_bit(8);
        self.done_address.next = bit_cast::<4, 2>(self.done_place.q.val()) << 2;
        self.done_address.next = self.done_address.val() | bit_cast::<4, 2>(self.done_beat.q.val());
        self.done_lane.next = bit_cast::<5, 4>(self.done_pair.q.val()) << 1;
        self.done_other_lane.next = self.done_lane.val() | 1;
        self.done_pair_last.next = self.done_pair.q.val() == self.last_pair.val();
        self.beat_done.next = self.arrives.val() && self.done_pair_last.val();
        if self.arrives.val() {
            self.done_pair.d.next = self.done_pair.q.val() + 1;
        }
        if self.beat_done.val() {
            self.done_pair.d.next = 0.into();
            self.done_beat.d.next = self.done_beat.q.val() + 1;
            if self.done_beat.q.val() == self.last_beat.val() {
                self.done_beat.d.next = 0.into();
                self.done_place.d.next = self.done_place.q.val() + 1;
            }
        }

        // Output.
        self.sf_valid.next = self.finished.q.val().any();
        self.leaves.next = self.finished.q.val().any() && self.sf_ready.val();
        self.out_address.next = bit_cast::<4, 2>(self.out_place.q.val()) << 2;
        self.out_address.next = self.out_address.val() | bit_cast::<4, 2>(self.out_beat.q.val());
        self.out_last.next = self.out_beat.q.val() == self.last_beat.val();
        self.dequeued.next = self.leaves.val() && self.out_last.val();
        if self.leaves.val() {
            self.out_beat.d.next = self.out_beat.q.val() + 1;
        }
        if self.dequeued.val() {
            self.out_beat.d.next = 0.into();
            self.out_place.d.next = self.out_place.q.val() + 1;
        }
        if self.beat_done.val() && !self.leaves.val() {
            self.finished.d.next = self.finished.q.val() + 1;
        } else if self.leaves.val() && !self.beat_done.val() {
            self.finished.d.next = self.finished.q.val() - 1;
        }
        self.masks.read_address.next = self.out_address.val();
        self.writes.read_address.next = self.out_place.q.val();
        self.control.next = self.writes.read_data.val();
        self.control.next.beat = self.out_beat.q.val();
        self.control.next.last = self.out_last.val();
        self.control.next.elsewhere = false;
        self.sf_control.next = self.control.val();
        self.sf_lanes.next = self.masks.read_data.val();
        for i in 0..LANES {
            self.results[i].clock.next = self.clock.val();
            self.results[i].write_address.next = self.done_address.val();
            self.results[i].write_enable.next = self.arrives.val()
                && ((self.done_lane.val() == self.lane_number[i].val())
                    || (self.done_other_lane.val() == self.lane_number[i].val()));
            self.results[i].write_data.next = self.first_unit.x_result.val();
            if self.lane_number[i].val().get_bit(0) {
                self.results[i].write_data.next = self.second_unit.x_result.val();
            }
            self.results[i].read_address.next = self.out_address.val();
            self.sf_data[i].next = self.results[i].read_data.val();
        }
        self.sf_dequeued.next = self.dequeued.val();
        if self.in_first.val() && !self.dequeued.val() {
            self.instructions.d.next = self.instructions.q.val() + 1;
        } else if self.dequeued.val() && !self.in_first.val() {
            self.instructions.d.next = self.instructions.q.val() - 1;
        }
        self.sf_idle.next = !self.instructions.q.val().any();
    }
}
