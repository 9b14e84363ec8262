//! The integer unit against `flexgrip_arith` and the G80's vectors: a new operation every cycle.

use flexgrip_arith::integer::{
    i2i, iadd, imad, imax, imin, imul16, imul24, iset, lop, plain, sad, shl, shr, Integer, Logic, Order, Product, Sum,
};
use flexgrip_arith::{Cc, Flagged, Width};
use flexgrip_hdl::bundles::{IntegerControl, IntegerOperation, IntegerWidth};
use flexgrip_hdl::execute::integer::IntegerLane;
use flexgrip_hdl::execute::multiplier::Multiplier;
use flexgrip_hdl::execute::shifter::Shifter;
use hdlkit::cosim::{cosim, cosim_in, Simulator};
use hdlkit::lint::{lint, Finding};
use hdlkit::prelude::{Bits, CycleEngine};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

/// What goes into the unit in one cycle, and what must come out.
struct Case {
    name: String,
    control: IntegerControl,
    a: u32,
    b: u32,
    c: u32,
    carry: bool,
    want: Flagged,
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} a {:08x} b {:08x} c {:08x} carry {}: {:08x} {}",
            self.name, self.a, self.b, self.c, self.carry as u8, self.want.value, self.want.cc
        )
    }
}

/// The unit with its parent's part: the control's delay.
struct Bench {
    engine: CycleEngine<IntegerLane>,
    /// Controls of the last two cycles, the later first.
    controls: [IntegerControl; 2],
    /// Cases under way, with the cycle in which the result is due.
    due: VecDeque<(u64, Case)>,
    checked: u64,
}

impl Bench {
    fn new() -> Self {
        Bench {
            engine: CycleEngine::new(Box::default()),
            controls: Default::default(),
            due: VecDeque::new(),
            checked: 0,
        }
    }

    /// One cycle: gives `case` to the unit and checks the result that is due.
    fn step(&mut self, case: Option<Case>) {
        let control = case.as_ref().map(|case| case.control).unwrap_or_default();
        let block = &mut self.engine.block;
        block.x1_control.next = control;
        block.x2_control.next = self.controls[0];
        block.x3_control.next = self.controls[1];
        self.controls = [control, self.controls[0]];
        if let Some(case) = case {
            block.x_a.next = Bits::new(case.a as u64);
            block.x_b.next = Bits::new(case.b as u64);
            block.x_c.next = Bits::new(case.c as u64);
            block.x_carry.next = case.carry;
            self.due.push_back((self.engine.cycle() + 3, case));
        }
        self.engine.settle();
        if self.due.front().is_some_and(|(cycle, _)| *cycle == self.engine.cycle()) {
            let (_, case) = self.due.pop_front().expect("it is there");
            let got = Flagged {
                value: self.engine.block.x_result.val().raw() as u32,
                cc: Cc::from_bits(self.engine.block.x_condition.val().raw() as u8),
            };
            assert_eq!(
                got,
                case.want,
                "cycle {}, got {:08x} {} for {case}",
                self.engine.cycle(),
                got.value,
                got.cc
            );
            self.checked += 1;
        }
        self.engine.tick();
    }

    /// Lets the pipeline run empty; returns how many results were checked.
    fn finish(mut self) -> u64 {
        while !self.due.is_empty() {
            self.step(None);
        }
        self.checked
    }
}

/// An operand where things happen: corners of all widths, shift counts, random bits.
fn operand(rng: &mut impl Rng) -> u32 {
    const CORNERS: [u32; 30] = [
        0,
        1,
        2,
        0x7f,
        0x80,
        0x81,
        0xff,
        0x100,
        0x7ffe,
        0x7fff,
        0x8000,
        0x8001,
        0xfffe,
        0xffff,
        0x1_0000,
        0x7f_ffff,
        0x80_0000,
        0xff_ffff,
        0x100_0000,
        0x7fff_fffe,
        0x7fff_ffff,
        0x8000_0000,
        0x8000_0001,
        0xffff_7fff,
        0xffff_8000,
        0xffff_ff7f,
        0xffff_ff80,
        0xffff_0000,
        0xffff_fffe,
        0xffff_ffff,
    ];
    match rng.gen_range(0..10) {
        0..=4 => *CORNERS.choose(rng).expect("corners"),
        5 => 1 << rng.gen_range(0..32),
        6 => (rng.gen_range(-40..40i32)) as u32,
        7 => rng.gen::<u32>() >> rng.gen_range(0..32),
        _ => rng.gen(),
    }
}

