//! Compares the float unit with `flexgrip_arith` and the G80's vectors: a new operation every cycle.

use flexgrip_arith::float::{fadd, fswz, Quad, Rounding};
use flexgrip_arith::{Cc, Flagged};
use flexgrip_exhaustive::cases::float::{float, half, integer, noise, reference, FloatCase, OPERATIONS, SIGN};
use flexgrip_exhaustive::cases::Control;
use flexgrip_exhaustive::circuit::FloatUnit;
use flexgrip_exhaustive::conformance::{record, Subject};
use flexgrip_exhaustive::plan::{operations, Inputs};
use flexgrip_hdl::bundles::QuadControl;
use flexgrip_hdl::execute::float::aligner::Aligner;
use flexgrip_hdl::execute::float::normaliser::Normaliser;
use flexgrip_hdl::execute::float::pack::FloatPack;
use flexgrip_hdl::execute::float::unpack::FloatUnpack;
use flexgrip_hdl::execute::float::{FloatControl, FloatLane, FloatOperation, FloatRest, FloatSum};
use flexgrip_hdl::execute::quad_exchange::QuadExchange;
use flexgrip_skip::shared;
use flexgrip_testbench::pipeline_bench::{Pipeline, PipelineBench};
use hdlkit::lint::{lint, Finding};
use hdlkit::prelude::*;
use hdlkit_compiled::cosim::{cosim, cosim_in, Simulator};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashSet};

/// The unit's inputs in one cycle, and the required outputs.
struct Case {
    name: String,
    control: FloatControl,
    a: u32,
    b: u32,
    c: u32,
    want: Flagged,
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} a {:08x} b {:08x} c {:08x}: {:08x} {}, control {:?}",
            self.name, self.a, self.b, self.c, self.want.value, self.want.cc, self.control
        )
    }
}

/// The float unit as a pipeline of the bench.
struct Unit;

impl Pipeline for Unit {
    type Block = FloatUnit;
    type Case = Case;
    type Output = Flagged;
    const LATENCY: u64 = 7;

    fn block() -> Box<FloatUnit> {
        Box::new(FloatUnit::blank())
    }

    fn drive(&mut self, block: &mut FloatUnit, case: Option<&Case>) {
        if let Some(case) = case {
            block.x_control.next = case.control;
            block.x_a.next = Bits::new(case.a as u64);
            block.x_b.next = Bits::new(case.b as u64);
            block.x_c.next = Bits::new(case.c as u64);
        }
    }

    fn want(case: &Case) -> Flagged {
        case.want
    }

    fn got(block: &FloatUnit) -> Flagged {
        Flagged { value: block.x_result.val().raw() as u32, cc: Cc::from_bits(block.x_condition.val().raw() as u8) }
    }
}

/// Random operands and modifiers of an operation, and the required results.
fn random_case(rng: &mut ChaCha8Rng, operation: FloatOperation) -> Case {
    let FloatCase { control, a, b, c } = flexgrip_exhaustive::cases::float::random_case(rng, operation);
    Case { name: String::new(), control, a, b, c, want: reference(&control, a, b, c) }
}

/// Random cases of each operation.
const RANDOM_CASES: u64 = 300_000;

/// Checks random operands of one operation back to back.
fn random(operation: FloatOperation, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut bench = PipelineBench::new(Unit);
    for _ in 0..RANDOM_CASES {
        bench.step(Some(random_case(&mut rng, operation)));
    }
    assert_eq!(bench.finish(), RANDOM_CASES);
}

#[test]
fn multiply_add_matches_the_arithmetic() {
    random(FloatOperation::MultiplyAdd, 1);
}

#[test]
fn add_matches_the_arithmetic() {
    random(FloatOperation::Add, 2);
}

#[test]
fn multiply_matches_the_arithmetic() {
    random(FloatOperation::Multiply, 3);
}

#[test]
fn set_matches_the_arithmetic() {
    random(FloatOperation::Set, 4);
}

