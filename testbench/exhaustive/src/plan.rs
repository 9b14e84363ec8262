//! The plan of the checks: the operations, the modes of each, and the inputs of each mode.
//!
//! A mode is an operation with its modifiers. Modes with one operand are checked with every value of that operand.
//! Operations with several operands, and all modifiers mixed, are checked with random cases.
//!
//! Absolute value and negation of a float operand only change its sign bit, so plain operands already cover them. The
//! random cases mix them in, and for the few 16-bit sources every combination is checked. For an integer operand they
//! change more than a bit, and are separate modes. So is `.SAT`, which changes the arithmetic.

use crate::cases::float::{self, FloatCase};
use crate::cases::{special, Case, Control};
use flexgrip_hdl::bundles::IntegerWidth;
use flexgrip_hdl::execute::float::{FloatControl, FloatOperation};
use flexgrip_hdl::execute::special_function::{SpecialControl, SpecialOperation};
use hdlkit::prelude::Bits;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number of random cases in a batch. Each batch has its own random number generator.
pub const BATCH: u64 = 1 << 12;

/// The inputs of a mode, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inputs {
    /// Every operand of `bits` bits, with a single control. The number of an input is the operand.
    Every {
        /// The operation and its modifiers.
        control: Control,
        /// The width of the operand, at most 32.
        bits: u32,
    },
    /// Random cases of an operation.
    Random {
        /// The operation; its modifiers are random.
        operation: Choice,
        /// The number of cases, a multiple of [`BATCH`].
        count: u64,
    },
}

/// An operation of one of the units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// An operation of the float lane.
    Float(FloatOperation),
    /// An operation of the special function unit.
    Special(SpecialOperation),
}

impl Choice {
    /// A control for the operation.
    pub fn control(self) -> Control {
        match self {
            Choice::Float(operation) => Control::Float(FloatControl {
                operation,
                ..Default::default()
            }),
            Choice::Special(operation) => Control::Special(SpecialControl {
                operation,
                ..Default::default()
            }),
        }
    }

    /// The cases of a batch.
    pub fn batch(self, number: u64) -> impl Iterator<Item = Case> {
        let mut rng = ChaCha8Rng::seed_from_u64(u64::from(self.control().encode()));
        rng.set_stream(number);
        (0..BATCH).map(move |_| self.random(&mut rng))
    }

    fn random(self, rng: &mut impl Rng) -> Case {
        match self {
            Choice::Special(operation) => special::random_case(rng, operation).into(),
            Choice::Float(operation) => {
                let FloatCase { mut control, a, b, c } = float::random_case(rng, operation);
                if matches!(operation, FloatOperation::Add | FloatOperation::Multiply) {
                    // Rounding is to nearest or toward zero: the instructions have no other modes.
                    let zero = control.rounding.raw() & 1 == 1;
                    control.rounding = Bits::new(if zero { 3 } else { 0 });
                }
                FloatCase { control, a, b, c }.into()
            }
        }
    }
}

/// An operation with its modifiers, and its inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// The name, such as `f2i.s32.f32.rz`.
    pub name: String,
    /// The inputs to check.
    pub inputs: Inputs,
}

impl Mode {
    /// The number of inputs.
    pub fn count(&self) -> u64 {
        match self.inputs {
            Inputs::Every { bits, .. } => 1 << bits,
            Inputs::Random { count, .. } => count,
        }
    }

    /// A control of this mode.
    pub fn control(&self) -> Control {
        match self.inputs {
            Inputs::Every { control, .. } => control,
            Inputs::Random { operation, .. } => operation.control(),
        }
    }
}

/// An operation to check.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// The name, as in the option `--only`.
    pub name: &'static str,
    /// The modes, in the order of the checks.
    pub modes: Vec<Mode>,
}

/// The names of all operations, in the order of the checks.
pub const NAMES: [&str; 14] = [
    "rcp", "rsq", "lg2", "sin", "cos", "ex2", "rro.sin", "rro.ex2", "fadd", "fmul", "fmad", "f2f", "f2i", "i2f",
];

const ROUNDINGS: [(&str, u64); 4] = [("rn", 0), ("rm", 1), ("rp", 2), ("rz", 3)];
const SIGNS: [(&str, bool, bool); 4] = [
    ("", false, false),
    (".abs", true, false),
    (".neg", false, true),
    (".abs.neg", true, true),
];

