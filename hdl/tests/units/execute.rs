//! Tests the execute stage and the queued special function units: every result leaves, at the right time.

use flexgrip_arith::special;
use flexgrip_hdl::big_stack::on_big_stack;
use flexgrip_hdl::bundles::{IntegerControl, IntegerOperation, WriteControl};
use flexgrip_hdl::execute::float::{FloatControl, FloatOperation};
use flexgrip_hdl::execute::special_function::{SpecialControl, SpecialOperation};
use flexgrip_hdl::execute::special_function_queue::{SpecialFunctionQueue, PLACES};
use flexgrip_hdl::execute::Execute;
use hdlkit::lint::{lint, Finding};
use hdlkit::prelude::*;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug, PartialEq)]
enum InstructionKind {
    /// a, unchanged, in the integer unit.
    Integer,
    /// a * b in the integer unit: both units use the multiplier.
    Product,
    /// a * b in the float unit.
    Float,
    /// An instruction of another unit: empty beats here.
    Elsewhere,
}

/// A beat in the stage.
#[derive(Debug)]
struct Beat {
    cycle: u64,
    kind: InstructionKind,
    instruction: u64,
    write: WriteControl,
    lanes: u32,
    results: Vec<u32>,
}

/// An execute stage, with a record of its inputs and outputs.
struct Bench<const LANES: usize> {
    engine: CycleEngine<Execute<LANES>>,
    rng: ChaCha8Rng,
    instructions: u64,
    under_way: Vec<Beat>,
    /// For each beat that has left: its instruction, kind, number, and latency in cycles.
    out: Vec<(u64, InstructionKind, u64, u64)>,
}

impl<const LANES: usize> Bench<LANES> {
    fn new(seed: u64) -> Self {
        Bench {
            engine: CycleEngine::new(Box::default()),
            rng: ChaCha8Rng::seed_from_u64(seed),
            instructions: 0,
            under_way: Vec::new(),
            out: Vec::new(),
        }
    }

    /// Runs one cycle with the inputs at the ports.
    fn step(&mut self) {
        self.engine.settle();
        let write = self.engine.block.pipeline.write.val();
        if write.valid {
            let lanes = self.engine.block.pipeline.lanes.val().raw() as u32;
            let place = self.under_way.iter().position(|beat| beat.write == write);
            let beat = self.under_way.remove(place.expect("a beat that is under way"));
            assert_eq!(lanes, beat.lanes, "{beat:?}");
            for (lane, want) in beat.results.iter().enumerate() {
                let got = self.engine.block.pipeline.result[lane].val().raw() as u32;
                assert_eq!(got, *want, "lane {lane} of {beat:?}");
            }
            let taken = self.engine.cycle() - beat.cycle;
            self.out.push((beat.instruction, beat.kind, beat.write.beat.raw(), taken));
        }
        self.engine.tick();
        self.engine.block.x.beat.next.write.valid = false;
        self.engine.block.x.beat.next.for_float = false;
    }

    /// Issues an instruction's beats, one per cycle.
    fn issue(&mut self, kind: InstructionKind) {
        let beats = 32 / LANES as u64;
        for beat in 0..beats {
            let cycle = self.engine.cycle();
            let block = &mut self.engine.block;
            block.x.beat.next.write = WriteControl {
                valid: true,
                tag: Bits::new(self.instructions & 0xffff),
                beat: Bits::new(beat),
                last: beat + 1 == beats,
                elsewhere: kind == InstructionKind::Elsewhere,
                register: Bits::new(self.rng.gen_range(0..128)),
                ..WriteControl::default()
            };
            let lanes: u32 = self.rng.gen();
            block.x.beat.next.lanes = Bits::new(u64::from(lanes));
            block.x.beat.next.for_float = kind == InstructionKind::Float;
            if kind == InstructionKind::Float {
                block.x.float.next = FloatControl { operation: FloatOperation::Multiply, ..FloatControl::default() };
            } else {
                block.x.integer.next = IntegerControl {
                    operation: if kind == InstructionKind::Product {
                        IntegerOperation::Multiply
                    } else {
                        IntegerOperation::Move
                    },
                    multiply_24: true,
                    ..IntegerControl::default()
                };
            }
            let mut results = Vec::new();
            for lane in 0..LANES {
                let (a, b): (u32, u32) = (self.rng.gen_range(0..1 << 12), self.rng.gen_range(0..1 << 12));
                if kind == InstructionKind::Float {
                    block.x.float_operands[lane].next.a = Bits::new(u64::from((a as f32).to_bits()));
                    block.x.float_operands[lane].next.b = Bits::new(u64::from((b as f32).to_bits()));
                } else {
                    block.x.operands[lane].next.a = Bits::new(u64::from(a));
                    block.x.operands[lane].next.b = Bits::new(u64::from(b));
                }
                match kind {
                    InstructionKind::Integer => results.push(a),
                    InstructionKind::Product => results.push(a * b),
                    // Exact in 24 bits.
                    InstructionKind::Float => results.push((a as f32 * b as f32).to_bits()),
                    InstructionKind::Elsewhere => {}
                }
            }
            self.under_way.push(Beat {
                cycle,
                kind,
                instruction: self.instructions,
                write: block.x.beat.next.write,
                lanes,
                results,
            });
            self.step();
        }
        self.instructions += 1;
    }

