//! A proof that the integer lane's Verilog computes the G80's integer arithmetic, results and condition codes, for all
//! operands. It covers every operation except multiplications, because their decision diagrams are too large.
//!
//! Like decode's proof (`../decode/proof`), it compares functions of all inputs as ordered decision diagrams. yosys
//! turns the lane's exported Verilog into gates. The control bits that select the operation are fixed. All other
//! control bits, which must not matter, the 97 bits of operands and carry, and undefined bits are variables. Every
//! output bit becomes a function of them, and so do the rules below: sums bit by bit like a ripple-carry adder, a shift
//! as a choice for each count. Equal functions are the same node, so an operation is right for all operands, or the
//! proof names operands for which it is wrong. The reader of the gates checks that they are a pipeline without a loop,
//! so a result depends on one cycle's operands alone.
//!
//! The rules must compute the same as [`flexgrip_arith::integer`]. Its code computes with numbers, not with functions,
//! so the rules are compared with it for random operands of every operation ([`try_rules`]).

use flexgrip_arith::Cc;
use flexgrip_exhaustive::bdd::{Diagrams, Function};
use flexgrip_exhaustive::conformance::{record, Subject};
use flexgrip_exhaustive::logic::{Graph, Literal};
use flexgrip_exhaustive::netlist::{Netlist, UNDEFINED};
use flexgrip_exhaustive::ports::{bits, port_fields};
use flexgrip_hdl::bundles::{self, IntegerControl, IntegerOperation, IntegerWidth};
use flexgrip_hdl::execute::integer::IntegerLane;
use flexgrip_testbench::integer_cases::{random_case, KINDS};
use flexgrip_testbench::tools::{found, YOSYS};
use hdlkit::prelude::*;
use hdlkit::verilog::{export, ExportOptions};
use rand::SeedableRng;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

/// The lane with the control's delay, which is outside the lane.
#[derive(Clone, Debug, LogicBlock, Cycle, Blank)]
struct IntegerUnit {
    clock: Signal<In, Clock>,
    x_control: Signal<In, IntegerControl>,
    x_a: Signal<In, Bits<32>>,
    x_b: Signal<In, Bits<32>>,
    x_c: Signal<In, Bits<32>>,
    x_carry: Signal<In, Bit>,
    x_result: Signal<Out, Bits<32>>,
    x_condition: Signal<Out, Bits<4>>,
    lane: IntegerLane,
    x2: DFF<IntegerControl>,
    x3: DFF<IntegerControl>,
    _activity: Activity,
}

impl Logic for IntegerUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x2, x3);
        self.lane.clock.next = self.clock.val();
        self.x2.d.next = self.x_control.val();
        self.x3.d.next = self.x2.q.val();
        self.lane.x1_control.next = self.x_control.val();
        self.lane.x2_control.next = self.x2.q.val();
        self.lane.x3_control.next = self.x3.q.val();
        self.lane.x_operands.next = bundles::Operands { a: self.x_a.val(), b: self.x_b.val(), c: self.x_c.val() };
        self.lane.x_carry.next = self.x_carry.val();
        self.lane.x1_is_float.next = false;
        self.lane.x1_float_a.next = 0.into();
        self.lane.x1_float_b.next = 0.into();
        self.lane.x4_keep.next = false;
        self.x_result.next = self.lane.x_result.val();
        self.x_condition.next = self.lane.x_condition.val();
    }
}

/// Cycles from the operands to the result.
const LATENCY: u32 = 3;
/// Numbers of the inputs: a from 0, b, c, the carry, the control, undefined bits.
const B: u32 = 32;
const C: u32 = 64;
const CARRY: u32 = 96;
const CONTROL: u32 = 100;
const ANY: u32 = 200;

/// An operation: its control, and the control's fields that select the operation.
#[derive(Clone, Debug)]
struct Operation {
    control: IntegerControl,
    named: &'static [&'static str],
    /// The diagrams order b, the count, before a.
    counts_first: bool,
}

