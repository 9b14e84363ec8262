//! Compares the double-precision unit with `flexgrip_arith` and the vectors of doubles: a new operation every cycle.

use flexgrip_arith::{Cc, Flagged};
use flexgrip_exhaustive::cases::double::{double, noise, reference, DoubleCase, CORNERS, OPERATIONS, SIGN};
use flexgrip_hdl::execute::double::aligner::DoubleAligner;
use flexgrip_hdl::execute::double::bundles::{DoubleRest, DoubleScale};
use flexgrip_hdl::execute::double::multiplier::DoubleMultiplier;
use flexgrip_hdl::execute::double::normaliser::DoubleNormaliser;
use flexgrip_hdl::execute::double::pack::DoublePack;
use flexgrip_hdl::execute::double::unpack::DoubleUnpack;
use flexgrip_hdl::execute::double::{DoubleControl, DoubleOperands, DoubleOperation, DoubleUnit};
use flexgrip_skip::shared;
use flexgrip_testbench::pipeline_bench::{Pipeline, PipelineBench};
use hdlkit::lint::{lint_with, Finding, LintOptions};
use hdlkit::prelude::*;
use hdlkit_compiled::cosim::cosim;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// The unit's inputs in one cycle, and the required outputs.
struct Case {
    name: String,
    inputs: DoubleCase,
    want: Flagged<u64>,
}

impl Case {
    /// A case with the results of `flexgrip_arith`.
    fn of(inputs: DoubleCase) -> Self {
        let DoubleCase { control, a, b, c } = inputs;
        Case { name: String::new(), inputs, want: reference(&control, a, b, c) }
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let DoubleCase { control, a, b, c } = &self.inputs;
        let Flagged { value, cc } = self.want;
        write!(f, "{} a {a:016x} b {b:016x} c {c:016x}: {value:016x} {cc}, control {control:?}", self.name)
    }
}

fn operands(case: &DoubleCase) -> DoubleOperands {
    DoubleOperands { a: Bits::new(case.a), b: Bits::new(case.b), c: Bits::new(case.c) }
}

/// The unit as a pipeline of the bench.
struct Unit;

impl Pipeline for Unit {
    type Block = DoubleUnit;
    type Case = Case;
    type Output = Flagged<u64>;
    const LATENCY: u64 = 10;

    fn block() -> Box<DoubleUnit> {
        Box::default()
    }

    fn drive(&mut self, block: &mut DoubleUnit, case: Option<&Case>) {
        if let Some(case) = case {
            block.x_control.next = case.inputs.control;
            block.x_operands.next = operands(&case.inputs);
        }
    }

    fn want(case: &Case) -> Flagged<u64> {
        case.want
    }

    fn got(block: &DoubleUnit) -> Flagged<u64> {
        Flagged { value: block.x_result.val().raw(), cc: Cc::from_bits(block.x_condition.val().raw() as u8) }
    }
}

/// Random operands and modifiers of an operation, and the required results.
fn random_case(rng: &mut ChaCha8Rng, operation: DoubleOperation) -> Case {
    Case::of(flexgrip_exhaustive::cases::double::random_case(rng, operation))
}

/// Random cases of each operation.
const RANDOM_CASES: u64 = if cfg!(feature = "soak") { 10_000_000 } else { 300_000 };

/// Checks random operands of one operation back to back.
fn random(operation: DoubleOperation, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut bench = PipelineBench::new(Unit);
    for _ in 0..RANDOM_CASES {
        bench.step(Some(random_case(&mut rng, operation)));
    }
    assert_eq!(bench.finish(), RANDOM_CASES);
}

#[test]
fn multiply_add_matches_the_arithmetic() {
    random(DoubleOperation::MultiplyAdd, 1);
}

#[test]
fn add_matches_the_arithmetic() {
    random(DoubleOperation::Add, 2);
}

#[test]
fn multiply_matches_the_arithmetic() {
    random(DoubleOperation::Multiply, 3);
}

#[test]
fn set_matches_the_arithmetic() {
    random(DoubleOperation::Set, 4);
}

#[test]
fn minimum_and_maximum_match_the_arithmetic() {
    random(DoubleOperation::MinMax, 5);
}

#[test]
fn to_float_matches_the_arithmetic() {
    random(DoubleOperation::ToFloat, 6);
}

#[test]
fn to_integer_matches_the_arithmetic() {
    random(DoubleOperation::ToInteger, 7);
}

#[test]
fn from_integer_matches_the_arithmetic() {
    random(DoubleOperation::FromInteger, 8);
}

/// A new operation every cycle: none may leave state for the next.
#[test]
fn mixed_operations_leave_no_state() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut bench = PipelineBench::new(Unit);
    for _ in 0..RANDOM_CASES {
        let operation = *OPERATIONS.choose(&mut rng).expect("operations");
        bench.step(Some(random_case(&mut rng, operation)));
    }
    assert_eq!(bench.finish(), RANDOM_CASES);
}