#[test]
fn minimum_and_maximum_match_the_arithmetic() {
    random(FloatOperation::MinMax, 5);
}

#[test]
fn select_matches_the_arithmetic() {
    random(FloatOperation::Select, 6);
}

#[test]
fn to_float_matches_the_arithmetic() {
    random(FloatOperation::ToFloat, 7);
}

#[test]
fn to_integer_matches_the_arithmetic() {
    random(FloatOperation::ToInteger, 8);
}

#[test]
fn from_integer_matches_the_arithmetic() {
    random(FloatOperation::FromInteger, 9);
}

#[test]
fn reduction_for_sine_matches_the_arithmetic() {
    random(FloatOperation::ReduceSine, 10);
}

#[test]
fn reduction_for_power_matches_the_arithmetic() {
    random(FloatOperation::ReducePower, 11);
}

/// The random cases contain exactly the conversions that `make exhaustive` checks with all operands.
#[test]
fn random_conversions_have_all_modes() {
    // The fields that an operation does not use, normalized as in the modes.
    let named = |control: FloatControl| {
        let plain = FloatControl {
            operation: control.operation,
            rounding: control.rounding,
            absolute_a: control.absolute_a,
            negate_a: control.negate_a,
            ..FloatControl::default()
        };
        Control::Float(match control.operation {
            FloatOperation::ToFloat => FloatControl {
                saturate: control.saturate,
                integral: control.integral,
                source_half: control.source_half,
                result_half: control.result_half,
                ..plain
            },
            FloatOperation::ToInteger => FloatControl {
                source_half: control.source_half,
                result_narrow: control.result_narrow,
                result_signed: control.result_signed,
                ..plain
            },
            _ => FloatControl {
                saturate: control.saturate,
                result_half: control.result_half,
                source_width: control.source_width,
                source_signed: control.source_signed,
                ..plain
            },
        })
    };
    let operations = operations(0, 0);
    for (name, operation, seed) in [
        ("f2f", FloatOperation::ToFloat, 7),
        ("f2i", FloatOperation::ToInteger, 8),
        ("i2f", FloatOperation::FromInteger, 9),
    ] {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let cases = (0..RANDOM_CASES).map(|_| named(random_case(&mut rng, operation).control).encode());
        let found: HashSet<u32> = cases.collect();
        let all = operations.iter().find(|of| of.name == name).expect("a conversion");
        for mode in &all.modes {
            if let Inputs::Every { control, .. } = mode.inputs {
                assert!(found.contains(&control.encode()), "{} is in no random case", mode.name);
            }
        }
    }
}

/// The exchange gives the float units the operands of FSWZ to add, and passes all other instructions' operands through.
#[test]
fn quad_exchange_selects_operands_of_fswz() {
    const OPERATIONS: [Quad; 4] = [Quad::Add, Quad::ReverseSubtract, Quad::Subtract, Quad::Move];
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let mut engine = CycleEngine::<QuadExchange<16>>::new(Box::default());
    for _ in 0..20_000 {
        let exchanges = rng.gen_bool(0.8);
        let control = QuadControl {
            exchanges,
            thread: Bits::new(rng.gen_range(0..4)),
            operations: Bits::new(rng.gen_range(0..256)),
        };
        let mut words = || -> [u32; 16] { std::array::from_fn(|_| float(&mut rng)) };
        let (a, b, mut c) = (words(), words(), words());
        if exchanges {
            // The read stage delivers 0.
            c = [0; 16];
        }
        let block = &mut engine.block;
        block.x_quad.next = control;
        for lane in 0..16 {
            block.x_operands[lane].next.a = Bits::new(a[lane].into());
            block.x_operands[lane].next.b = Bits::new(b[lane].into());
            block.x_operands[lane].next.c = Bits::new(c[lane].into());
        }
        engine.settle();
        for lane in 0..16 {
            let first = engine.block.x_exchanged[lane].val().a.raw() as u32;
            let last = engine.block.x_exchanged[lane].val().c.raw() as u32;
            if exchanges {
                let operation = OPERATIONS[control.operations.raw() as usize >> (lane % 4 * 2) & 3];
                let other = b[lane & !3 | control.thread.raw() as usize];
                assert_eq!(
                    fadd(Rounding::Nearest, false, first, last),
                    fswz(operation, other, a[lane]),
                    "{operation:?} lane {lane}: {other:08x} {:08x}",
                    a[lane]
                );
            } else {
                assert_eq!((first, last), (a[lane], c[lane]));
            }
        }
    }
}

