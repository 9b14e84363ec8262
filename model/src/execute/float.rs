//! Float instructions, conversions and special functions: they are given their operands, and results are put away, as
//! with all other instructions; here it is only said which function of `flexgrip-arith` each of them is.

use super::context::Lanes;
use super::results::{integer, Results};
use flexgrip_arith::convert::{f2f, f2i, i2f, Float};
use flexgrip_arith::float::{fadd, fmad, fmax, fmin, fmul, fset, fslct, fswz, FloatOrder, Quad, Rounding, Sign};
use flexgrip_arith::integer::Order;
use flexgrip_arith::{special, Cc, Flagged, Width};
use flexgrip_isa::{ConvertF16, IntegerType, NumberType, Operation, QuadOperation, SpecialFunction};

/// Computes `operation` of sources 1 to 3 in the executing lanes; `None` if it is not a float instruction, or one that
/// no instruction encodes.
pub(crate) fn compute(operation: Operation, executed: u32, sources: [&Lanes; 3], results: &mut Results) -> Option<()> {
    let [a, b, c] = sources;
    match operation {
        Operation::Fadd {
            rounding: mode,
            saturate,
            negate1,
            negate3,
        } => {
            let (mode, sign1, sign3) = (rounding(mode), negated(negate1), negated(negate3));
            results.fill(executed, |l| fadd(mode, saturate, sign1.apply(a[l]), sign3.apply(c[l])));
        }
        Operation::Fmul {
            rounding: mode,
            negate1,
            negate2,
        } => {
            let (mode, sign1, sign2) = (rounding(mode), negated(negate1), negated(negate2));
            results.fill(executed, |l| fmul(mode, sign1.apply(a[l]), sign2.apply(b[l])));
        }
        Operation::Fmad {
            saturate,
            negate_product,
            negate3,
        } => {
            // A negated factor is a negated product.
            let (sign1, sign3) = (negated(negate_product), negated(negate3));
            results.fill(executed, |l| fmad(saturate, sign1.apply(a[l]), b[l], sign3.apply(c[l])));
        }
        Operation::Fset { compare, sign1, sign2 } => {
            let (sign1, sign2) = (sign(sign1), sign(sign2));
            let order = FloatOrder {
                ordered: Order {
                    less: compare.less,
                    equal: compare.equal,
                    greater: compare.greater,
                },
                unordered: compare.unordered,
            };
            results.fill(executed, |l| fset(order, sign1.apply(a[l]), sign2.apply(b[l])));
        }
        Operation::Fmin { sign1, sign2 } => {
            let (sign1, sign2) = (sign(sign1), sign(sign2));
            results.fill(executed, |l| fmin(sign1.apply(a[l]), sign2.apply(b[l])));
        }
        Operation::Fmax { sign1, sign2 } => {
            let (sign1, sign2) = (sign(sign1), sign(sign2));
            results.fill(executed, |l| fmax(sign1.apply(a[l]), sign2.apply(b[l])));
        }
        Operation::Fslct { negate3 } => {
            let sign3 = negated(negate3);
            results.fill(executed, |l| fslct(a[l], b[l], sign3.apply(c[l])));
        }
        Operation::Fswz { thread, operations } => {
            let quads = operations.map(|operation| match operation {
                QuadOperation::Add => Quad::Add,
                QuadOperation::SubR => Quad::ReverseSubtract,
                QuadOperation::Sub => Quad::Subtract,
                QuadOperation::Mov => Quad::Move,
            });
            results.fill(executed, |l| match thread {
                // Also of a thread that does not execute.
                Some(thread) => fswz(quads[l & 3], a[l & !3 | usize::from(thread & 3)], c[l]),
                None => fswz(Quad::Move, 0, 0),
            });
        }
        Operation::F2f {
            sign: of,
            integral,
            saturate,
        } => {
            let sign = sign(of);
            let mode = integral.map_or(Rounding::Nearest, rounding);
            let whole = integral.is_some();
            results.fill(executed, |l| {
                f2f(Float::F32, Float::F32, sign, mode, whole, saturate, a[l])
            });
        }
        Operation::F2i {
            to,
            sign: of,
            rounding: mode,
        } => {
            let (width, mode, sign) = (register_width(to)?, rounding(mode), sign(of));
            results.fill(executed, |l| f2i(Float::F32, width, to.signed, sign, mode, a[l]));
        }
        Operation::I2f {
            from,
            sign: of,
            rounding: mode,
            saturate,
        } => {
            let (from, mode, sign) = (integer(from)?, rounding(mode), sign(of));
            results.fill(executed, |l| i2f(from, Float::F32, sign, mode, saturate, a[l]));
        }
        Operation::ConvertF16(conversion) => convert(conversion, executed, a, results)?,
        Operation::Rro { ex2, sign: of } => {
            let sign = sign(of);
            let reduce = if ex2 { special::rro_ex2 } else { special::rro_sin };
            results.fill(executed, |l| bare(reduce(sign.apply(a[l]))));
        }
        Operation::Special {
            function,
            sign: of,
            saturate,
        } => {
            let sign = sign(of);
            let function = |value| match function {
                SpecialFunction::Rcp => special::rcp(value),
                SpecialFunction::Rsq => special::rsq(value),
                SpecialFunction::Lg2 => special::lg2(value),
                SpecialFunction::Sin => special::sin(value),
                SpecialFunction::Cos => special::cos(value),
                SpecialFunction::Ex2 => special::ex2(saturate, value),
            };
            results.fill(executed, |l| bare(function(sign.apply(a[l]))));
        }
        _ => return None,
    }
    Some(())
}