    /// Runs cycles without a beat.
    fn pause(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.step();
        }
    }

    /// Drains the stage, and checks that each instruction's beats have left in order, one per cycle.
    fn finish(mut self) -> Vec<(u64, InstructionKind, u64, u64)> {
        self.pause(8);
        assert!(self.under_way.is_empty(), "lost: {:?}", self.under_way);
        self.engine.settle();
        assert!(self.engine.block.x_idle.val());
        for pair in self.out.windows(2) {
            let ((first, _, beat, taken), (second, _, next, next_taken)) = (pair[0], pair[1]);
            if first == second {
                assert_eq!((next, next_taken), (beat + 1, taken), "{pair:?}");
            } else {
                assert_eq!((beat, next), (32 / LANES as u64 - 1, 0), "{pair:?}");
            }
        }
        self.out
    }
}

/// The latencies of these instructions, each issued `pause` cycles after the previous one.
fn taken<const LANES: usize>(instructions: &[(InstructionKind, u64)]) -> Vec<u64> {
    let mut bench = Bench::<LANES>::new(1);
    for &(kind, pause) in instructions {
        bench.pause(pause);
        bench.issue(kind);
    }
    let out = bench.finish();
    out.iter().filter(|beat| beat.2 == 0).map(|beat| beat.3).collect()
}

#[test]
fn integers_take_the_short_path_without_floats() {
    with_room(ways_through_the_lanes);
}

fn ways_through_the_lanes() {
    use InstructionKind::*;
    assert_eq!(taken::<8>(&[(Integer, 0), (Product, 0), (Integer, 0)]), [3, 3, 3]);
    assert_eq!(taken::<8>(&[(Float, 0), (Integer, 0), (Product, 0), (Float, 0), (Elsewhere, 0)]), [7, 7, 7, 7, 7]);
    // A gap equal to the difference in path length, and a shorter one.
    assert_eq!(taken::<8>(&[(Float, 0), (Integer, 4), (Integer, 0)]), [7, 3, 3]);
    assert_eq!(taken::<8>(&[(Float, 0), (Integer, 3), (Product, 0)]), [7, 7, 7]);
    assert_eq!(taken::<8>(&[(Float, 0), (Integer, 3), (Product, 4)]), [7, 7, 3]);
    assert_eq!(taken::<32>(&[(Float, 0), (Integer, 3), (Integer, 3), (Integer, 4)]), [7, 7, 7, 3]);
}

/// Runs a test on a thread with a large stack. Building the 32-lane stage overflows a test's default stack.
fn with_room(test: fn()) {
    on_big_stack(test).unwrap();
}

fn all_results_leave<const LANES: usize>() {
    let kinds =
        [InstructionKind::Integer, InstructionKind::Product, InstructionKind::Float, InstructionKind::Elsewhere];
    let mut bench = Bench::<LANES>::new(2);
    for _ in 0..3000 {
        let kind = *kinds.choose(&mut bench.rng).expect("there are some");
        bench.issue(kind);
        let pause = [0, 0, 0, 0, 1, 2, 3, 4].choose(&mut bench.rng).copied();
        bench.pause(pause.expect("there are some"));
    }
    let out = bench.finish();
    for kind in [InstructionKind::Integer, InstructionKind::Product] {
        for cycles in [3, 7] {
            let found = out.iter().filter(|beat| beat.1 == kind && beat.3 == cycles).count();
            assert!(found > 100, "{kind:?} {cycles}: {found}");
        }
    }
    assert!(out.iter().all(|beat| beat.1 != InstructionKind::Float || beat.3 == 7));
}

#[test]
fn all_results_leave_8() {
    with_room(all_results_leave::<8>);
}

#[test]
fn all_results_leave_16() {
    with_room(all_results_leave::<16>);
}