/// Starts a new operation every cycle: none may leave state for the next.
#[test]
fn mixed_operations_leave_no_state() {
    const CASES: u64 = 500_000;
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut bench = PipelineBench::new(Unit);
    for _ in 0..CASES {
        let operation = *OPERATIONS.choose(&mut rng).expect("operations");
        bench.step(Some(random_case(&mut rng, operation)));
    }
    assert_eq!(bench.finish(), CASES);
}

/// Tests sums and products of all pairs of special values and of the ends of the exponents' range, in all modes and
/// with all signs.
#[test]
fn corner_values_combine_in_all_modes() {
    const CORNERS: [u32; 20] = [
        0,
        1,
        0x007f_ffff,
        0x0080_0000,
        0x0080_0001,
        0x00ff_ffff,
        0x0b00_0000,
        0x0bff_ffff,
        0x337f_ffff,
        0x3380_0000,
        0x3f7f_ffff,
        0x3f80_0000,
        0x3f80_0001,
        0x4b80_0000,
        0x7eff_ffff,
        0x7f00_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fff_ffff,
    ];
    let corners: Vec<u32> = CORNERS.iter().flat_map(|bits| [*bits, bits | SIGN]).collect();
    let mut bench = PipelineBench::new(Unit);
    let mut cases = 0;
    for &a in &corners {
        for &b in &corners {
            for &c in &corners {
                let control = FloatControl { operation: FloatOperation::MultiplyAdd, ..Default::default() };
                let want = reference(&control, a, b, c);
                let name = String::new();
                bench.step(Some(Case { name, control, a, b, c, want }));
                cases += 1;
            }
            for operation in [FloatOperation::Add, FloatOperation::Multiply] {
                for rounding in 0..4 {
                    let control = FloatControl { operation, rounding: Bits::new(rounding), ..Default::default() };
                    let want = reference(&control, a, b, b);
                    let name = String::new();
                    bench.step(Some(Case { name, control, a, b, c: b, want }));
                    cases += 1;
                }
            }
        }
    }
    assert_eq!(bench.finish(), cases);
}

/// Converts all 16-bit floats to all types, in all modes.
#[test]
fn half_floats_convert_in_all_modes() {
    let mut bench = PipelineBench::new(Unit);
    let mut cases = 0;
    for a in 0..0x1_0000 {
        for mode in 0..16 {
            let operation = match mode & 4 {
                0 => FloatOperation::ToFloat,
                _ => FloatOperation::ToInteger,
            };
            let control = FloatControl {
                operation,
                rounding: Bits::new(mode & 3),
                source_half: true,
                result_half: mode & 8 != 0,
                integral: mode & 8 != 0,
                result_signed: mode & 8 != 0,
                ..Default::default()
            };
            let want = reference(&control, a, 0, 0);
            let name = String::new();
            bench.step(Some(Case { name, control, a, b: 0, c: 0, want }));
            cases += 1;
        }
    }
    assert_eq!(bench.finish(), cases);
}

/// A hexadecimal column; `-` marks an unused column, which reads as 0.
fn number(text: &str) -> u32 {
    match text {
        "-" => 0,
        hex => u32::from_str_radix(hex, 16).unwrap_or_else(|_| panic!("not a number: {hex}")),
    }
}

