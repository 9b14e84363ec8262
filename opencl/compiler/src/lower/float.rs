//! Lowering of 32-bit floats.
//!
//! A product, sum, comparison or conversion is one instruction and rounded as in PTX, except that denormals are zeros.
//! A division is a product with the reciprocal, within 2 ulp; a square root is the reciprocal of the reciprocal square
//! root, within 3 ulp.

use super::arithmetic::{logic, mirrored};
use super::{full, Lowering};
use crate::error::CompileError;
use crate::ir::{self, Accuracy, Argument, Comparison, Value};
use crate::machine_ir::{Destination, Source, Word};
use crate::ptx::ast::{Kind, Type};
use flexgrip_isa::{
    Float, FloatOrder, Integer, Logic, Operation, Order, RegisterPart, Rounding, Sign, SpecialFunction, Width,
};

const SIGN_BIT: u32 = 0x8000_0000;
/// 2^126: the reciprocals of larger numbers are denormal.
const LARGE: u32 = 0x7e80_0000;
const QUARTER: u32 = 0x3e80_0000;
const ONE: u32 = 0x3f80_0000;

pub(super) fn rounding(rounding: ir::Rounding) -> Rounding {
    match rounding {
        ir::Rounding::Nearest => Rounding::Nearest,
        ir::Rounding::Zero => Rounding::Zero,
        ir::Rounding::Down => Rounding::Down,
        ir::Rounding::Up => Rounding::Up,
    }
}

/// Rounds to an integral value.
pub(super) fn to_integral(mode: ir::Rounding) -> Operation {
    Operation::F2f {
        from: Float::F32,
        to: Float::F32,
        sign: Sign::PLAIN,
        rounding: rounding(mode),
        integral: true,
        saturate: false,
    }
}

pub(super) fn special(function: SpecialFunction) -> Operation {
    Operation::Special {
        function,
        sign: Sign::PLAIN,
        saturate: false,
    }
}

pub(super) const fn multiply(rounding: Rounding) -> Operation {
    Operation::Fmul {
        rounding,
        saturate: false,
        negate1: false,
        negate2: false,
    }
}

const MULTIPLY: Operation = multiply(Rounding::Nearest);

/// Converts a 16-bit float, in the low half of a word, to 32 bits.
fn half_to_float() -> Operation {
    Operation::F2f {
        from: Float::F16,
        to: Float::F32,
        sign: Sign::PLAIN,
        rounding: Rounding::Nearest,
        integral: false,
        saturate: false,
    }
}

fn add(negate1: bool, negate3: bool) -> Operation {
    Operation::Fadd {
        rounding: Rounding::Nearest,
        saturate: false,
        negate1,
        negate3,
    }
}

fn compare(comparison: Comparison, sign1: Sign) -> Operation {
    Operation::Fset {
        order: FloatOrder {
            ordered: Order {
                less: comparison.less,
                equal: comparison.equal,
                greater: comparison.greater,
            },
            unordered: comparison.unordered,
        },
        sign1,
        sign2: Sign::PLAIN,
    }
}