#[test]
fn all_results_leave_32() {
    with_room(all_results_leave::<32>);
}

/// An operation, and its function in `arith`.
type SpecialUnitFunction = (SpecialOperation, fn(u32) -> u32);

const OPERATIONS: [SpecialUnitFunction; 6] = [
    (SpecialOperation::Reciprocal, special::rcp),
    (SpecialOperation::ReciprocalRoot, special::rsq),
    (SpecialOperation::Logarithm, special::lg2),
    (SpecialOperation::Sine, special::sin),
    (SpecialOperation::Cosine, special::cos),
    (SpecialOperation::Power, |a| special::ex2(false, a)),
];

/// Runs `count` instructions through the queue, each as soon as an entry is free, except for pauses; results leave with
/// probability `ready`. Checks all results; returns the cycles.
fn special_functions<const LANES: usize>(count: usize, pauses: bool, ready: f64) -> u64 {
    let beats = 32 / LANES as u64;
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut engine = CycleEngine::new(Box::new(SpecialFunctionQueue::<LANES>::default()));
    let mut due: VecDeque<(WriteControl, u32, Vec<u32>)> = VecDeque::new();
    let (mut places, mut issued, mut beat, mut wait) = (PLACES, 0, 0, 0);
    let mut function = OPERATIONS[0];
    while issued < count || !due.is_empty() {
        assert!(engine.cycle() < 100 * count as u64 + 100, "stuck with {} beats due", due.len());
        let block = &mut engine.block;
        block.x_beat.next.for_special = false;
        if beat == 0 && issued < count && places > 0 {
            if wait > 0 {
                wait -= 1;
            } else {
                function = *OPERATIONS.choose(&mut rng).expect("there are some");
                block.x_beat.next.for_special = true;
                places -= 1;
                issued += 1;
                wait = if pauses { rng.gen_range(0..40) } else { 0 };
            }
        } else if beat > 0 {
            block.x_beat.next.for_special = true;
        }
        if block.x_beat.next.for_special {
            let write = WriteControl {
                valid: true,
                tag: Bits::new(issued as u64),
                beat: Bits::new(beat),
                last: beat + 1 == beats,
                elsewhere: true,
                ..WriteControl::default()
            };
            block.x_beat.next.write = write;
            block.x_special.next = SpecialControl { operation: function.0, ..SpecialControl::default() };
            let lanes: u32 = rng.gen();
            block.x_beat.next.lanes = Bits::new(u64::from(lanes));
            let mut results = Vec::new();
            for lane in 0..LANES {
                let value = rng.gen();
                block.x_a[lane].next = Bits::new(u64::from(value));
                results.push(function.1(value));
            }
            let left = WriteControl { elsewhere: false, ..write };
            due.push_back((left, lanes, results));
            beat = (beat + 1) % beats;
        }
        block.specials.ready.next = rng.gen_bool(ready);
        engine.settle();
        if engine.block.specials.valid.val() && engine.block.specials.ready.val() {
            let (write, lanes, results) = due.pop_front().expect("a beat that is due");
            assert_eq!(engine.block.specials.control.val(), write);
            assert_eq!(engine.block.specials.lanes.val().raw() as u32, lanes);
            for (lane, want) in results.iter().enumerate() {
                assert_eq!(engine.block.specials.data[lane].val().raw() as u32, *want, "lane {lane} of {write:?}");
            }
        }
        places += usize::from(engine.block.sf_dequeued.val());
        engine.tick();
    }
    engine.settle();
    assert!(engine.block.sf_idle.val());
    engine.cycle()
}

#[test]
fn special_functions_take_sixteen_cycles() {
    for (lanes, cycles) in [
        (8, special_functions::<8>(100, false, 1.0)),
        (16, special_functions::<16>(100, false, 1.0)),
        (32, special_functions::<32>(100, false, 1.0)),
    ] {
        println!("{lanes} lanes: {cycles} cycles for 100");
        assert!((1600..1600 + 16).contains(&cycles), "{lanes} lanes: {cycles}");
    }
}

#[test]
fn special_functions_wait_for_writeback() {
    for ready in [1.0, 0.5, 0.05] {
        special_functions::<8>(300, true, ready);
        special_functions::<16>(300, true, ready);
        special_functions::<32>(300, true, ready);
    }
}

#[test]
fn kernels_pass_the_lint() {
    let mut findings: Vec<String> =
        lint(&SpecialFunctionQueue::<8>::default()).iter().map(Finding::to_string).collect();
    findings.extend(lint(&Execute::<8>::default()).iter().map(Finding::to_string));
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