fn rounding(name: &str) -> Option<Bits<2>> {
    let mode = ["rn", "rm", "rp", "rz"].into_iter().position(|mode| mode == name)?;
    Some(Bits::new(mode as u64))
}

/// The meaning of a vector's operation: the required result of sources 1 to 3.
enum Meaning {
    /// The result of this control.
    One(FloatControl),
    /// The index of the FSET comparison that holds: greater, equal, less, unordered.
    Compare,
}

fn meaning(operation: &str) -> Option<Meaning> {
    let mut control = FloatControl::default();
    let parts: Vec<&str> = operation.split('.').collect();
    match parts[..] {
        ["fcmp(0=gt,1=eq,2=lt,3=un)"] => return Some(Meaning::Compare),
        ["fadd", ref rest @ ..] => {
            control.operation = FloatOperation::Add;
            modifiers(&mut control, rest)?;
        }
        ["fmul", ref rest @ ..] => {
            control.operation = FloatOperation::Multiply;
            modifiers(&mut control, rest)?;
        }
        ["fmad", ref rest @ ..] => {
            control.operation = FloatOperation::MultiplyAdd;
            modifiers(&mut control, rest)?;
        }
        ["fmin"] => control.operation = FloatOperation::MinMax,
        ["fmax"] => {
            control.operation = FloatOperation::MinMax;
            control.maximum = true;
        }
        ["f2f", "f32", "f32"] => control.operation = FloatOperation::ToFloat,
        ["f2f", "f32", "f32", "rint", mode] => {
            control.operation = FloatOperation::ToFloat;
            control.integral = true;
            control.rounding = rounding(mode)?;
        }
        ["f2i", to, "f32", mode] => {
            control.operation = FloatOperation::ToInteger;
            control.result_signed = signed(to)?;
            control.rounding = rounding(mode)?;
        }
        ["i2f", "f32", from, mode] => {
            control.operation = FloatOperation::FromInteger;
            control.source_signed = signed(from)?;
            control.rounding = rounding(mode)?;
        }
        ["rro", "sin"] => control.operation = FloatOperation::ReduceSine,
        ["rro", "ex2"] => control.operation = FloatOperation::ReducePower,
        _ => return None,
    }
    Some(Meaning::One(control))
}

fn modifiers(control: &mut FloatControl, names: &[&str]) -> Option<()> {
    for name in names {
        match *name {
            "sat" => control.saturate = true,
            "trunc" => control.rounding = Bits::new(3),
            _ => return None,
        }
    }
    Some(())
}

fn signed(name: &str) -> Option<bool> {
    match name {
        "s32" => Some(true),
        "u32" => Some(false),
        _ => None,
    }
}

/// Checks the vectors of a file with operations that `is_ours` accepts; returns their number.
fn vectors(file: &str, is_ours: impl Fn(&str) -> bool) -> Option<u64> {
    let path = shared().join(file);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no {}", path.display());
        return None;
    };
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split('\t').collect();
    let column = |name: &str| header.iter().position(|head| *head == name);
    let mut bench = PipelineBench::new(Unit);
    let mut operations: BTreeMap<&str, u64> = BTreeMap::new();
    let mut results = 0;
    for line in lines {
        let columns: Vec<&str> = line.split('\t').collect();
        let of = |names: &[&str]| names.iter().find_map(|name| column(name)).map_or("-", |i| columns[i]);
        let operation = of(&["op"]);
        if !is_ours(operation) {
            continue;
        }
        *operations.entry(operation).or_default() += 1;
        let [one, two, three] = [&["src1", "src"][..], &["src2"], &["src3"]].map(|names| number(of(names)));
        let result = number(of(&["result"]));
        let cc = Cc::from_bits(number(of(&["cc_out"])) as u8);
        let mut push = |control: FloatControl, want: Flagged| {
            let (a, b, c) = (one, two, three);
            let name = line.into();
            bench.step(Some(Case { name, control, a, b, c, want }));
            results += 1;
        };
        let meaning = meaning(operation).unwrap_or_else(|| panic!("an operation that this test does not know: {line}"));
        match meaning {
            Meaning::One(control) => push(control, Flagged { value: result, cc }),
            Meaning::Compare => {
                // Each of the four comparisons separately.
                for order in 0..4 {
                    let control = FloatControl {
                        operation: FloatOperation::Set,
                        compare_greater: order == 0,
                        compare_equal: order == 1,
                        compare_less: order == 2,
                        compare_unordered: order == 3,
                        ..Default::default()
                    };
                    let truth = order == result;
                    let value = if truth { u32::MAX } else { 0 };
                    let cc = Cc::of_set(truth);
                    push(control, Flagged { value, cc });
                }
            }
        }
    }
    assert_eq!(bench.finish(), results);
    let lines = operations.values().sum();
    let cases = format!("{lines} vectors of {} operations", operations.len());
    println!("{file}: {cases}");
    // The file `sfu` has vectors of both this lane and the special function unit.
    let name = path.file_stem().unwrap_or_default().to_string_lossy().replace("sfu", "rro");
    record(&format!("vectors-{name}"), Subject::FloatLane, &cases);
    Some(lines)
}