impl Lowering<'_> {
    pub(super) fn float(
        &mut self,
        instruction: &ir::Instruction,
        result: Value,
        arguments: &[Argument],
    ) -> Result<(), CompileError> {
        use ir::Operation::*;
        let to = self.low(result);
        match (instruction.operation, arguments) {
            (Add, &[a, b]) => {
                let (a, b) = self.number_last(a, b);
                self.sum(add(false, false), to, a, b);
            }
            (Subtract, &[a, Argument::Constant(number)]) => {
                let a = self.source(a);
                self.sum(add(false, false), to, a, Source::Immediate(number as u32 ^ SIGN_BIT));
            }
            (Subtract, &[a, b]) => {
                let (a, b) = (self.source(a), self.source(b));
                match a {
                    Source::Immediate(_) => self.sum(add(true, false), to, b, a),
                    _ => self.sum(add(false, true), to, a, b),
                }
            }
            (Multiply, &[a, b]) => {
                let (a, b) = self.number_last(a, b);
                self.binary(MULTIPLY, to, a, b);
            }
            (FusedMultiplyAdd, &[a, b, c]) => {
                let (a, b) = self.number_last(a, b);
                let c = self.source(c);
                let operation = Operation::Fmad {
                    saturate: false,
                    negate_product: false,
                    negate3: false,
                };
                self.emit(operation, Destination::Word(to), [Some(a), Some(b), Some(c)]);
            }
            (Minimum | Maximum, &[a, b]) => {
                let (a, b) = self.number_last(a, b);
                let (sign1, sign2) = (Sign::PLAIN, Sign::PLAIN);
                let operation = match instruction.operation {
                    Minimum => Operation::Fmin { sign1, sign2 },
                    _ => Operation::Fmax { sign1, sign2 },
                };
                self.binary(operation, to, a, b);
            }
            (Negate, &[a]) => {
                let a = self.source(a);
                self.binary(logic(Logic::Xor), to, a, Source::Immediate(SIGN_BIT));
            }
            (Absolute, &[a]) => {
                let a = self.source(a);
                self.binary(logic(Logic::And), to, a, Source::Immediate(!SIGN_BIT));
            }
            (Divide(accuracy), &[a, b]) => {
                let (a, b) = (self.word(a), self.word(b));
                self.divide_float(to, a, b, accuracy);
            }
            (Reciprocal(_), &[a]) => {
                let a = full(self.word(a));
                self.unary(special(SpecialFunction::Reciprocal), to, a);
            }
            (ReciprocalRoot, &[a]) => {
                let a = full(self.word(a));
                self.unary(special(SpecialFunction::ReciprocalRoot), to, a);
            }
            (SquareRoot(_), &[a]) => {
                let a = full(self.word(a));
                let reciprocal = self.temporary();
                self.unary(special(SpecialFunction::ReciprocalRoot), reciprocal, a);
                self.unary(special(SpecialFunction::Reciprocal), to, full(reciprocal));
            }
            (Logarithm, &[a]) => {
                let a = full(self.word(a));
                self.unary(special(SpecialFunction::Logarithm), to, a);
            }
            (Power | Sine | Cosine, &[a]) => {
                let a = full(self.word(a));
                let reduced = self.temporary();
                let ex2 = instruction.operation == Power;
                self.unary(Operation::Rro { ex2, sign: Sign::PLAIN }, reduced, a);
                let function = match instruction.operation {
                    Power => SpecialFunction::Power,
                    Sine => SpecialFunction::Sine,
                    _ => SpecialFunction::Cosine,
                };
                self.unary(special(function), to, full(reduced));
            }
            (Compare(comparison), &[a, b]) => {
                let (a, b) = (self.source(a), self.source(b));
                match a {
                    Source::Immediate(_) => self.binary(compare(mirrored(comparison), Sign::PLAIN), to, b, a),
                    _ => self.binary(compare(comparison, Sign::PLAIN), to, a, b),
                }
            }
            (Convert { from, .. }, &[a]) if from.bits == 16 && from.kind == Kind::Float => {
                let half = self.word(a);
                self.unary(half_to_float(), to, Source::Word(half, RegisterPart::Low));
            }
            (
                Convert {
                    from, rounding: mode, ..
                },
                &[a],
            ) if instruction.ty.bits == 16 => {
                if from.kind != Kind::Float {
                    return self.error("a conversion of an integer to a 16-bit float is not supported");
                }
                let a = full(self.word(a));
                let operation = Operation::F2f {
                    from: Float::F32,
                    to: Float::F16,
                    sign: Sign::PLAIN,
                    rounding: rounding(mode),
                    integral: false,
                    saturate: false,
                };
                self.emit(operation, Destination::Half(to), [Some(a), None, None]);
            }
            (
                Convert {
                    from,
                    rounding: mode,
                    integral,
                    saturate,
                },
                &[a],
            ) => {
                let operation = match from.kind {
                    Kind::Float => Operation::F2f {
                        from: Float::F32,
                        to: Float::F32,
                        sign: Sign::PLAIN,
                        rounding: if integral { rounding(mode) } else { Rounding::Nearest },
                        integral,
                        saturate,
                    },
                    _ => Operation::I2f {
                        from: if from.kind == Kind::Signed {
                            Integer::S32
                        } else {
                            Integer::U32
                        },
                        to: Float::F32,
                        sign: Sign::PLAIN,
                        rounding: rounding(mode),
                        saturate,
                    },
                };
                let source = match from.kind {
                    Kind::Float => self.source(a),
                    _ => self.extend(a, from),
                };
                let source = full(self.in_word(source));
                self.unary(operation, to, source);
            }
            _ => return self.error(format!("{:?} of floats is not supported", instruction.operation)),
        }
        Ok(())
    }

    fn number_last(&mut self, a: Argument, b: Argument) -> (Source, Source) {
        let (a, b) = (self.source(a), self.source(b));
        match a {
            Source::Immediate(_) => (b, a),
            _ => (a, b),
        }
    }

    fn divide_float(&mut self, to: Word, a: Word, b: Word, accuracy: Accuracy) {
        let (mut above, mut below) = (a, b);
        if accuracy == Accuracy::Rounded {
            // If the divisor is large, both operands are divided by four: its reciprocal would be denormal.
            let large = self.temporary();
            let greater = Comparison {
                less: false,
                equal: false,
                greater: true,
                unordered: false,
            };
            let absolute = Sign {
                absolute: true,
                negate: false,
            };
            self.binary(compare(greater, absolute), large, full(b), Source::Immediate(LARGE));
            let scale = self.temporary();
            self.select(scale, Source::Immediate(QUARTER), Source::Immediate(ONE), large);
            (above, below) = (self.temporary(), self.temporary());
            self.binary(MULTIPLY, above, full(a), full(scale));
            self.binary(MULTIPLY, below, full(b), full(scale));
        }
        let reciprocal = self.temporary();
        self.unary(special(SpecialFunction::Reciprocal), reciprocal, full(below));
        self.binary(MULTIPLY, to, full(above), full(reciprocal));
    }

    /// Converts a float to an integer, clamped to the integer's range.
    pub(super) fn float_to_integer(
        &mut self,
        to: Word,
        argument: Argument,
        from: Type,
        ty: Type,
        mode: ir::Rounding,
    ) -> Result<(), CompileError> {
        if ty.bits > 32 {
            return self.error("this conversion of floats is not supported");
        }
        let signed = ty.kind == Kind::Signed;
        let mut source = full(self.word(argument));
        if let (16, Source::Word(half, _)) = (from.bits, source) {
            let float = self.temporary();
            self.unary(half_to_float(), float, Source::Word(half, RegisterPart::Low));
            source = full(float);
        }
        let whole = if ty.bits < 32 { self.temporary() } else { to };
        let operation = Operation::F2i {
            from: Float::F32,
            width: Width::B32,
            signed,
            sign: Sign::PLAIN,
            rounding: rounding(mode),
        };
        self.unary(operation, whole, source);
        if ty.bits < 32 {
            self.clamp(to, whole, ty);
        }
        Ok(())
    }
}