/// Sums and products of all special values and of the ends of the exponents' range, in all modes and with all signs.
#[test]
fn corner_values_combine_in_all_modes() {
    let corners: Vec<u64> = CORNERS.iter().flat_map(|bits| [*bits, bits | SIGN]).collect();
    let mut bench = PipelineBench::new(Unit);
    let mut cases = 0;
    let mut check = |operation, rounding, a, b, c| {
        let control = DoubleControl { operation, rounding: Bits::new(rounding), ..Default::default() };
        bench.step(Some(Case::of(DoubleCase { control, a, b, c })));
        cases += 1;
    };
    for &a in &corners {
        for &b in &corners {
            for rounding in 0..4 {
                for &c in &corners {
                    check(DoubleOperation::MultiplyAdd, rounding, a, b, c);
                }
                check(DoubleOperation::Add, rounding, a, 0, b);
                check(DoubleOperation::Multiply, rounding, a, b, 0);
            }
        }
    }
    assert_eq!(cases, 4 * (48 * 48 * 48 + 2 * 48 * 48));
    assert_eq!(bench.finish(), cases);
}

/// All corner values with all signs' modifiers, through all comparisons and conversions.
#[test]
fn corner_values_compare_and_convert() {
    let corners: Vec<u64> = CORNERS.iter().flat_map(|bits| [*bits, bits | SIGN]).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let mut bench = PipelineBench::new(Unit);
    let mut cases = 0;
    for operation in &OPERATIONS[3..] {
        for &a in &corners {
            for &b in &corners {
                for _ in 0..64 {
                    let control = noise(&mut rng, *operation);
                    // As a float32, a corner value of that format.
                    let a = if control.source_short { a >> 32 } else { a };
                    bench.step(Some(Case::of(DoubleCase { control, a, b, c: 0 })));
                    cases += 1;
                }
            }
        }
    }
    assert_eq!(bench.finish(), cases);
}

/// The control of an operation of the file of vectors, as far as the operation and its modifiers say.
fn meaning(name: &str) -> Option<DoubleControl> {
    /// By the bits of less, equal, greater, unordered.
    const ORDERS: [&str; 16] =
        ["false", "lt", "eq", "le", "gt", "ne", "ge", "leg", "nan", "ltu", "equ", "leu", "gtu", "neu", "geu", "true"];
    let mut names = name.split('.');
    let mut control = DoubleControl::default();
    let operation = names.next()?;
    let conversion = match operation {
        "f2f" | "f2i" | "i2f" => Some((names.next()?, names.next()?)),
        _ => None,
    };
    let short = |kind: &str| kind.ends_with("32");
    if let Some((to, from)) = conversion {
        control.source_short = short(from);
        control.result_short = short(to);
        control.source_signed = from.starts_with('s');
        control.result_signed = to.starts_with('s');
    }
    control.operation = match operation {
        "dfma" => DoubleOperation::MultiplyAdd,
        "dadd" => DoubleOperation::Add,
        "dmul" => DoubleOperation::Multiply,
        "dset" => DoubleOperation::Set,
        "dmin" | "dmax" => DoubleOperation::MinMax,
        "f2f" => DoubleOperation::ToFloat,
        "f2i" => DoubleOperation::ToInteger,
        "i2f" => DoubleOperation::FromInteger,
        _ => return None,
    };
    control.maximum = operation == "dmax";
    for name in names {
        match name {
            "abs" | "abs1" => control.absolute_a = true,
            "neg" | "neg1" => control.negate_a = true,
            "abs2" => control.absolute_b = true,
            "neg2" => control.negate_b = true,
            "neg3" => control.negate_c = true,
            "int" => control.integral = true,
            "rn" => control.rounding = Bits::new(0),
            "rm" => control.rounding = Bits::new(1),
            "rp" => control.rounding = Bits::new(2),
            "rz" => control.rounding = Bits::new(3),
            _ => {
                let order = ORDERS.iter().position(|known| *known == name)?;
                control.compare_less = order & 1 != 0;
                control.compare_equal = order & 2 != 0;
                control.compare_greater = order & 4 != 0;
                control.compare_unordered = order & 8 != 0;
            }
        }
    }
    Some(control)
}

#[test]
fn vectors_agree() {
    let path = shared().join("capability/f64.tsv");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no {}", path.display());
        return;
    };
    let number = |column: &str| match column {
        "-" => 0,
        digits => u64::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("not a number: {digits}")),
    };
    let mut bench = PipelineBench::new(Unit);
    let mut operations: BTreeMap<&str, u64> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [operation, one, two, three, result, cc, _] = columns[..] else {
            panic!("{}: seven columns expected: {line}", path.display());
        };
        let control = meaning(operation).unwrap_or_else(|| panic!("an operation that this test does not know: {line}"));
        *operations.entry(operation).or_default() += 1;
        bench.step(Some(Case {
            name: line.into(),
            inputs: DoubleCase { control, a: number(one), b: number(two), c: number(three) },
            want: Flagged { value: number(result), cc: Cc::from_bits(number(cc) as u8) },
        }));
    }
    let lines = operations.values().sum::<u64>();
    assert!(lines >= 13_680, "{lines} vectors");
    assert_eq!(bench.finish(), lines);
    println!("{lines} vectors of {} operations", operations.len());
}