/// The required result.
struct Outcome {
    value: Vec<Function>,
    /// Z, S, C, O.
    code: [Function; 4],
}

/// Functions of the operands.
struct Operands {
    diagrams: Diagrams,
    a: Vec<Function>,
    b: Vec<Function>,
    c: Vec<Function>,
    carry: Function,
    counts_first: bool,
}

impl Operands {
    /// In a narrow operation the upper bits of a and b are 0.
    fn new(operation: &Operation) -> Self {
        let mut operands = Operands {
            diagrams: Diagrams::default(),
            a: vec![],
            b: vec![],
            c: vec![],
            carry: Function::FALSE,
            counts_first: operation.counts_first,
        };
        let width = if operation.control.narrow { 16 } else { 32 };
        let word = |operands: &mut Operands, first: u32, width: u32| -> Vec<Function> {
            let bit = |bit: u32| match bit < width {
                true => operands.input(first + bit),
                false => Function::FALSE,
            };
            (0..32).map(bit).collect()
        };
        // A conversion's source has its own width.
        let source = if operation.control.operation == IntegerOperation::Convert { 32 } else { width };
        operands.a = word(&mut operands, 0, source);
        operands.b = word(&mut operands, B, width);
        operands.c = word(&mut operands, C, 32);
        operands.carry = operands.input(CARRY);
        operands
    }

    /// The position of an input in the variable order: sums need the operands' bits interleaved, shifts the count
    /// first.
    fn level(&self, number: u32) -> u32 {
        match number {
            CARRY => 0,
            B..C if self.counts_first => 1 + number - B,
            0..B if self.counts_first => 40 + number,
            0..CARRY => 1 + number % 32 * 3 + number / 32,
            _ => number + CARRY,
        }
    }

    fn input(&mut self, number: u32) -> Function {
        let level = self.level(number);
        self.diagrams.variable(level)
    }

    fn not(word: &[Function]) -> Vec<Function> {
        word.iter().map(|bit| !*bit).collect()
    }

    /// The sum of words of equal length, with the carries into and out of the highest bit.
    fn sum(&mut self, a: &[Function], b: &[Function], carry: Function) -> (Vec<Function>, Function, Function) {
        let (mut sum, mut into, mut carry) = (vec![], carry, carry);
        for (a, b) in a.iter().zip(b) {
            into = carry;
            let one = self.diagrams.xor(*a, *b);
            sum.push(self.diagrams.xor(one, carry));
            carry = self.diagrams.choose(one, carry, *a);
        }
        (sum, into, carry)
    }

    fn choose(&mut self, select: Function, yes: &[Function], no: &[Function]) -> Vec<Function> {
        let pairs = yes.iter().zip(no);
        pairs.map(|(yes, no)| self.diagrams.choose(select, *yes, *no)).collect()
    }

    /// True if a is less than b.
    fn less(&mut self, a: &[Function], b: &[Function], signed: bool) -> Function {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        if let (true, Some(a), Some(b)) = (signed, a.last_mut(), b.last_mut()) {
            (*a, *b) = (!*a, !*b);
        }
        let (_, _, no_borrow) = self.sum(&a, &Self::not(&b), Function::TRUE);
        !no_borrow
    }

    fn is_zero(&mut self, word: &[Function]) -> Function {
        self.diagrams.all(word.iter().map(|bit| !*bit))
    }

    /// A result of this width: its upper bits are 0, and Z and S are computed from the width.
    fn outcome(&mut self, value: &[Function], carry: Function, overflow: Function) -> Outcome {
        let zero = self.is_zero(value);
        let sign = value.last().copied().unwrap_or(Function::FALSE);
        let mut value = value.to_vec();
        value.resize(32, Function::FALSE);
        Outcome { value, code: [zero, sign, carry, overflow] }
    }

    fn plain(&mut self, value: &[Function]) -> Outcome {
        self.outcome(value, Function::FALSE, Function::FALSE)
    }

    /// The low `width` bits of a number.
    fn number(number: i64, width: usize) -> Vec<Function> {
        (0..width).map(|bit| Function::constant(number >> bit & 1 == 1)).collect()
    }

