//! The special function units in the SM: two [units](super::special_function) shared by all lanes, with the queues
//! before and after them.
//!
//! ```text
//! x_beat ────> operands ─> two threads a cycle ─> argument ─> two units ─> results ─> specials (to writeback, in gaps)
//!              4 warp instructions, beat by beat   1 cycle     8 cycles    the same 4
//! ```
//! A warp instruction takes 16 cycles of the units at any number of lanes, as on the G80: each unit takes one thread of
//! a pair of neighbours, active or not. The next instruction follows without a gap. Results leave beat by beat, in
//! instruction order; the last beat frees the instruction's queue entry.
//!
//! ```text
//! cycle    t            t+2 .. t+17        t+15            t+27
//! 8 lanes  first beat   pairs of threads   first results   last results at the earliest
//! ```

use super::special_function::SpecialFunctionUnit;
use crate::bundles::{DispatchedBeat, SpecialControl, WriteControl};
use crate::count::up_down;
use crate::stage_ports::ResultPort;
use hdlkit::prelude::*;

/// Capacity of the queue in warp instructions.
pub const PLACES: usize = 4;

/// A beat in the queue: its number, and the queue entry of its instruction.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct QueuedBeat {
    pub(super) beat: Bits<2>,
    pub(super) place: Bits<2>,
}

/// The arguments of both units, with their common control.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SpecialPair {
    control: SpecialControl,
    first: Bits<32>,
    second: Bits<32>,
}

/// The special function units of an SM with their queue.
#[circuit]
pub struct SpecialFunctionQueue<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    /// A beat for these units, else 0. The queue must have a free entry for the instruction.
    pub x_beat: Signal<In, DispatchedBeat>,
    pub x_special: Signal<In, SpecialControl>,
    pub x_a: [Signal<In, Bits<32>>; LANES],
    /// Pulse: an entry of the queue is free again.
    pub sf_dequeued: Signal<Out, Bit>,
    pub specials: ResultPort<LANES>,
    /// No instruction is in the queue or the units.
    pub sf_idle: Signal<Out, Bit>,

    first_unit: SpecialFunctionUnit,
    second_unit: SpecialFunctionUnit,
    operands: [LutRam<4, Bits<32>>; LANES],
    results: [LutRam<4, Bits<32>>; LANES],
    masks: LutRam<4, Bits<32>>,
    writes: LutRam<2, WriteControl>,
    controls: LutRam<2, SpecialControl>,
    /// Number of instructions in the queue and the units.
    instructions: DFF<Bits<3>>,
    /// Number of instructions with their first beat in the queue that have not started.
    queued: DFF<Bits<3>>,
    /// The entry for the next instruction.
    in_place: DFF<Bits<2>>,
    /// In this cycle a pair of threads, the one at `run` and `run_pair`, is read for the units.
    running: DFF<Bit>,
    run: DFF<QueuedBeat>,
    run_pair: DFF<Bits<4>>,

    /// The argument register.
    pair: DFF<SpecialPair>,
    /// A bit for each pair in the argument register (bit 0) and in the units' stages.
    under_way: DFF<Bits<9>>,
    /// The next pair from the units.
    done: DFF<QueuedBeat>,
    done_pair: DFF<Bits<4>>,
    /// Number of finished beats that have not left.
    finished: DFF<Bits<5>>,
    /// The next beat to leave.
    out: DFF<QueuedBeat>,
}

impl<const LANES: usize> SpecialFunctionQueue<LANES> {
    const LAST_BEAT: u64 = (32 / LANES - 1) as u64;
    const PAIRS: usize = LANES / 2;
    const LAST_PAIR: u64 = (LANES / 2 - 1) as u64;
}

impl<const LANES: usize> Logic for SpecialFunctionQueue<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let beat = self.x_beat.val();
        let enters = beat.for_special && !beat.write.beat.any();
        self.enter(beat, enters);
        let begins = self.run();
        self.queued.d.next = up_down::<3>(self.queued.q.val(), enters, begins);

        // The units.
        let pair = self.pair.q.val();
        self.first_unit.x_control.next = pair.control;
        self.first_unit.x_a.next = pair.first;
        self.second_unit.x_control.next = pair.control;
        self.second_unit.x_a.next = pair.second;

        let beat_done = self.collect();
        let leaves = self.finished.q.val().any() && self.specials.ready.val();
        self.finished.d.next = up_down::<5>(self.finished.q.val(), beat_done, leaves);
        let dequeued = self.leave(leaves);
        self.instructions.d.next = up_down::<3>(self.instructions.q.val(), enters, dequeued);
        self.sf_idle.next = !self.instructions.q.val().any();
    }
}

