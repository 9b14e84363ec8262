//! Compares the special function unit with `flexgrip_arith` and the G80's vectors: a new argument every cycle.

use flexgrip_arith::special::square;
use flexgrip_exhaustive::cases::special::{reference, SpecialCase, OPERATIONS};
use flexgrip_exhaustive::conformance::{record, Subject};
use flexgrip_hdl::execute::special_function::coefficients::Coefficients;
use flexgrip_hdl::execute::special_function::product::Product;
use flexgrip_hdl::execute::special_function::squarer::Squarer;
use flexgrip_hdl::execute::special_function::{SpecialControl, SpecialFunctionUnit, SpecialOperation};
use flexgrip_skip::shared;
use flexgrip_testbench::pipeline_bench::{Pipeline, PipelineBench};
use hdlkit::lint::{lint, Finding};
use hdlkit::prelude::*;
use hdlkit_compiled::cosim::{cosim, cosim_in, Simulator};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// The unit's inputs in one cycle, and the required output.
struct Case {
    control: SpecialControl,
    a: u32,
    want: u32,
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:08x}: {:08x}, {:?}", self.a, self.want, self.control)
    }
}

/// The special function unit as a pipeline of the bench.
struct Unit;

impl Pipeline for Unit {
    type Block = SpecialFunctionUnit;
    type Case = Case;
    type Output = u32;
    const LATENCY: u64 = 8;

    fn block() -> Box<SpecialFunctionUnit> {
        Box::default()
    }

    fn drive(&mut self, block: &mut SpecialFunctionUnit, case: Option<&Case>) {
        if let Some(case) = case {
            block.x_control.next = case.control;
            block.x_a.next = Bits::new(case.a as u64);
        }
    }

    fn want(case: &Case) -> u32 {
        case.want
    }

    fn got(block: &SpecialFunctionUnit) -> u32 {
        block.x_result.val().raw() as u32
    }
}

/// A case of this argument, without modifiers.
fn plain(operation: SpecialOperation, a: u32) -> Case {
    let control = SpecialControl { operation, ..Default::default() };
    let want = reference(&control, a);
    Case { control, a, want }
}

/// A random argument and modifiers of an operation, and the required results.
fn random_case(rng: &mut ChaCha8Rng, operation: SpecialOperation) -> Case {
    let SpecialCase { control, a } = flexgrip_exhaustive::cases::special::random_case(rng, operation);
    let want = reference(&control, a);
    Case { control, a, want }
}

/// Checks both ends of every segment of one function, then random arguments, back to back.
fn random(operation: SpecialOperation, seed: u64) {
    const CASES: u64 = 400_000;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut bench = PipelineBench::new(Unit);
    let mut ends = 0;
    for upper in [0u32, 1, 126, 127, 128, 253, 254] {
        for index in 0..128u32 {
            for low in [0, 1, 0x7fff, 0x8000, 0xffff] {
                bench.step(Some(plain(operation, upper << 23 | index << 16 | low)));
                ends += 1;
            }
        }
    }
    for _ in 0..CASES {
        bench.step(Some(random_case(&mut rng, operation)));
    }
    assert_eq!(bench.finish(), CASES + ends);
}

#[test]
fn reciprocal_matches_the_arithmetic() {
    random(SpecialOperation::Reciprocal, 1);
}

#[test]
fn reciprocal_root_matches_the_arithmetic() {
    random(SpecialOperation::ReciprocalRoot, 2);
}

#[test]
fn logarithm_matches_the_arithmetic() {
    random(SpecialOperation::Logarithm, 3);
}

#[test]
fn sine_matches_the_arithmetic() {
    random(SpecialOperation::Sine, 4);
}

#[test]
fn cosine_matches_the_arithmetic() {
    random(SpecialOperation::Cosine, 5);
}

#[test]
fn power_matches_the_arithmetic() {
    random(SpecialOperation::Power, 6);
}

/// Starts a new function every cycle: none may leave state for the next.
#[test]
fn mixed_functions_leave_no_state() {
    const CASES: u64 = 600_000;
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut bench = PipelineBench::new(Unit);
    for _ in 0..CASES {
        let operation = *OPERATIONS.choose(&mut rng).expect("operations");
        bench.step(Some(random_case(&mut rng, operation)));
    }
    assert_eq!(bench.finish(), CASES);
}