    /// The operation's result according to the rules.
    fn rules(&mut self, control: &IntegerControl) -> Outcome {
        let width = if control.narrow { 16 } else { 32 };
        let (a, b) = (self.a[..width].to_vec(), self.b[..width].to_vec());
        match control.operation {
            IntegerOperation::Move => self.plain(&a),
            IntegerOperation::SetCode => Outcome { value: a.clone(), code: [a[0], a[1], a[2], a[3]] },
            IntegerOperation::Add => self.addition(control, &a, &b),
            IntegerOperation::Shift => self.shift(control, &a),
            IntegerOperation::Logic => {
                let a = if control.invert_a { Self::not(&a) } else { a };
                let b = if control.invert_b { Self::not(&b) } else { b };
                let bits = a.iter().zip(&b).map(|(a, b)| match control.logic_function.raw() {
                    0 => self.diagrams.and(*a, *b),
                    1 => self.diagrams.or(*a, *b),
                    2 => self.diagrams.xor(*a, *b),
                    _ => *b,
                });
                let bits: Vec<Function> = bits.collect();
                self.plain(&bits)
            }
            IntegerOperation::Set => {
                let less = self.less(&a, &b, control.is_signed);
                let greater = self.less(&b, &a, control.is_signed);
                let holds = [
                    (control.compare_less, less),
                    (control.compare_greater, greater),
                    (control.compare_equal, !self.diagrams.or(less, greater)),
                ];
                let truth = holds
                    .into_iter()
                    .filter(|(asked, _)| *asked)
                    .fold(Function::FALSE, |truth, (_, holds)| self.diagrams.or(truth, holds));
                let mut value = vec![truth; width];
                value.resize(32, Function::FALSE);
                Outcome { value, code: [!truth, truth, Function::FALSE, Function::FALSE] }
            }
            IntegerOperation::MinMax => {
                let less = self.less(&a, &b, control.is_signed);
                let a_it_is = if control.maximum { !less } else { less };
                let value = self.choose(a_it_is, &a, &b);
                self.plain(&value)
            }
            IntegerOperation::SumDistance => {
                let less = self.less(&a, &b, control.is_signed);
                let (forth, ..) = self.sum(&a, &Self::not(&b), Function::TRUE);
                let (back, ..) = self.sum(&b, &Self::not(&a), Function::TRUE);
                let mut distance = self.choose(less, &back, &forth);
                // Even a 16-bit distance is added to 32 bits.
                distance.resize(32, Function::FALSE);
                let c = self.c.clone();
                let (sum, into, carry) = self.sum(&distance, &c, Function::FALSE);
                let overflow = self.diagrams.xor(into, carry);
                self.outcome(&sum, carry, overflow)
            }
            IntegerOperation::Convert => self.conversion(control, width),
            other => panic!("no rules for {other:?}"),
        }
    }

    fn addition(&mut self, control: &IntegerControl, a: &[Function], b: &[Function]) -> Outcome {
        let (a, b, carry) = match (control.negate_first, control.negate_last, control.carry_in) {
            (true, ..) => (Self::not(a), b.to_vec(), Function::TRUE),
            (_, true, _) => (a.to_vec(), Self::not(b), Function::TRUE),
            (.., true) => (a.to_vec(), b.to_vec(), self.carry),
            _ => (a.to_vec(), b.to_vec(), Function::FALSE),
        };
        let (mut sum, into, carry) = self.sum(&a, &b, carry);
        let overflow = self.diagrams.xor(into, carry);
        if control.saturate {
            // On overflow, the result is the limit in the direction of the addends' sign.
            let negative = a[a.len() - 1];
            let mut end = vec![!negative; a.len()];
            end[a.len() - 1] = negative;
            sum = self.choose(overflow, &end, &sum);
        }
        self.outcome(&sum, carry, overflow)
    }