#[test]
fn vectors_of_arithmetic_agree() {
    if let Some(lines) = vectors("vectors/float.tsv", |_| true) {
        assert!(lines >= 4_800, "{lines}");
    }
}

#[test]
fn vectors_of_edges_agree() {
    if let Some(lines) = vectors("silicon/float_edges.tsv", |_| true) {
        assert!(lines > 0, "{lines}");
    }
}

#[test]
fn vectors_of_conversions_agree() {
    if let Some(lines) = vectors("vectors/cvt.tsv", |_| true) {
        assert!(lines >= 9_500, "{lines}");
    }
}

#[test]
fn vectors_of_range_reduction_agree() {
    if let Some(lines) = vectors("vectors/sfu.tsv", |operation| operation.starts_with("rro")) {
        assert!(lines >= 3_600, "{lines}");
    }
}

/// Repeated operands change nothing, and the block reports no pending work.
#[test]
fn constant_inputs_cause_no_activity() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let mut engine = CycleEngine::<FloatUnit>::new(Box::new(FloatUnit::blank()));
    for _ in 0..200 {
        let operation = *OPERATIONS.choose(&mut rng).expect("operations");
        let case = random_case(&mut rng, operation);
        let block = &mut engine.block;
        block.x_control.next = case.control;
        block.x_a.next = Bits::new(case.a as u64);
        block.x_b.next = Bits::new(case.b as u64);
        block.x_c.next = Bits::new(case.c as u64);
        for _ in 0..=Unit::LATENCY {
            engine.settle();
            engine.tick();
        }
        engine.settle();
        assert!(!hdlkit::Cycle::tick(&mut *engine.block), "another tick changes nothing");
        assert_eq!(engine.block.x_result.val().raw() as u32, case.want.value, "{case}");
    }
}

/// Any operation with any modifiers, including combinations that no instruction has.
fn any_control(rng: &mut ChaCha8Rng) -> FloatControl {
    let operation = *OPERATIONS.choose(rng).expect("operations");
    noise(rng, operation)
}

fn any_operand(rng: &mut ChaCha8Rng) -> Bits<32> {
    let bits = match rng.gen_range(0..4) {
        0 => integer(rng),
        1 => half(rng),
        _ => float(rng),
    };
    Bits::new(bits as u64)
}

