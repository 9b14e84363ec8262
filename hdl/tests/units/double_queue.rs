//! Compares the execute stage of capability 1.3 with `flexgrip_arith`: double instructions between integer instructions, whose
//! beats their results must not displace.

use flexgrip_exhaustive::cases::double::{random_case, reference, DoubleCase, OPERATIONS};
use flexgrip_hdl::big_stack::on_big_stack;
use flexgrip_hdl::bundles::{
    DispatchedBeat, DoubleBeat, DoubleOperation as Operation, IntegerControl, IntegerOperation, WriteControl,
};
use flexgrip_hdl::execute::special_function_queue::PLACES;
use flexgrip_hdl::execute::Execute;
use flexgrip_isa::Capability;
use hdlkit::lint::{lint_with, Finding, LintOptions};
use hdlkit::prelude::*;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// A beat that must leave: its control, lanes, and each lane's value and condition code.
#[derive(Debug, PartialEq)]
struct Due {
    write: WriteControl,
    lanes: u64,
    values: Vec<u64>,
    codes: Vec<u64>,
}

/// What has left in a cycle, and the state of the unit.
#[derive(Default)]
struct Counts {
    fills: u64,
    waits: u64,
}

struct Bench<const LANES: usize> {
    engine: CycleEngine<Execute<LANES>>,
    rng: ChaCha8Rng,
    tag: u64,
    integers: VecDeque<Due>,
    doubles: VecDeque<Due>,
    /// Free entries for double instructions.
    places: usize,
    counts: Counts,
}

impl<const LANES: usize> Bench<LANES> {
    const BEATS: u64 = 32 / LANES as u64;

    fn new(seed: u64) -> Self {
        Bench {
            engine: CycleEngine::new(Box::new(Execute::new(Capability::V1_3))),
            rng: ChaCha8Rng::seed_from_u64(seed),
            tag: 0,
            integers: VecDeque::new(),
            doubles: VecDeque::new(),
            places: PLACES,
            counts: Counts::default(),
        }
    }

    /// Runs a cycle; what leaves must be the next integer beat or the next double beat. Returns true if a double beat waits.
    fn step(&mut self) -> bool {
        self.engine.settle();
        let block = &self.engine.block;
        let events = block.double_events[0].val();
        let write = block.pipeline.write.val();
        if write.valid && !write.elsewhere {
            let raw = |signal: &dyn Fn(usize) -> u64| (0..LANES).map(signal).collect();
            let got = Due {
                write,
                lanes: block.pipeline.lanes.val().raw(),
                values: raw(&|lane| block.pipeline.result[lane].val().raw()),
                codes: raw(&|lane| block.pipeline.condition[lane].val().raw()),
            };
            let queue = if events.fills { &mut self.doubles } else { &mut self.integers };
            assert_eq!(Some(got), queue.pop_front(), "cycle {}", self.engine.cycle());
        } else {
            assert!(!events.fills && !events.waits, "a double beat leaves an empty cycle: {write:?}");
        }
        assert!(!(events.fills && events.waits));
        // A beat counts from the next cycle on.
        let enters = block.x_double[0].val().valid;
        let idle = events.idle || block.x_idle.val();
        assert!(!idle || enters || self.places == PLACES, "idle with {} free entries", self.places);
        self.counts.fills += u64::from(events.fills);
        self.counts.waits += u64::from(events.waits);
        self.places += usize::from(events.dequeued);
        self.engine.tick();
        self.engine.block.x.beat.next = DispatchedBeat::default();
        self.engine.block.x_double[0].next = DoubleBeat::default();
        events.waits
    }

    /// A destination, for an instruction of its own.
    fn destination(&mut self) -> WriteControl {
        self.tag = (self.tag + 1) & 0xffff;
        WriteControl {
            valid: true,
            tag: Bits::new(self.tag),
            warp: Bits::new(self.rng.gen_range(0..32)),
            row: Bits::new(self.rng.gen_range(0..500)),
            register: Bits::new(self.rng.gen_range(0..100)),
            halves: Bits::new(3),
            register_enable: true,
            fill: self.rng.gen(),
            condition_register: Bits::new(self.rng.gen_range(0..4)),
            condition_enable: self.rng.gen(),
            ..WriteControl::default()
        }
    }

    /// Moves, beat by beat. Returns true if a double beat waited.
    fn integer(&mut self) -> bool {
        let first = self.destination();
        let mut waits = false;
        for beat in 0..Self::BEATS {
            let write = WriteControl { beat: Bits::new(beat), last: beat + 1 == Self::BEATS, ..first };
            let lanes = u64::from(self.rng.gen::<u32>() >> (32 - LANES));
            let values: Vec<u64> = (0..LANES).map(|_| self.rng.gen_range(1..1 << 31)).collect();
            let block = &mut self.engine.block;
            block.x.beat.next = DispatchedBeat { write, lanes: Bits::new(lanes), ..DispatchedBeat::default() };
            block.x.integer.next = IntegerControl { operation: IntegerOperation::Move, ..IntegerControl::default() };
            for (lane, value) in values.iter().enumerate() {
                block.x.operands[lane].next.a = Bits::new(*value);
            }
            // The code of a positive number is 0.
            self.integers.push_back(Due { write, lanes, values, codes: vec![0; LANES] });
            waits |= self.step();
        }
        waits
    }