    /// A shift by each count below the width; larger counts shift everything out.
    fn shift(&mut self, control: &IntegerControl, a: &[Function]) -> Outcome {
        let (width, sign) = (a.len(), a[a.len() - 1]);
        let arithmetic = control.shift_right && control.is_signed;
        let fill = if arithmetic { sign } else { Function::FALSE };
        let (mut value, mut lost, mut overflow) = (vec![fill; width], Function::FALSE, Function::FALSE);
        let count = self.b.clone();
        for by in 0..width {
            let is = self.diagrams.is(&count, by as u64);
            let shifted: Vec<Function> = (0..width)
                .map(|bit| match control.shift_right {
                    true => a.get(bit + by).copied().unwrap_or(fill),
                    false => bit.checked_sub(by).map_or(Function::FALSE, |from| a[from]),
                })
                .collect();
            value = self.choose(is, &shifted, &value);
            let last = match (by, control.shift_right) {
                (0, _) => Function::FALSE,
                (_, true) => a[by - 1],
                (_, false) => a[width - by],
            };
            lost = self.diagrams.choose(is, last, lost);
            if by == 1 {
                // The sign changes.
                let changed = self.diagrams.xor(sign, shifted[width - 1]);
                overflow = self.diagrams.and(is, changed);
            }
        }
        self.outcome(&value, lost, overflow)
    }

    fn conversion(&mut self, control: &IntegerControl, width: usize) -> Outcome {
        let bits = |width: IntegerWidth| match width {
            IntegerWidth::Word => 32,
            IntegerWidth::Half => 16,
            IntegerWidth::Byte => 8,
        };
        // The exact value, with a sign and one more bit than the negation of any source needs.
        const EXACT: usize = 34;
        let from = bits(control.source_width);
        let sign = match control.source_signed {
            true => self.a[from - 1],
            false => Function::FALSE,
        };
        let mut value = self.a[..from].to_vec();
        value.resize(EXACT, sign);
        let zero = Self::number(0, EXACT);
        let negated =
            |operands: &mut Operands, value: &[Function]| operands.sum(&Self::not(value), &zero, Function::TRUE).0;
        if control.absolute {
            let negative = negated(self, &value);
            value = self.choose(sign, &negative, &value);
        }
        if control.negate {
            value = negated(self, &value);
        }
        let to = bits(control.result_width);
        let (low, high) = match control.result_signed {
            true => (-(1i64 << (to - 1)), (1i64 << (to - 1)) - 1),
            false => (0, (1i64 << to) - 1),
        };
        let (low, high) = (Self::number(low, EXACT), Self::number(high, EXACT));
        let below = self.less(&value, &low, true);
        let above = self.less(&high, &value, true);
        value = self.choose(below, &low, &value);
        value = self.choose(above, &high, &value);
        self.plain(&value[..width])
    }
}