/// The beat after `at`.
#[hdl_fn]
pub(super) fn next_beat<const LANES: usize>(at: QueuedBeat) -> QueuedBeat {
    if at.beat == (32 / LANES - 1) as u64 {
        QueuedBeat { beat: bits(0), place: at.place + 1 }
    } else {
        QueuedBeat { beat: at.beat + 1, ..at }
    }
}

impl<const LANES: usize> SpecialFunctionQueue<LANES> {
    /// Stores a beat's operands and, with the first beat, the instruction's control.
    #[hdl_part]
    fn enter(&mut self, beat: DispatchedBeat, first: Bit) {
        let write = beat.write;
        let place = self.in_place.q.val();
        let address = place.concat(write.beat);
        for i in 0..LANES {
            self.operands[i].write(beat.for_special, address, self.x_a[i].val());
        }
        self.masks.write_enable.next = beat.for_special;
        self.masks.write_address.next = address;
        self.masks.write_data.next = beat.lanes;
        self.writes.write_enable.next = first;
        self.writes.write_address.next = place;
        self.writes.write_data.next = write;
        self.controls.write_enable.next = first;
        self.controls.write_address.next = place;
        self.controls.write_data.next = self.x_special.val();
        if beat.for_special && write.last {
            self.in_place.d.next = place + 1;
        }
    }

    /// Sends two threads a cycle to the units. Returns true if the next instruction starts in the next cycle.
    #[hdl_part]
    fn run(&mut self) -> Bit {
        let running = self.running.q.val();
        let at = self.run.q.val();
        let pair = self.run_pair.q.val();
        self.controls.read_address.next = at.place;
        let mut first = Bits::<32>::ZERO;
        let mut second = Bits::<32>::ZERO;
        for i in 0..Self::PAIRS {
            let chosen = pair == i as u64;
            first = first | mask(chosen, self.operands[2 * i].read(at.place.concat(at.beat)));
            second = second | mask(chosen, self.operands[2 * i + 1].read(at.place.concat(at.beat)));
        }
        let pair_last = pair == Self::LAST_PAIR;
        let last = pair_last && at.beat == Self::LAST_BEAT;
        if running {
            self.pair.d.next = SpecialPair { control: self.controls.read_data.val(), first, second };
            self.run_pair.d.next = if pair_last { bits(0) } else { pair + 1 };
            if pair_last {
                self.run.d.next = next_beat::<LANES>(at);
            }
        }
        let begins = self.queued.q.val().any() && (!running || last);
        self.running.d.next = begins || (running && !last);
        self.under_way.d.next = (self.under_way.q.val() << 1) | mask(running, bits::<9>(1));
        begins
    }

    /// Stores the units' results. Returns true with the last pair of a beat.
    #[hdl_part]
    fn collect(&mut self) -> Bit {
        let arrives = self.under_way.q.val().get_bit(8);
        let at = self.done.q.val();
        let pair = self.done_pair.q.val();
        for i in 0..Self::PAIRS {
            let enable = arrives && pair == i as u64;
            self.results[2 * i].write_enable.next = enable;
            self.results[2 * i].write_data.next = self.first_unit.x_result.val();
            self.results[2 * i + 1].write_enable.next = enable;
            self.results[2 * i + 1].write_data.next = self.second_unit.x_result.val();
        }
        for i in 0..LANES {
            self.results[i].write_address.next = at.place.concat(at.beat);
        }
        let beat_done = arrives && pair == Self::LAST_PAIR;
        if beat_done {
            self.done_pair.d.next = 0.into();
            self.done.d.next = next_beat::<LANES>(at);
        } else if arrives {
            self.done_pair.d.next = pair + 1;
        }
        beat_done
    }

    /// Sends a beat of results to writeback. Returns true with the last beat of an instruction.
    #[hdl_part]
    fn leave(&mut self, leaves: Bit) -> Bit {
        let at = self.out.q.val();
        let last = at.beat == Self::LAST_BEAT;
        let dequeued = leaves && last;
        if leaves {
            self.out.d.next = next_beat::<LANES>(at);
        }
        self.masks.read_address.next = at.place.concat(at.beat);
        self.writes.read_address.next = at.place;
        self.specials.valid.next = self.finished.q.val().any();
        self.specials.control.next =
            WriteControl { beat: at.beat, last, elsewhere: false, ..self.writes.read_data.val() };
        self.specials.lanes.next = self.masks.read_data.val();
        for i in 0..LANES {
            self.results[i].read_address.next = at.place.concat(at.beat);
            self.specials.data[i].next = self.results[i].read_data.val();
        }
        self.sf_dequeued.next = dequeued;
        dequeued
    }
}