/// A conversion from or to half precision; `None` for one that no instruction encodes.
fn convert(conversion: ConvertF16, executed: u32, a: &Lanes, results: &mut Results) -> Option<()> {
    let ConvertF16 {
        from,
        to,
        sign: of,
        rounding: mode,
        integral,
        saturate,
    } = conversion;
    let (mode, sign) = (rounding(mode), sign(of));
    match (from, to) {
        (NumberType::Integer(_), NumberType::Integer(_)) => return None,
        (NumberType::Integer(from), to) => {
            let (from, to) = (integer(from)?, float(to)?);
            results.fill(executed, |l| i2f(from, to, sign, mode, saturate, a[l]));
        }
        (from, NumberType::Integer(to)) => {
            let (from, width) = (float(from)?, register_width(to)?);
            results.fill(executed, |l| f2i(from, width, to.signed, sign, mode, a[l]));
        }
        (from, to) => {
            let (from, to) = (float(from)?, float(to)?);
            results.fill(executed, |l| f2f(from, to, sign, mode, integral, saturate, a[l]));
        }
    }
    Some(())
}

/// A result of an instruction that writes no condition code.
const fn bare(value: u32) -> Flagged {
    Flagged {
        value,
        cc: Cc::from_bits(0),
    }
}

const fn rounding(mode: flexgrip_isa::Rounding) -> Rounding {
    match mode {
        flexgrip_isa::Rounding::Nearest => Rounding::Nearest,
        flexgrip_isa::Rounding::Down => Rounding::Down,
        flexgrip_isa::Rounding::Up => Rounding::Up,
        flexgrip_isa::Rounding::Zero => Rounding::Zero,
    }
}

const fn sign(of: flexgrip_isa::Sign) -> Sign {
    Sign {
        absolute: of.absolute,
        negate: of.negate,
    }
}

const fn negated(negate: bool) -> Sign {
    Sign {
        absolute: false,
        negate,
    }
}

const fn float(number: NumberType) -> Option<Float> {
    match number {
        NumberType::F16 => Some(Float::F16),
        NumberType::F32 => Some(Float::F32),
        NumberType::Integer(_) => None,
    }
}

/// The width of an integer that fills a register or a half.
const fn register_width(integer: IntegerType) -> Option<Width> {
    match integer.bits {
        16 => Some(Width::B16),
        32 => Some(Width::B32),
        _ => None,
    }
}