fn shift_count(rng: &mut impl Rng) -> u32 {
    match rng.gen_range(0..4) {
        0 => *[
            63,
            64,
            127,
            255,
            256,
            0x8000,
            0xffff,
            0x1_0000,
            0x8000_0000,
            0xffff_ffff,
        ]
        .choose(rng)
        .expect("counts"),
        1 => operand(rng),
        _ => rng.gen_range(0..34),
    }
}

/// A control with everything at random: what an operation does not name must not matter to it.
fn noise(rng: &mut impl Rng) -> IntegerControl {
    const WIDTHS: [IntegerWidth; 3] = [IntegerWidth::Word, IntegerWidth::Half, IntegerWidth::Byte];
    IntegerControl {
        operation: IntegerOperation::Move,
        narrow: rng.gen(),
        is_signed: rng.gen(),
        saturate: rng.gen(),
        negate_first: rng.gen(),
        negate_last: rng.gen(),
        carry_in: rng.gen(),
        multiply_24: rng.gen(),
        multiply_high: rng.gen(),
        multiply_signed_a: rng.gen(),
        multiply_signed_b: rng.gen(),
        accumulate: rng.gen(),
        shift_right: rng.gen(),
        logic_function: Bits::new(rng.gen_range(0..4)),
        invert_a: rng.gen(),
        invert_b: rng.gen(),
        compare_less: rng.gen(),
        compare_equal: rng.gen(),
        compare_greater: rng.gen(),
        maximum: rng.gen(),
        source_width: WIDTHS[rng.gen_range(0..3)],
        source_signed: rng.gen(),
        result_width: WIDTHS[rng.gen_range(0..3)],
        result_signed: rng.gen(),
        absolute: rng.gen(),
        negate: rng.gen(),
    }
}

fn set_sum(control: &mut IntegerControl, sum: Sum) {
    control.negate_first = sum == Sum::ReverseSubtract;
    control.negate_last = sum == Sum::Subtract;
    control.carry_in = sum == Sum::AddCarry;
}

fn set_product(control: &mut IntegerControl, product: Product) {
    use Product::*;
    let signed = !matches!(product, U16 | U24 | HiU24);
    control.multiply_24 = !matches!(product, U16 | S16 | SatS16);
    control.multiply_signed_a = signed;
    control.multiply_signed_b = signed;
    control.saturate = matches!(product, SatS16 | SatS24 | HiSatS24);
    // Without multiply_24 it has no meaning.
    control.multiply_high = matches!(product, U16 | S16 | SatS16 | HiU24 | HiS24 | HiSatS24);
}

fn integer(width: IntegerWidth, signed: bool) -> Integer {
    match (width, signed) {
        (IntegerWidth::Word, false) => Integer::U32,
        (IntegerWidth::Word, true) => Integer::S32,
        (IntegerWidth::Half, false) => Integer::U16,
        (IntegerWidth::Half, true) => Integer::S16,
        (IntegerWidth::Byte, false) => Integer::U8,
        (IntegerWidth::Byte, true) => Integer::S8,
    }
}

const SUMS: [Sum; 4] = [Sum::Add, Sum::Subtract, Sum::ReverseSubtract, Sum::AddCarry];
const PRODUCTS: [Product; 9] = [
    Product::U16,
    Product::S16,
    Product::SatS16,
    Product::U24,
    Product::S24,
    Product::SatS24,
    Product::HiU24,
    Product::HiS24,
    Product::HiSatS24,
];

/// Kinds of operation that [`random_case`] knows, conversions twice.
const KINDS: u32 = 13;