fn netlist() -> &'static Netlist {
    static NETLIST: OnceLock<Netlist> = OnceLock::new();
    NETLIST.get_or_init(|| {
        const NAME: &str = "integer_unit";
        let verilog = export(&*Box::new(IntegerUnit::blank()), &ExportOptions::new(NAME));
        let verilog = verilog.unwrap_or_else(|error| panic!("{error}"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("integer_proof");
        let netlist = Netlist::of_verilog(NAME, &verilog, &folder).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(netlist.latency(), LATENCY);
        netlist
    })
}

/// The lane's gates for an operation, with the result's bits, then the condition code's bits.
fn gates(operation: &Operation) -> (Graph, Vec<Literal>) {
    let fixed = bits(operation.control).expect("a type that rust-hdl describes");
    let places = port_fields::<IntegerControl>();
    let is_named = |bit: usize| {
        let place = places.iter().find(|place| (place.low..place.low + place.width).contains(&bit));
        place.is_some_and(|place| place.name == "operation" || operation.named.contains(&place.name.as_str()))
    };
    let width = if operation.control.narrow { 16 } else { 32 };
    let source = if operation.control.operation == IntegerOperation::Convert { 32 } else { width };
    let mut graph = Graph::default();
    let mut outputs = netlist().add_to(&mut graph, |graph, port, bit| {
        let number = bit as u32;
        match port {
            "x_control" if is_named(bit) => Literal::constant(fixed[bit]),
            "x_control" => graph.input(CONTROL + number),
            "x_a" if number < source => graph.input(number),
            "x_b" if number < width => graph.input(B + number),
            "x_a" | "x_b" => Literal::FALSE,
            "x_c" => graph.input(C + number),
            "x_carry" => graph.input(CARRY),
            UNDEFINED => graph.input(ANY + number),
            port => panic!("an input {port}"),
        }
    });
    let mut bits = outputs.remove("x_result").expect("a port x_result");
    bits.extend(outputs.remove("x_condition").expect("a port x_condition"));
    (graph, bits)
}

/// The first difference between the gates and the rules.
fn difference(operands: &mut Operands, outcome: &Outcome, graph: &Graph, outputs: &[Literal]) -> Option<String> {
    let levels: Vec<u32> = (0..2 * ANY).map(|number| operands.level(number)).collect();
    let functions = operands.diagrams.of_gates(graph, outputs, |diagrams, number| {
        diagrams.variable(levels.get(number as usize).copied().unwrap_or(number + CARRY))
    });
    let expected: Vec<Function> = outcome.value.iter().chain(&outcome.code).copied().collect();
    assert_eq!(functions.len(), expected.len());
    for (place, (function, expected)) in functions.iter().zip(&expected).enumerate() {
        let differs = operands.diagrams.xor(*function, *expected);
        let Some(values) = operands.diagrams.example(differs) else {
            continue;
        };
        let is = |level: u32| values.contains(&(level, true));
        let word =
            |first: u32| (0..32).fold(0u32, |word, bit| word | u32::from(is(levels[(first + bit) as usize])) << bit);
        let output = match place {
            0..32 => format!("bit {place} of the result"),
            _ => ["Z", "S", "C", "O"][place - 32].to_owned(),
        };
        let found = operands.diagrams.value(*function, is);
        return Some(format!(
            "a {:08x} b {:08x} c {:08x} carry {}: {output} is {}, by the rules {}",
            word(0),
            word(B),
            word(C),
            u32::from(is(levels[CARRY as usize])),
            u32::from(found),
            u32::from(!found)
        ));
    }
    None
}

const BOTH: [bool; 2] = [false, true];

/// All combinations of `COUNT` flags.
fn flags<const COUNT: usize>() -> impl Iterator<Item = [bool; COUNT]> {
    (0..1u32 << COUNT).map(|number| std::array::from_fn(|bit| number >> bit & 1 == 1))
}

fn operation(control: IntegerControl, named: &'static [&'static str]) -> Operation {
    Operation { control, named, counts_first: control.operation == IntegerOperation::Shift }
}

fn additions() -> Vec<Operation> {
    const NAMED: &[&str] = &["narrow", "saturate", "negate_first", "negate_last", "carry_in"];
    let kinds = flags::<5>().filter(|[_, _, kind @ ..]| kind.iter().filter(|is| **is).count() <= 1);
    let controls = kinds.map(|[narrow, saturate, negate_first, negate_last, carry_in]| IntegerControl {
        operation: IntegerOperation::Add,
        narrow,
        saturate,
        negate_first,
        negate_last,
        carry_in,
        ..Default::default()
    });
    controls.map(|control| operation(control, NAMED)).collect()
}

fn left_shifts() -> Vec<Operation> {
    let controls =
        BOTH.map(|narrow| IntegerControl { operation: IntegerOperation::Shift, narrow, ..Default::default() });
    controls.map(|control| operation(control, &["narrow", "shift_right"])).to_vec()
}

fn right_shifts(is_signed: bool) -> Vec<Operation> {
    let controls = BOTH.map(|narrow| IntegerControl {
        operation: IntegerOperation::Shift,
        narrow,
        is_signed,
        shift_right: true,
        ..Default::default()
    });
    controls.map(|control| operation(control, &["narrow", "shift_right", "is_signed"])).to_vec()
}