const CLAMPS: [(&str, bool); 2] = [("", false), (".sat", true)];

/// All operations with all inputs of their modes, and with random cases: `sums` for each operation with several
/// operands, `mixed` for the others. Both numbers are rounded up to whole batches.
pub fn operations(sums: u64, mixed: u64) -> Vec<Operation> {
    NAMES.into_iter().map(|name| operation(name, sums, mixed)).collect()
}

fn operation(name: &'static str, sums: u64, mixed: u64) -> Operation {
    let float = FloatControl::default();
    let random = |choice, count: u64| Mode {
        name: format!("{name} (random)"),
        inputs: Inputs::Random {
            operation: choice,
            count: count.next_multiple_of(BATCH),
        },
    };
    let special = |operation| {
        let control = SpecialControl {
            operation,
            ..Default::default()
        };
        let plain = every(name.into(), Control::Special(control), 32);
        let mixed = random(Choice::Special(operation), mixed);
        if operation != SpecialOperation::Power {
            return vec![plain, mixed];
        }
        let clamped = SpecialControl {
            saturate: true,
            ..control
        };
        let clamped = every(format!("{name}.sat"), Control::Special(clamped), 32);
        vec![plain, clamped, mixed]
    };
    let reduction = |operation| {
        let control = Control::Float(FloatControl { operation, ..float });
        vec![every(name.into(), control, 32), random(Choice::Float(operation), mixed)]
    };
    let sum = |operation| vec![random(Choice::Float(operation), sums)];
    let conversion = |mut modes: Vec<Mode>, operation| {
        modes.push(random(Choice::Float(operation), mixed));
        modes
    };
    let modes = match name {
        "rcp" => special(SpecialOperation::Reciprocal),
        "rsq" => special(SpecialOperation::ReciprocalRoot),
        "lg2" => special(SpecialOperation::Logarithm),
        "sin" => special(SpecialOperation::Sine),
        "cos" => special(SpecialOperation::Cosine),
        "ex2" => special(SpecialOperation::Power),
        "rro.sin" => reduction(FloatOperation::ReduceSine),
        "rro.ex2" => reduction(FloatOperation::ReducePower),
        "fadd" => sum(FloatOperation::Add),
        "fmul" => sum(FloatOperation::Multiply),
        "fmad" => sum(FloatOperation::MultiplyAdd),
        "f2f" => conversion(to_float(), FloatOperation::ToFloat),
        "f2i" => conversion(to_integer(), FloatOperation::ToInteger),
        _ => conversion(from_integer(), FloatOperation::FromInteger),
    };
    Operation { name, modes }
}

fn every(name: String, control: Control, bits: u32) -> Mode {
    Mode {
        name,
        inputs: Inputs::Every { control, bits },
    }
}

/// The combinations of signs that are checked for a source of this number of bits.
fn signs(bits: u32) -> &'static [(&'static str, bool, bool)] {
    if bits == 32 {
        &SIGNS[..1]
    } else {
        &SIGNS
    }
}

fn to_float() -> Vec<Mode> {
    let mut modes = vec![];
    for (from, source_half, bits) in [("f32", false, 32), ("f16", true, 16)] {
        for (to, result_half) in [("f32", false), ("f16", true)] {
            for (integral_name, integral) in [("", false), (".int", true)] {
                for (rounding_name, rounding) in ROUNDINGS {
                    // A float32 that is not converted is exact in all rounding modes, so one of them is enough.
                    if bits == 32 && !integral && !result_half && rounding != 0 {
                        continue;
                    }
                    for (clamp_name, saturate) in CLAMPS {
                        for &(sign_name, absolute_a, negate_a) in signs(bits) {
                            let control = FloatControl {
                                operation: FloatOperation::ToFloat,
                                rounding: Bits::new(rounding),
                                saturate,
                                absolute_a,
                                negate_a,
                                integral,
                                source_half,
                                result_half,
                                ..Default::default()
                            };
                            modes.push(every(
                                format!("f2f.{to}.{from}{integral_name}.{rounding_name}{clamp_name}{sign_name}"),
                                Control::Float(control),
                                bits,
                            ));
                        }
                    }
                }
            }
        }
    }
    modes
}

