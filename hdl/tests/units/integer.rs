//! Compares the integer unit with `flexgrip_arith` and the G80's vectors: a new operation every cycle.

use flexgrip_arith::integer::{shl, shr, Sum};
use flexgrip_arith::{Cc, Flagged, Width};
use flexgrip_exhaustive::conformance::{record, Subject};
use flexgrip_hdl::bundles::{IntegerControl, IntegerOperation};
use flexgrip_hdl::execute::integer::IntegerLane;
use flexgrip_hdl::execute::multiplier::Multiplier;
use flexgrip_hdl::execute::shifter::Shifter;
use flexgrip_skip::shared;
use flexgrip_testbench::integer_cases::{
    noise, operand, random_case, set_product, set_sum, shift_count, Case, KINDS, PRODUCTS,
};
use flexgrip_testbench::pipeline_bench::{Pipeline, PipelineBench};
use hdlkit::lint::{lint, Finding};
use hdlkit::prelude::{Bits, CycleEngine};
use hdlkit_compiled::cosim::{cosim, cosim_in, Simulator};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// The integer unit as a pipeline for the bench, with the control's delay, which is outside the unit.
#[derive(Default)]
struct Unit {
    /// Controls of the last two cycles, the most recent first.
    controls: [IntegerControl; 2],
}

impl Pipeline for Unit {
    type Block = IntegerLane;
    type Case = Case;
    type Output = Flagged;
    const LATENCY: u64 = 3;

    fn block() -> Box<IntegerLane> {
        Box::default()
    }

    fn drive(&mut self, block: &mut IntegerLane, case: Option<&Case>) {
        let control = case.map(|case| case.control).unwrap_or_default();
        block.x1_control.next = control;
        block.x2_control.next = self.controls[0];
        block.x3_control.next = self.controls[1];
        self.controls = [control, self.controls[0]];
        if let Some(case) = case {
            block.x_operands.next.a = Bits::new(case.a as u64);
            block.x_operands.next.b = Bits::new(case.b as u64);
            block.x_operands.next.c = Bits::new(case.c as u64);
            block.x_carry.next = case.carry;
        }
    }

    fn want(case: &Case) -> Flagged {
        case.want
    }

    fn got(block: &IntegerLane) -> Flagged {
        Flagged { value: block.x_result.val().raw() as u32, cc: Cc::from_bits(block.x_condition.val().raw() as u8) }
    }
}

#[test]
fn random_operations_match_the_arithmetic() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut bench = PipelineBench::new(Unit::default());
    for _ in 0..300_000 {
        let kind = rng.gen_range(0..KINDS);
        let case = random_case(&mut rng, kind);
        bench.step(Some(case));
    }
    assert_eq!(bench.finish(), 300_000);
}

#[test]
fn shifts_by_every_count_match_the_arithmetic() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut bench = PipelineBench::new(Unit::default());
    let counts = (0..=40).chain([63, 64, 65, 127, 128, 255, 256, 0xffff]).chain([0x1_0000, 0x8000_0000, 0xffff_ffff]);
    for count in counts {
        for value in [0, 1, 0x8000, 0xffff, 0x8000_0000, 0x8000_0001, 0x7fff_ffff, 0xffff_ffff, 0x6db6_5a3c] {
            for (narrow, shift_right, is_signed) in (0..8).map(|x| (x & 1 != 0, x & 2 != 0, x & 4 != 0)) {
                let width = if narrow { Width::B16 } else { Width::B32 };
                let (a, b) = (value & width.mask(), count & width.mask());
                bench.step(Some(Case {
                    name: format!("shift narrow {narrow} right {shift_right} signed {is_signed}"),
                    control: IntegerControl {
                        operation: IntegerOperation::Shift,
                        narrow,
                        shift_right,
                        is_signed,
                        ..noise(&mut rng)
                    },
                    a,
                    b,
                    c: 0,
                    carry: false,
                    want: if shift_right { shr(width, is_signed, a, b) } else { shl(width, a, b) },
                }));
            }
        }
    }
    assert_eq!(bench.finish(), 52 * 9 * 8);
}