fn distances() -> Vec<Operation> {
    let controls = flags().map(|[narrow, is_signed]| IntegerControl {
        operation: IntegerOperation::SumDistance,
        narrow,
        is_signed,
        ..Default::default()
    });
    controls.map(|control| operation(control, &["narrow", "is_signed"])).collect()
}

fn moves() -> Vec<Operation> {
    let moves = BOTH.map(|narrow| IntegerControl { operation: IntegerOperation::Move, narrow, ..Default::default() });
    let code = IntegerControl { operation: IntegerOperation::SetCode, ..Default::default() };
    moves.into_iter().chain([code]).map(|control| operation(control, &["narrow"])).collect()
}

fn logic() -> Vec<Operation> {
    const NAMED: &[&str] = &["narrow", "logic_function", "invert_a", "invert_b"];
    let functions = (0..4).flat_map(|function| flags().map(move |flags| (function, flags)));
    let controls = functions.map(|(function, [narrow, invert_a, invert_b])| IntegerControl {
        operation: IntegerOperation::Logic,
        narrow,
        logic_function: Bits::new(function),
        invert_a,
        invert_b,
        ..Default::default()
    });
    controls.map(|control| operation(control, NAMED)).collect()
}

fn comparisons() -> Vec<Operation> {
    const NAMED: &[&str] = &["narrow", "is_signed", "compare_less", "compare_equal", "compare_greater"];
    let controls = flags().map(|[narrow, is_signed, compare_less, compare_equal, compare_greater]| IntegerControl {
        operation: IntegerOperation::Set,
        narrow,
        is_signed,
        compare_less,
        compare_equal,
        compare_greater,
        ..Default::default()
    });
    controls.map(|control| operation(control, NAMED)).collect()
}

fn extremes() -> Vec<Operation> {
    let controls = flags().map(|[narrow, is_signed, maximum]| IntegerControl {
        operation: IntegerOperation::MinMax,
        narrow,
        is_signed,
        maximum,
        ..Default::default()
    });
    controls.map(|control| operation(control, &["narrow", "is_signed", "maximum"])).collect()
}

fn conversions() -> Vec<Operation> {
    const WIDTHS: [IntegerWidth; 3] = [IntegerWidth::Word, IntegerWidth::Half, IntegerWidth::Byte];
    const NAMED: &[&str] =
        &["narrow", "source_width", "source_signed", "result_width", "result_signed", "absolute", "negate"];
    let widths = WIDTHS.into_iter().flat_map(|source| WIDTHS.map(|result| (source, result)));
    let all = widths.flat_map(|widths| flags().map(move |flags| (widths, flags)));
    let controls = all.map(|(widths, [narrow, source_signed, result_signed, absolute, negate])| IntegerControl {
        operation: IntegerOperation::Convert,
        narrow,
        source_width: widths.0,
        source_signed,
        result_width: widths.1,
        result_signed,
        absolute,
        negate,
        ..Default::default()
    });
    controls.map(|control| operation(control, NAMED)).collect()
}