fn hexadecimal(text: &str) -> u32 {
    u32::from_str_radix(text, 16).unwrap_or_else(|_| panic!("not a number: {text}"))
}

/// RRO's vectors are for the float lane: `float.rs` has them.
#[test]
fn vectors_agree() {
    let path = shared().join("vectors/sfu.tsv");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no {}", path.display());
        return;
    };
    let mut bench = PipelineBench::new(Unit);
    let mut functions: BTreeMap<&str, u64> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [function, source, result] = columns[..] else {
            panic!("{}: three columns expected: {line}", path.display());
        };
        let operation = match function {
            "rcp" => SpecialOperation::Reciprocal,
            "rsq" => SpecialOperation::ReciprocalRoot,
            "lg2" => SpecialOperation::Logarithm,
            "sin" => SpecialOperation::Sine,
            "cos" => SpecialOperation::Cosine,
            "ex2" => SpecialOperation::Power,
            "rro.sin" | "rro.ex2" => continue,
            _ => panic!("a function that this test does not know: {line}"),
        };
        *functions.entry(function).or_default() += 1;
        bench.step(Some(Case { want: hexadecimal(result), ..plain(operation, hexadecimal(source)) }));
    }
    let lines = functions.values().sum::<u64>();
    assert!(lines >= 10_700, "{lines} vectors");
    assert_eq!(bench.finish(), lines);
    let cases = format!("{lines} vectors of {} functions", functions.len());
    println!("{cases}");
    record("vectors-sfu", Subject::SpecialFunctionUnit, &cases);
}

/// Repeated arguments change nothing, and the block reports no pending work.
#[test]
fn constant_inputs_cause_no_activity() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut engine = CycleEngine::<SpecialFunctionUnit>::new(Box::default());
    for _ in 0..200 {
        let operation = *OPERATIONS.choose(&mut rng).expect("operations");
        let case = random_case(&mut rng, operation);
        engine.block.x_control.next = case.control;
        engine.block.x_a.next = Bits::new(case.a as u64);
        for _ in 0..=Unit::LATENCY {
            engine.settle();
            engine.tick();
        }
        engine.settle();
        assert!(!hdlkit::Cycle::tick(&mut *engine.block), "another tick changes nothing");
        assert_eq!(engine.block.x_result.val().raw() as u32, case.want);
    }
}

/// The folded array of partial products equals the hardware's for every number.
#[test]
fn squarer_equals_the_arithmetic() {
    let mut engine = CycleEngine::<Squarer>::new(Box::default());
    for x in 0..1u32 << 17 {
        engine.block.x.next = Bits::new(x as u64);
        engine.settle();
        engine.tick();
        engine.settle();
        assert_eq!(engine.block.square.val().raw() as u32, square(x), "{x:05x}");
    }
}

#[test]
fn unit_equals_its_verilog() {
    // Gates of so large a block are for the soak tier; the multiplier's gates are in both tiers.
    let simulators = [(Simulator::Iverilog, 20_000), (Simulator::Gates, 2_000)];
    for (simulator, cycles) in
        simulators.into_iter().filter(|(s, _)| cfg!(feature = "soak") || !matches!(s, Simulator::Gates))
    {
        let report = cosim_in(simulator, Box::<SpecialFunctionUnit>::default, cycles, 9, |block, rng, _| {
            let operation = *OPERATIONS.choose(rng).expect("operations");
            let case = random_case(rng, operation);
            block.x_control.next = case.control;
            block.x_a.next = Bits::new(case.a as u64);
        })
        .unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(report.outputs_that_changed, report.outputs);
    }
}

#[test]
fn coefficients_equal_their_verilog() {
    let report = cosim(Box::<Coefficients>::default, 1 << 10, 12, |block, _, cycle| {
        block.row.next = Bits::new(cycle);
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn squarer_equals_its_verilog() {
    let report = cosim(Box::<Squarer>::default, 1 << 17, 10, |block, _, cycle| {
        block.x.next = Bits::new(cycle);
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn product_equals_its_verilog() {
    let report = cosim(Box::<Product>::default, 20_000, 11, |block, rng, _| {
        block.a.next = Bits::new(rng.gen::<u64>() >> rng.gen_range(0..64));
        block.b.next = Bits::new(rng.gen::<u64>() >> rng.gen_range(0..64));
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn kernel_passes_the_lint() {
    let findings: Vec<String> = lint(&SpecialFunctionUnit::default()).iter().map(Finding::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