/// Repeated operands change nothing, and the block reports no pending work.
#[test]
fn constant_inputs_cause_no_activity() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut engine = CycleEngine::<IntegerLane>::new(Box::default());
    for _ in 0..100 {
        let case = random_case(&mut rng, 4);
        let block = &mut engine.block;
        block.x1_control.next = case.control;
        block.x2_control.next = case.control;
        block.x3_control.next = case.control;
        block.x_operands.next.a = Bits::new(case.a as u64);
        block.x_operands.next.b = Bits::new(case.b as u64);
        block.x_operands.next.c = Bits::new(case.c as u64);
        block.x_carry.next = case.carry;
        for _ in 0..4 {
            engine.settle();
            engine.tick();
        }
        engine.settle();
        assert!(!hdlkit::Cycle::tick(&mut *engine.block), "a fifth tick changes nothing");
        assert_eq!(engine.block.x_result.val().raw() as u32, case.want.value, "{case}");
    }
}

/// A hexadecimal column; `-` marks an unused column, which reads as 0.
fn number(text: &str) -> u32 {
    match text {
        "-" => 0,
        hex => u32::from_str_radix(hex, 16).unwrap_or_else(|_| panic!("not a number: {hex}")),
    }
}

fn sum(name: &str) -> Option<Sum> {
    Some(match name {
        "add" => Sum::Add,
        "sub" => Sum::Subtract,
        "subr" => Sum::ReverseSubtract,
        "addc" => Sum::AddCarry,
        _ => return None,
    })
}

/// Returns the control and the sources for a vector's operation. `sources` are numbered as in the vectors. `None` if
/// the name is unknown.
fn vector(operation: &str, sources: [u32; 3]) -> Option<(IntegerControl, [u32; 3])> {
    let [one, two, three] = sources;
    let (head, rest) = operation.split_once('.')?;
    let mut control = IntegerControl::default();
    let operands = match head {
        "iadd" => {
            let (rest, width) = rest.rsplit_once('.')?;
            let (name, saturate) = rest.strip_suffix(".sat").map_or((rest, false), |name| (name, true));
            control.operation = IntegerOperation::Add;
            control.narrow = match width {
                "b16" => true,
                "b32" => false,
                _ => return None,
            };
            control.saturate = saturate;
            set_sum(&mut control, sum(name)?);
            [one, three, 0]
        }
        "imad" => {
            let (kind, name) = rest.rsplit_once('.')?;
            let product = PRODUCTS.into_iter().zip([
                "u16",
                "s16",
                "sat.s16",
                "u24",
                "s24",
                "sat.s24",
                "hi.u24",
                "hi.s24",
                "hi.sat.s24",
            ]);
            control.operation = IntegerOperation::Multiply;
            control.accumulate = true;
            set_product(&mut control, product.into_iter().find(|(_, name)| *name == kind)?.0);
            set_sum(&mut control, sum(name)?);
            let mask = if control.multiply_24 { !0 } else { 0xffff };
            [one & mask, two & mask, three]
        }
        "isad" => {
            control.operation = IntegerOperation::SumDistance;
            control.is_signed = rest.starts_with('s');
            control.narrow = match rest.get(1..)? {
                "16" => true,
                "32" => false,
                _ => return None,
            };
            [one, two, three]
        }
        "shl" | "shr" => {
            control.operation = IntegerOperation::Shift;
            control.shift_right = head == "shr";
            control.is_signed = rest.starts_with('s');
            control.narrow = match rest.get(1..)? {
                "16" => true,
                "32" => false,
                _ => return None,
            };
            [one, two, 0]
        }
        _ => return None,
    };
    let mask = if control.narrow { 0xffff } else { !0 };
    Some((control, [operands[0] & mask, operands[1] & mask, operands[2]]))
}

#[test]
fn vectors_agree() {
    vectors_of("vectors/int.tsv");
}

#[test]
fn vectors_of_edges_agree() {
    vectors_of("silicon/int_edges.tsv");
}