/// An operation of kind `kind` with random operands.
fn random_case(rng: &mut impl Rng, kind: u32) -> Case {
    let mut control = noise(rng);
    let narrow = control.narrow;
    let width = if narrow { Width::B16 } else { Width::B32 };
    let mask = width.mask();
    let (mut a, mut b, mut c) = (operand(rng), operand(rng), operand(rng));
    if rng.gen_range(0..8) == 0 {
        b = a;
    }
    let carry = rng.gen();
    let (what, want) = match kind {
        0 => {
            (a, b) = (a & mask, b & mask);
            control.operation = IntegerOperation::Move;
            ("move".into(), plain(width, a))
        }
        1 => {
            (a, b) = (a & mask, b & mask);
            control.operation = IntegerOperation::Add;
            let sum = *SUMS.choose(rng).expect("sums");
            set_sum(&mut control, sum);
            let want = iadd(sum, width, control.saturate, a, b, carry);
            (format!("{sum:?} saturate {}", control.saturate), want)
        }
        2 => {
            control.operation = IntegerOperation::Multiply;
            control.accumulate = false;
            control.multiply_24 = false;
            (a, b) = (a & 0xffff, b & 0xffff);
            let signed = (control.multiply_signed_a, control.multiply_signed_b);
            (format!("multiply 16 {signed:?}"), imul16(signed.0, signed.1, a, b))
        }
        3 => {
            control.operation = IntegerOperation::Multiply;
            control.accumulate = false;
            control.multiply_24 = true;
            control.multiply_signed_b = control.multiply_signed_a;
            let (signed, high) = (control.multiply_signed_a, control.multiply_high);
            (
                format!("multiply 24 signed {signed} high {high}"),
                imul24(signed, high, a, b),
            )
        }
        4 => {
            control.operation = IntegerOperation::Multiply;
            control.accumulate = true;
            let product = *PRODUCTS.choose(rng).expect("products");
            let sum = *SUMS.choose(rng).expect("sums");
            set_product(&mut control, product);
            set_sum(&mut control, sum);
            if !control.multiply_24 {
                (a, b) = (a & 0xffff, b & 0xffff);
            }
            if rng.gen_range(0..4) == 0 {
                // Where the sum is about to overflow or to be 0.
                c = imad(product, Sum::Add, a, b, 0, false).value;
                c = *[c, !c, c.wrapping_neg(), 0x7fff_ffffu32.wrapping_sub(c)]
                    .choose(rng)
                    .expect("c");
            }
            let want = imad(product, sum, a, b, c, carry);
            (format!("multiply {product:?} {sum:?}"), want)
        }
        5 => {
            control.operation = IntegerOperation::Shift;
            (a, b) = (a & mask, shift_count(rng) & mask);
            let want = if control.shift_right {
                shr(width, control.is_signed, a, b)
            } else {
                shl(width, a, b)
            };
            (
                format!("shift right {} signed {}", control.shift_right, control.is_signed),
                want,
            )
        }
        6 => {
            control.operation = IntegerOperation::Logic;
            (a, b) = (a & mask, b & mask);
            let logic = [Logic::And, Logic::Or, Logic::Xor, Logic::PassB][control.logic_function.index()];
            let invert = (control.invert_a, control.invert_b);
            (
                format!("{logic:?} inverted {invert:?}"),
                lop(logic, width, invert.0, invert.1, a, b),
            )
        }
        7 => {
            control.operation = IntegerOperation::Set;
            (a, b) = (a & mask, b & mask);
            let order = Order {
                less: control.compare_less,
                equal: control.compare_equal,
                greater: control.compare_greater,
            };
            (
                format!("set {order:?} signed {}", control.is_signed),
                iset(order, width, control.is_signed, a, b),
            )
        }
        8 => {
            control.operation = IntegerOperation::MinMax;
            (a, b) = (a & mask, b & mask);
            let function = if control.maximum { imax } else { imin };
            (
                format!("maximum {} signed {}", control.maximum, control.is_signed),
                function(width, control.is_signed, a, b),
            )
        }
        9 => {
            control.operation = IntegerOperation::SumDistance;
            (a, b) = (a & mask, b & mask);
            if rng.gen_range(0..4) == 0 {
                // Where the sum is 0 or about it.
                c = sad(width, control.is_signed, a, b, 0).value.wrapping_neg();
                c = c.wrapping_add(rng.gen_range(0..3)).wrapping_sub(1);
            }
            (
                format!("distance signed {}", control.is_signed),
                sad(width, control.is_signed, a, b, c),
            )
        }
        10 => {
            control.operation = IntegerOperation::SetCode;
            control.narrow = false;
            let want = Flagged {
                value: a,
                cc: Cc::from_bits(a as u8),
            };
            ("set the code".into(), want)
        }
        _ => {
            control.operation = IntegerOperation::Convert;
            // A value about the ends of the ranges, now and then.
            if rng.gen() {
                let end = *[7, 8, 15, 16, 31].choose(rng).expect("ends");
                a = (1u32 << end).wrapping_add(rng.gen_range(0..5)).wrapping_sub(2);
                if rng.gen() {
                    a = a.wrapping_neg();
                }
            }
            let source = integer(control.source_width, control.source_signed);
            let result = integer(control.result_width, control.result_signed);
            let (absolute, negate) = (control.absolute, control.negate);
            (
                format!("convert {source:?} to {result:?} absolute {absolute} negate {negate}"),
                i2i(source, result, width, absolute, negate, a),
            )
        }
    };
    Case {
        name: format!("{what} narrow {narrow}"),
        control,
        a,
        b,
        c,
        carry,
        want,
    }
}