/// Compares the rules, for single operands, with `flexgrip_arith`.
fn try_rules(operations: &[Operation]) {
    let places = port_fields::<IntegerControl>();
    struct Known {
        /// The required value of each control bit; `None` if it does not matter.
        pattern: Vec<Option<bool>>,
        operands: Operands,
        outcome: Outcome,
    }
    let mut known: Vec<Known> = vec![];
    for operation in operations {
        let fixed = bits(operation.control).expect("a type that rust-hdl describes");
        let named = places.iter().flat_map(|place| {
            let is = place.name == "operation" || operation.named.contains(&place.name.as_str());
            std::iter::repeat_n(is, place.width)
        });
        let pattern = fixed.into_iter().zip(named).map(|(bit, named)| named.then_some(bit));
        let pattern = pattern.collect();
        let mut operands = Operands::new(operation);
        let outcome = operands.rules(&operation.control);
        known.push(Known { pattern, operands, outcome });
    }
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let mut seen = vec![false; known.len()];
    for _ in 0..60_000 {
        let kind = rand::Rng::gen_range(&mut rng, 0..KINDS);
        let case = random_case(&mut rng, kind);
        let control = bits(case.control).expect("a type that rust-hdl describes");
        let is = |known: &Known| {
            let mut bits = known.pattern.iter().zip(&control);
            bits.all(|(pattern, bit)| pattern.is_none_or(|is| is == *bit))
        };
        let Some(place) = known.iter().position(is) else {
            continue;
        };
        let Known { operands, outcome, .. } = &known[place];
        let value = |level: u32| {
            let number = (0..=CARRY).find(|number| operands.level(*number) == level);
            match number {
                Some(CARRY) => case.carry,
                Some(number) => [case.a, case.b, case.c][number as usize / 32] >> (number % 32) & 1 == 1,
                None => false,
            }
        };
        let number = |bits: &[Function]| {
            let bits = bits.iter().enumerate();
            bits.fold(0u32, |number, (place, bit)| number | u32::from(operands.diagrams.value(*bit, value)) << place)
        };
        let (found, code) = (number(&outcome.value), Cc::from_bits(number(&outcome.code) as u8));
        assert_eq!(
            (found, code),
            (case.want.value, case.want.cc),
            "by the rules {found:08x} {code}, by the arithmetic: {case}"
        );
        seen[place] = true;
    }
    assert!(!seen.contains(&false), "not every operation was tried");
}

/// Tries the operations' rules, proves that the gates obey them, and checks that the proof fails with one gate
/// inverted, for every `gates_apart`-th gate.
fn prove(name: &str, operations: Vec<Operation>, gates_apart: usize) {
    try_rules(&operations);
    if !found(YOSYS) {
        return;
    }
    netlist();
    let start = Instant::now();
    let (count, mut broken, mut found, mut nodes) = (operations.len(), 0, 0, 0);
    for operation in operations {
        let mut operands = Operands::new(&operation);
        let outcome = operands.rules(&operation.control);
        let (graph, outputs) = gates(&operation);
        if let Some(difference) = difference(&mut operands, &outcome, &graph, &outputs) {
            panic!("{difference} ({:?})", operation.control);
        }
        nodes = nodes.max(operands.diagrams.nodes());
        for place in graph.gates(&outputs).into_iter().step_by(gates_apart) {
            let (graph, outputs) = graph.with_inverted(&outputs, place);
            found += usize::from(difference(&mut operands, &outcome, &graph, &outputs).is_some());
            broken += 1;
        }
    }
    println!(
        "{name}: {count} operations proven for all operands, at most {nodes} nodes of decision diagrams; {found} of \
         {broken} inverted gates are found; {:.1} s",
        start.elapsed().as_secs_f64()
    );
    // A single operation does not need every gate. For example, the difference between less and greater may matter only
    // if both are used.
    assert!(found * 10 >= broken * 9, "only {found} of {broken} inverted gates are found");
    record(
        &format!("integer-proof-{}", name.replace(' ', "-")),
        Subject::IntegerLane,
        &format!("{count} operations, all operands, proven"),
    );
}

#[test]
fn additions_are_proven() {
    prove("additions", additions(), 7);
}

#[test]
fn left_shifts_are_proven() {
    prove("left shifts", left_shifts(), 7);
}

#[test]
fn right_shifts_are_proven() {
    prove("right shifts", right_shifts(false), 7);
}

#[test]
fn signed_right_shifts_are_proven() {
    prove("signed right shifts", right_shifts(true), 7);
}

#[test]
fn sums_of_distances_are_proven() {
    prove("sums of distances", distances(), 7);
}

#[test]
fn moves_logic_and_comparisons_are_proven() {
    prove("moves", moves(), 7);
    prove("logic", logic(), 7);
    prove("comparisons", comparisons(), 7);
    prove("minima and maxima", extremes(), 7);
}

#[test]
fn conversions_are_proven() {
    prove("conversions", conversions(), 50);
}