fn vectors_of(file: &str) {
    let path = shared().join(file);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no {}", path.display());
        return;
    };
    let mut bench = PipelineBench::new(Unit::default());
    let mut operations: BTreeMap<&str, u64> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [operation, one, two, three, cc_in, result, cc_out] = columns[..] else {
            panic!("{}: seven columns expected: {line}", path.display());
        };
        let (control, [a, b, c]) = vector(operation, [number(one), number(two), number(three)])
            .unwrap_or_else(|| panic!("an operation that this test does not know: {line}"));
        *operations.entry(operation).or_default() += 1;
        bench.step(Some(Case {
            name: line.into(),
            control,
            a,
            b,
            c,
            carry: Cc::from_bits(number(cc_in) as u8).carry(),
            want: Flagged { value: number(result), cc: Cc::from_bits(number(cc_out) as u8) },
        }));
    }
    let lines = operations.values().sum::<u64>();
    assert!(lines > 0, "{} holds no vectors", path.display());
    assert_eq!(bench.finish(), lines);
    let cases = format!("{lines} vectors of {} operations", operations.len());
    println!("{file}: {cases}");
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    record(&format!("vectors-{name}"), Subject::IntegerLane, &cases);
}

/// Any operation, with random modifiers.
fn any_operation(rng: &mut impl Rng) -> IntegerControl {
    let kind = rng.gen_range(0..KINDS);
    IntegerControl { operation: random_case(rng, kind).control.operation, ..noise(rng) }
}

/// Tests any operands with any controls in any stage, including combinations that no instruction has: the kernel, its
/// Verilog and the gates agree.
#[test]
fn lane_equals_its_verilog() {
    // Gates of so large a block are for the soak tier; the multiplier's gates are in both tiers.
    let simulators =
        [(Simulator::Iverilog, if cfg!(feature = "soak") { 30_000 } else { 10_000 }), (Simulator::Gates, 3_000)];
    for (simulator, cycles) in
        simulators.into_iter().filter(|(s, _)| cfg!(feature = "soak") || !matches!(s, Simulator::Gates))
    {
        let report = cosim_in(simulator, Box::<IntegerLane>::default, cycles, 4, |block, rng, _| {
            block.x1_control.next = any_operation(rng);
            block.x2_control.next = any_operation(rng);
            block.x3_control.next = any_operation(rng);
            block.x_operands.next.a = Bits::new(operand(rng) as u64);
            block.x_operands.next.b = Bits::new(if rng.gen() { operand(rng) } else { shift_count(rng) } as u64);
            block.x_operands.next.c = Bits::new(operand(rng) as u64);
            block.x_carry.next = rng.gen();
            block.x1_is_float.next = rng.gen_bool(0.3);
            block.x1_float_a.next = Bits::new(u64::from(operand(rng) >> 7));
            block.x1_float_b.next = Bits::new(u64::from(operand(rng) >> 7));
            block.x4_keep.next = rng.gen();
        })
        .unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(report.outputs_that_changed, report.outputs);
    }
}

#[test]
fn multiplier_equals_its_verilog() {
    for (simulator, cycles) in [(Simulator::Iverilog, 10_000), (Simulator::Gates, 1_000)] {
        let report = cosim_in(simulator, Box::<Multiplier>::default, cycles, 5, |block, rng, _| {
            block.x1_a.next = Bits::new(operand(rng) as u64);
            block.x1_b.next = Bits::new(operand(rng) as u64);
        })
        .unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(report.outputs_that_changed, report.outputs);
    }
}

#[test]
fn shifter_equals_its_verilog() {
    let report = cosim(Box::<Shifter>::default, 20_000, 6, |block, rng, _| {
        block.x1_value.next = Bits::new(operand(rng) as u64);
        block.x1_count.next = Bits::new(shift_count(rng) as u64);
        block.x1_right.next = rng.gen();
        block.x1_is_signed.next = rng.gen();
        block.x1_narrow.next = rng.gen();
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.outputs_that_changed, report.outputs);
}

#[test]
fn kernel_passes_the_lint() {
    let findings: Vec<String> = lint(&IntegerLane::default()).iter().map(Finding::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