    /// A double instruction, of which each beat takes two cycles if its sources have 64 bits. Returns true if a beat waited.
    fn double(&mut self) -> bool {
        self.places -= 1;
        let operation = *OPERATIONS.choose(&mut self.rng).expect("operations");
        let control = random_case(&mut self.rng, operation).control;
        // Only conversions have operands or results of 32 bits, apart from DSET's result.
        let converts = matches!(operation, Operation::ToFloat | Operation::ToInteger | Operation::FromInteger);
        let wide = !(converts && control.result_short) && operation != Operation::Set;
        let (second, second_fill) = (self.rng.gen(), self.rng.gen());
        let first = self.destination();
        let passes = if converts && control.source_short { 1 } else { 2 };
        let mut waits = false;
        for beat in 0..Self::BEATS {
            let write = WriteControl { beat: Bits::new(beat), last: beat + 1 == Self::BEATS, ..first };
            let lanes = u64::from(self.rng.gen::<u32>() >> (32 - LANES));
            let cases: Vec<DoubleCase> =
                (0..LANES).map(|_| DoubleCase { control, ..random_case(&mut self.rng, operation) }).collect();
            for pass in 0..passes {
                let block = &mut self.engine.block;
                let write = WriteControl {
                    valid: pass + 1 == passes,
                    last: write.last && pass + 1 == passes,
                    elsewhere: true,
                    ..write
                };
                block.x.beat.next = DispatchedBeat { write, lanes: Bits::new(lanes), ..DispatchedBeat::default() };
                block.x_double[0].next =
                    DoubleBeat { valid: true, high: pass == 1, control, wide, second, second_fill };
                for (lane, case) in cases.iter().enumerate() {
                    let word = |value: u64| Bits::new(value >> (32 * pass) & 0xffff_ffff);
                    block.x.float_operands[lane].next.a = word(case.a);
                    block.x.float_operands[lane].next.b = word(case.b);
                    block.x.float_operands[lane].next.c = word(case.c);
                }
                waits |= self.step();
            }
            self.expect_double(write, wide.then_some((second, second_fill)), lanes, &cases);
        }
        waits
    }

    /// The results of a beat: the low words, then the high words for a second register (it exists; this is its first write).
    fn expect_double(&mut self, write: WriteControl, second: Option<(bool, bool)>, lanes: u64, cases: &[DoubleCase]) {
        let results: Vec<_> = cases.iter().map(|case| reference(&case.control, case.a, case.b, case.c)).collect();
        let codes: Vec<u64> = results.iter().map(|result| u64::from(result.cc.bits())).collect();
        let low = results.iter().map(|result| result.value & 0xffff_ffff).collect();
        self.doubles.push_back(Due { write, lanes, values: low, codes: codes.clone() });
        if let Some((exists, fill)) = second {
            let high = results.iter().map(|result| result.value >> 32).collect();
            let write = WriteControl {
                row: write.row + 1,
                register: write.register + 1,
                halves: Bits::new(if exists { 3 } else { 0 }),
                fill,
                condition_enable: false,
                ..write
            };
            self.doubles.push_back(Due { write, lanes, values: high, codes });
        }
    }

    /// Runs until all results have left.
    fn finish(mut self) -> (u64, Counts) {
        let end = self.engine.cycle();
        while !(self.integers.is_empty() && self.doubles.is_empty()) {
            assert!(self.engine.cycle() < end + 300, "{} double beats remain", self.doubles.len());
            self.step();
        }
        self.step();
        self.engine.settle();
        assert!(self.engine.block.x_idle.val() && self.engine.block.double_events[0].val().idle);
        assert_eq!(self.places, PLACES);
        (self.engine.cycle(), self.counts)
    }
}

/// Double instructions as soon as an entry is free, with the share `busy` of integer instructions. As the scheduler does, the
/// bench leaves a gap when a result waits.
fn doubles<const LANES: usize>(count: usize, busy: f64) -> (u64, Counts) {
    let mut bench = Bench::<LANES>::new(5);
    let mut issued = 0;
    while issued < count {
        assert!(bench.engine.cycle() < 200 * count as u64, "stuck after {issued} instructions");
        let waits = if bench.rng.gen_bool(busy) {
            bench.integer()
        } else if bench.places > 0 {
            issued += 1;
            bench.double()
        } else {
            bench.step()
        };
        if waits {
            bench.step();
        }
    }
    bench.finish()
}

fn results_fill_gaps<const LANES: usize>() {
    let (cycles, counts) = doubles::<LANES>(200, 0.0);
    println!("{LANES} lanes: {cycles} cycles for 200 double instructions");
    assert!((200 * 32..200 * 32 + 64).contains(&cycles), "{cycles} cycles");
    assert_eq!(counts.waits, 0, "without integer instructions");
    for busy in [0.5, 0.97] {
        let (_, counts) = doubles::<LANES>(200, busy);
        assert!(counts.fills >= 200 * Bench::<LANES>::BEATS && counts.waits > 100, "{} waits", counts.waits);
    }
}

#[test]
fn doubles_fill_gaps_8() {
    on_big_stack(results_fill_gaps::<8>).unwrap();
}

#[test]
fn doubles_fill_gaps_16() {
    on_big_stack(results_fill_gaps::<16>).unwrap();
}

#[test]
fn doubles_fill_gaps_32() {
    on_big_stack(results_fill_gaps::<32>).unwrap();
}

#[test]
fn stage_with_doubles_passes_the_lint() {
    // The product and the sum of doubles are wider than a word.
    let options = LintOptions { max_width: 128, ..Default::default() };
    let findings = lint_with(&Execute::<8>::new(Capability::V1_3), &options);
    let findings: Vec<String> = findings.iter().map(Finding::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