/// Repeated operands change nothing, and the block reports no pending work.
#[test]
fn constant_inputs_cause_no_activity() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut engine = CycleEngine::<DoubleUnit>::new(Unit::block());
    for _ in 0..200 {
        let operation = *OPERATIONS.choose(&mut rng).expect("operations");
        let case = random_case(&mut rng, operation);
        Unit.drive(&mut engine.block, Some(&case));
        for _ in 0..=Unit::LATENCY {
            engine.settle();
            engine.tick();
        }
        engine.settle();
        assert!(!hdlkit::Cycle::tick(&mut *engine.block), "another tick changes nothing");
        assert_eq!(Unit::got(&engine.block), case.want, "{case}");
    }
}

/// Its gates are too many for an event simulator: `testbench/exhaustive` compares them with the arithmetic.
#[test]
fn unit_equals_its_verilog() {
    let report = cosim(Box::<DoubleUnit>::default, 10_000, 12, |block, rng, _| {
        let operation = *OPERATIONS.choose(rng).expect("operations");
        let case = random_case(rng, operation);
        block.x_control.next = case.inputs.control;
        block.x_operands.next = operands(&case.inputs);
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

/// A random number with up to `width` bits, at most 128.
fn wide<const N: usize>(rng: &mut impl Rng, width: u32) -> WideBits<N> {
    WideBits::from_wide(rng.gen::<u128>() >> rng.gen_range(128 - width..128) << rng.gen_range(0..width))
}

/// The first two stages alone, on controls with combinations that no instruction has.
#[test]
fn unpack_equals_its_verilog() {
    let report = cosim(Box::<DoubleUnpack>::default, 10_000, 13, |block, rng, _| {
        let operation = *OPERATIONS.choose(rng).expect("operations");
        block.x_control.next = noise(rng, operation);
        block.x_control.next.source_short = rng.gen();
        block.x_control.next.result_short = rng.gen();
        block.x_operands.next =
            DoubleOperands { a: Bits::new(double(rng)), b: Bits::new(double(rng)), c: Bits::new(double(rng)) };
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

/// The multiplier alone: its Verilog, and its product of numbers with few or many bits.
#[test]
fn multiplier_equals_its_verilog() {
    let report = cosim(Box::<DoubleMultiplier>::default, 10_000, 14, |block, rng, _| {
        block.x1_a.next = wide::<53>(rng, 53).narrow();
        block.x1_b.next = wide::<53>(rng, 53).narrow();
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn aligner_equals_its_verilog() {
    let report = cosim(Box::<DoubleAligner>::default, 10_000, 15, |block, rng, _| {
        block.x4_value.next = wide(rng, 109);
        block.x4_count.next = Bits::new(rng.gen_range(0..128));
        block.x4_beyond.next = rng.gen_range(0..8) == 0;
        block.x5_invert.next = rng.gen();
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

fn scale(rng: &mut impl Rng) -> DoubleScale {
    DoubleScale { exponent: Bits::new(rng.gen_range(0..4096)), limit: Bits::new(rng.gen_range(0..128)) }
}

#[test]
fn normaliser_equals_its_verilog() {
    let report = cosim(Box::<DoubleNormaliser>::default, 10_000, 16, |block, rng, _| {
        block.x7_value.next = wide(rng, 110);
        block.x7_scale.next = scale(rng);
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

/// The last four stages alone, on any sum, with combinations of flags that no operation sets.
#[test]
fn pack_equals_its_verilog() {
    let report = cosim(Box::<DoublePack>::default, 10_000, 17, |block, rng, _| {
        block.x7_sum.next = wide(rng, 110);
        block.x7_negative.next = rng.gen();
        block.x7_scale.next = scale(rng);
        block.x7_rest.next = DoubleRest {
            rounding: Bits::new(rng.gen_range(0..4)),
            rounds_positive: rng.gen(),
            ready: rng.gen_range(0..4) == 0,
            to_integer: rng.gen(),
            short: rng.gen(),
            signed: rng.gen(),
            nan: rng.gen_range(0..8) == 0,
            zero_negative: rng.gen(),
        };
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn kernel_passes_the_lint() {
    // The product and the sum are wider than a word.
    let options = LintOptions { max_width: 128, ..Default::default() };
    let findings: Vec<String> = lint_with(&DoubleUnit::default(), &options).iter().map(Finding::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