#[test]
fn random_operations_back_to_back() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut bench = Bench::new();
    for _ in 0..300_000 {
        let kind = rng.gen_range(0..KINDS);
        let case = random_case(&mut rng, kind);
        bench.step(Some(case));
    }
    assert_eq!(bench.finish(), 300_000);
}

#[test]
fn shifts_by_every_count() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut bench = Bench::new();
    let counts = (0..=40)
        .chain([63, 64, 65, 127, 128, 255, 256, 0xffff])
        .chain([0x1_0000, 0x8000_0000, 0xffff_ffff]);
    for count in counts {
        for value in [
            0,
            1,
            0x8000,
            0xffff,
            0x8000_0000,
            0x8000_0001,
            0x7fff_ffff,
            0xffff_ffff,
            0x6db6_5a3c,
        ] {
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
                    want: if shift_right {
                        shr(width, is_signed, a, b)
                    } else {
                        shl(width, a, b)
                    },
                }));
            }
        }
    }
    assert_eq!(bench.finish(), 52 * 9 * 8);
}

/// The same operands again change nothing, and the block knows that it has nothing to do.
#[test]
fn rests_when_the_inputs_do() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut engine = CycleEngine::<IntegerLane>::new(Box::default());
    for _ in 0..100 {
        let case = random_case(&mut rng, 4);
        let block = &mut engine.block;
        block.x1_control.next = case.control;
        block.x2_control.next = case.control;
        block.x3_control.next = case.control;
        block.x_a.next = Bits::new(case.a as u64);
        block.x_b.next = Bits::new(case.b as u64);
        block.x_c.next = Bits::new(case.c as u64);
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

fn shared() -> PathBuf {
    std::env::var_os("FLEXGRIP_SHARED")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")))
}

/// A hexadecimal column; `-` is a column that the operation does not have.
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

/// The control and the sources, as the vectors number them, of a vector's operation; None if its name is not known.
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
fn vectors() {
    let path = shared().join("vectors/int.tsv");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no {}", path.display());
        return;
    };
    let mut bench = Bench::new();
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
            want: Flagged {
                value: number(result),
                cc: Cc::from_bits(number(cc_out) as u8),
            },
        }));
    }
    let lines = operations.values().sum::<u64>();
    assert!(lines > 0, "{} holds no vectors", path.display());
    assert_eq!(bench.finish(), lines);
    println!("{lines} vectors of {} operations", operations.len());
}

/// Any operation, and the rest of the control at random.
fn any_operation(rng: &mut impl Rng) -> IntegerControl {
    let kind = rng.gen_range(0..KINDS);
    IntegerControl {
        operation: random_case(rng, kind).control.operation,
        ..noise(rng)
    }
}

/// Any operands with any controls in any stage, also such as no instruction has: kernel, Verilog and its gates are one
/// circuit.
#[test]
fn lane_equals_its_verilog() {
    for (simulator, cycles) in [(Simulator::Iverilog, 30_000), (Simulator::Gates, 3_000)] {
        let report = cosim_in(simulator, Box::<IntegerLane>::default, cycles, 4, |block, rng, _| {
            block.x1_control.next = any_operation(rng);
            block.x2_control.next = any_operation(rng);
            block.x3_control.next = any_operation(rng);
            block.x_a.next = Bits::new(operand(rng) as u64);
            block.x_b.next = Bits::new(if rng.gen() { operand(rng) } else { shift_count(rng) } as u64);
            block.x_c.next = Bits::new(operand(rng) as u64);
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
    for (simulator, cycles) in [(Simulator::Iverilog, 10_000), (Simulator::Gates, 5_000)] {
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
fn kernel_keeps_the_rules() {
    let findings: Vec<String> = lint(&IntegerLane::default()).iter().map(Finding::to_string).collect();
    assert!(findings.is_empty(), "{}", findings.join("\n"));
}