fn to_integer() -> Vec<Mode> {
    let mut modes = vec![];
    for (from, source_half, bits) in [("f32", false, 32), ("f16", true, 16)] {
        for (to, result_narrow, result_signed) in [
            ("u32", false, false),
            ("s32", false, true),
            ("u16", true, false),
            ("s16", true, true),
        ] {
            for (rounding_name, rounding) in ROUNDINGS {
                for &(sign_name, absolute_a, negate_a) in signs(bits) {
                    let control = FloatControl {
                        operation: FloatOperation::ToInteger,
                        rounding: Bits::new(rounding),
                        absolute_a,
                        negate_a,
                        source_half,
                        result_narrow,
                        result_signed,
                        ..Default::default()
                    };
                    modes.push(every(
                        format!("f2i.{to}.{from}.{rounding_name}{sign_name}"),
                        Control::Float(control),
                        bits,
                    ));
                }
            }
        }
    }
    modes
}

fn from_integer() -> Vec<Mode> {
    let mut modes = vec![];
    for (from, source_width, source_signed, bits) in [
        ("u32", IntegerWidth::Word, false, 32),
        ("s32", IntegerWidth::Word, true, 32),
        ("u16", IntegerWidth::Half, false, 16),
        ("s16", IntegerWidth::Half, true, 16),
        ("u8", IntegerWidth::Byte, false, 8),
        ("s8", IntegerWidth::Byte, true, 8),
    ] {
        for (to, result_half) in [("f32", false), ("f16", true)] {
            for (rounding_name, rounding) in ROUNDINGS {
                for (sign_name, absolute_a, negate_a) in SIGNS {
                    // An unsigned integer equals its absolute value.
                    if bits == 32 && !source_signed && absolute_a {
                        continue;
                    }
                    for (clamp_name, saturate) in CLAMPS {
                        let control = FloatControl {
                            operation: FloatOperation::FromInteger,
                            rounding: Bits::new(rounding),
                            saturate,
                            absolute_a,
                            negate_a,
                            result_half,
                            source_width,
                            source_signed,
                            ..Default::default()
                        };
                        modes.push(every(
                            format!("i2f.{to}.{from}.{rounding_name}{clamp_name}{sign_name}"),
                            Control::Float(control),
                            bits,
                        ));
                    }
                }
            }
        }
    }
    modes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn modes_have_unique_names_and_right_operations() {
        let mut names = BTreeSet::new();
        for operation in operations(1, 1) {
            let first = operation.modes[0].control();
            for mode in &operation.modes {
                assert!(mode.name.starts_with(operation.name), "{}", mode.name);
                assert!(names.insert(mode.name.clone()), "{}", mode.name);
                let same = match (mode.control(), first) {
                    (Control::Float(a), Control::Float(b)) => a.operation == b.operation,
                    (Control::Special(a), Control::Special(b)) => a.operation == b.operation,
                    _ => false,
                };
                assert!(same, "{}", mode.name);
            }
        }
    }

    #[test]
    fn conversions_have_all_their_modes() {
        let all = operations(1, 1);
        let wide = |name: &str| {
            let operation = all.iter().find(|operation| operation.name == name).unwrap();
            operation.modes.iter().filter(|mode| mode.count() == 1 << 32).count()
        };
        // Conversions to the same type, to integral values with four roundings, to 16 bits, and to integral values of
        // 16 bits, with four roundings each; clamped or not.
        assert_eq!(wide("f2f"), 2 * (1 + 4 + 4 + 4));
        assert_eq!(wide("f2i"), 4 * 4);
        // Signs: two for an unsigned, four for a signed integer; clamped or not.
        assert_eq!(wide("i2f"), (2 + 4) * 2 * 4 * 2);
        for name in ["rcp", "rsq", "lg2", "sin", "cos", "rro.sin", "rro.ex2"] {
            assert_eq!(wide(name), 1, "{name}");
        }
        assert_eq!(wide("ex2"), 2);
    }

    #[test]
    fn batches_repeat_and_differ() {
        let choice = Choice::Float(FloatOperation::Add);
        let batch = |number| choice.batch(number).collect::<Vec<_>>();
        assert_eq!(batch(1), batch(1));
        assert_ne!(batch(1), batch(2));
        let rounded_down_or_up = batch(3).iter().any(|case| match case.control {
            Control::Float(control) => [1, 2].contains(&control.rounding.raw()),
            Control::Special(_) => true,
        });
        assert!(!rounded_down_or_up);
    }
}