/// Tests any operands with any controls in any stage, and any product: the kernel, its Verilog and the gates agree.
#[test]
fn lane_equals_its_verilog() {
    // Gates of so large a block are for the soak tier; the multiplier's gates are in both tiers.
    let simulators =
        [(Simulator::Iverilog, if cfg!(feature = "soak") { 20_000 } else { 8_000 }), (Simulator::Gates, 2_000)];
    for (simulator, cycles) in
        simulators.into_iter().filter(|(s, _)| cfg!(feature = "soak") || !matches!(s, Simulator::Gates))
    {
        let report = cosim_in(simulator, Box::<FloatLane>::default, cycles, 14, |block, rng, _| {
            block.x1_control.next = any_control(rng);
            block.x3_control.next = any_control(rng);
            block.x5_control.next = any_control(rng);
            block.x_operands.next.a = any_operand(rng);
            block.x_operands.next.b = any_operand(rng);
            block.x_operands.next.c = any_operand(rng);
            block.x3_product.next = Bits::new(rng.gen::<u64>() >> rng.gen_range(16..64));
        })
        .unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(report.outputs_that_changed, report.outputs);
    }
}

/// Compares the lane with the multiplier, with each operation's control delayed with its operands.
#[test]
fn lane_and_multiplier_equal_their_verilog() {
    let report = cosim(Box::<FloatUnit>::default, 20_000, 15, |block, rng, _| {
        let operation = *OPERATIONS.choose(rng).expect("operations");
        let case = random_case(rng, operation);
        block.x_control.next = case.control;
        block.x_a.next = Bits::new(case.a as u64);
        block.x_b.next = Bits::new(case.b as u64);
        block.x_c.next = Bits::new(case.c as u64);
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

/// Compares the first two stages alone: the lane's outputs do not show all of their outputs.
#[test]
fn unpack_equals_its_verilog() {
    let report = cosim(Box::<FloatUnpack>::default, 15_000, 18, |block, rng, _| {
        block.x1_control.next = any_control(rng);
        block.x_operands.next.a = any_operand(rng);
        block.x_operands.next.b = any_operand(rng);
        block.x_operands.next.c = any_operand(rng);
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

/// Compares the last three stages alone, on any sum, with combinations of flags that no operation sets.
#[test]
fn pack_equals_its_verilog() {
    let report = cosim(Box::<FloatPack>::default, 15_000, 19, |block, rng, _| {
        block.x5_control.next = any_control(rng);
        block.x5_sum.next = FloatSum {
            magnitude: Bits::new(rng.gen::<u64>() >> rng.gen_range(28..64) << rng.gen_range(0..36)),
            negative: rng.gen(),
            rest: FloatRest {
                exponent: Bits::new(rng.gen_range(0..1024)),
                zero_negative: rng.gen(),
                two_terms: rng.gen(),
                nan: rng.gen_range(0..8) == 0,
                infinite: rng.gen_range(0..8) == 0,
                past: rng.gen_range(0..8) == 0,
                denormal: rng.gen_range(0..8) == 0,
                count: Bits::new(rng.gen_range(0..64)),
                count_beyond: rng.gen_range(0..8) == 0,
            },
        };
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn aligner_equals_its_verilog() {
    let report = cosim(Box::<Aligner>::default, 20_000, 16, |block, rng, _| {
        block.x3_value.next = Bits::new(rng.gen::<u64>() >> rng.gen_range(29..64) << rng.gen_range(0..35));
        block.x3_count.next = Bits::new(rng.gen_range(0..64));
        block.x3_beyond.next = rng.gen_range(0..8) == 0;
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

fn normaliser_equals_its_verilog<const N: usize>() {
    let report = cosim(Box::<Normaliser<N>>::default, 20_000, 17, |block, rng, _| {
        block.value.next = Bits::new(rng.gen::<u64>() >> rng.gen_range(64 - N..64));
        block.exponent.next = Bits::new(rng.gen_range(0..1024));
        block.counted.next = rng.gen();
        block.count.next = Bits::new(rng.gen_range(0..64));
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn normalisers_equal_their_verilog() {
    normaliser_equals_its_verilog::<36>();
    normaliser_equals_its_verilog::<43>();
}

#[test]
fn kernel_passes_the_lint() {
    let findings: Vec<String> = lint(&FloatLane::default()).iter().map(Finding::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
