//! Operations of the double-precision unit: operands at corner cases, and the results of `flexgrip_arith`.

use flexgrip_arith::double::convert::{
    f2f, f2f_from_single, f2f_to_single, f2i, f2i_from_single, i2f, i2f_to_single, WideInteger,
};
use flexgrip_arith::double::{dadd, dfma, dmax, dmin, dmul, dset};
use flexgrip_arith::float::{FloatOrder, Rounding, Sign};
use flexgrip_arith::Flagged;
use flexgrip_hdl::execute::double::{DoubleControl, DoubleOperation};
use hdlkit::prelude::*;
use rand::seq::SliceRandom;
use rand::Rng;

/// The inputs of the unit in a cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleCase {
    /// The operation and its modifiers.
    pub control: DoubleControl,
    /// Operand a: a double or a 64-bit integer; a float32 or a 32-bit integer in the lower half.
    pub a: u64,
    /// Operand b, a double.
    pub b: u64,
    /// Operand c, a double.
    pub c: u64,
}

/// The sign bit.
pub const SIGN: u64 = 1 << 63;

const FRACTION: u64 = (1 << 52) - 1;

/// All operations of the unit.
pub const OPERATIONS: [DoubleOperation; 8] = [
    DoubleOperation::MultiplyAdd,
    DoubleOperation::Add,
    DoubleOperation::Multiply,
    DoubleOperation::Set,
    DoubleOperation::MinMax,
    DoubleOperation::ToFloat,
    DoubleOperation::ToInteger,
    DoubleOperation::FromInteger,
];

/// Magnitudes at the ends of the formats' ranges, and near 1.
pub const CORNERS: [u64; 24] = [
    0,
    1,
    2,
    0x0008_0000_0000_0000,
    FRACTION,
    0x0010_0000_0000_0000,
    0x0010_0000_0000_0001,
    // 2^-53, 2^-149 and 2^-126.
    0x3ca0_0000_0000_0000,
    0x36a0_0000_0000_0000,
    0x3810_0000_0000_0000,
    0x3fdf_ffff_ffff_ffff,
    0x3fe0_0000_0000_0000,
    0x3fef_ffff_ffff_ffff,
    0x3ff0_0000_0000_0000,
    0x3ff0_0000_0000_0001,
    0x3ff8_0000_0000_0000,
    0x4340_0000_0000_0001,
    // The largest float32.
    0x47ef_ffff_e000_0000,
    0x7fe0_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0x7ff0_0000_0000_0001,
    0x7ff7_ffff_ffff_ffff,
    0x7ffc_3456_789a_bcde,
];

fn sign(rng: &mut impl Rng) -> u64 {
    rng.gen::<u64>() & SIGN
}

/// A fraction of 52 bits: arbitrary, with few bits at either end, or with a run of equal bits.
fn fraction(rng: &mut impl Rng) -> u64 {
    let any = rng.gen::<u64>() & FRACTION;
    let count = rng.gen_range(0..53);
    FRACTION
        & match rng.gen_range(0..7) {
            0 | 1 => any,
            2 => any >> count,
            3 => any << count,
            4 => FRACTION >> count ^ (any & 1),
            5 => FRACTION << count ^ (any & 1),
            _ => 1 << count,
        }
}

/// A number of any sign with this exponent field, limited to the format's.
fn with_field(rng: &mut impl Rng, field: i64) -> u64 {
    sign(rng) | (field.clamp(0, 0x7fe) as u64) << 52 | fraction(rng)
}

fn field(bits: u64) -> i64 {
    (bits << 1 >> 53) as i64
}

/// A double: special values, denormals, the ends of the exponents' range, numbers near 1.
pub fn double(rng: &mut impl Rng) -> u64 {
    let field = match rng.gen_range(0..16) {
        0 => return rng.gen(),
        1 | 2 => return sign(rng) | CORNERS.choose(rng).expect("corners"),
        3 => return sign(rng) | (rng.gen::<u64>() & FRACTION) >> rng.gen_range(0..52),
        // An infinity or a NaN.
        4 => return sign(rng) | 0x7ff << 52 | fraction(rng),
        5 => rng.gen_range(0..60),
        6 => rng.gen_range(0x7ff - 60..0x7ff),
        7 | 8 => rng.gen_range(0..0x7ff),
        _ => rng.gen_range(0x3ff - 60..0x3ff + 60),
    };
    with_field(rng, field)
}

/// Bits within a few units of `bits`, possibly across an exponent's end.
fn near(rng: &mut impl Rng, bits: u64) -> u64 {
    let reach = [0, 1, 3, 40].choose(rng).expect("distances");
    bits.wrapping_add_signed(rng.gen_range(-reach..=*reach))
}

/// An addend for a number: its negative, exactly or nearly; about half a unit of its last place; or one at any distance
/// at which both have an effect.
fn addend(rng: &mut impl Rng, of: u64) -> u64 {
    match rng.gen_range(0..4) {
        0 => near(rng, of ^ SIGN),
        1 => {
            let distance = if rng.gen() { 53 } else { rng.gen_range(50..112) };
            let half = sign(rng) | ((field(of) - distance).max(0) as u64) << 52;
            near(rng, half)
        }
        2 => {
            let distance = rng.gen_range(-120..=120);
            with_field(rng, field(of) + distance)
        }
        _ => {
            let distance = rng.gen_range(-3..=3);
            with_field(rng, field(of) + distance)
        }
    }
}

/// A second factor: the product is near the smallest or the largest number, or near 1, or has few bits, so that ties
/// are frequent.
fn factor(rng: &mut impl Rng, of: u64) -> u64 {
    match rng.gen_range(0..4) {
        0 => {
            let exponent = rng.gen_range(-110..=4);
            with_field(rng, 0x3ff - field(of) + exponent)
        }
        1 => {
            let exponent = rng.gen_range(-3..=2);
            with_field(rng, 0x7fe + 0x3ff - field(of) + exponent)
        }
        2 => near(rng, (1.0 / f64::from_bits(of)).to_bits()),
        _ => with_field(rng, 0x3ff) & !FRACTION | rng.gen::<u64>() & FRACTION & FRACTION << rng.gen_range(0..52),
    }
}

/// A double near a limit of an integer type, near half an integer, or near a number halfway between two float32.
fn convertible(rng: &mut impl Rng) -> u64 {
    match rng.gen_range(0..6) {
        0 => {
            let field = rng.gen_range(0x3ff - 3..0x3ff + 67);
            with_field(rng, field)
        }
        1 => {
            let whole = (integer(rng) >> rng.gen_range(11..64)) as f64;
            near(rng, (whole + 0.5).to_bits()) | sign(rng)
        }
        2 => {
            let limit = [31, 32, 63, 64].choose(rng).expect("widths");
            let beside = rng.gen_range(-3..=3) as f64 / 2.0;
            near(rng, (2f64.powi(*limit) + beside).to_bits()) | sign(rng)
        }
        3 | 4 => {
            let field = rng.gen_range(0x3ff - 155..0x3ff + 130);
            let kept = with_field(rng, field);
            // The number of bits that a float32 does not have, one less than all of a small denormal's.
            let lost = 29 + (0x3ff - 126 - field).clamp(0, 22);
            let half = kept >> lost << lost | 1u64 << (lost - i64::from(rng.gen::<bool>()));
            near(rng, half)
        }
        _ => {
            // Few bits below 1, around the place at which the aligner loses them.
            let field = rng.gen_range(0x3ff - 130..0x3ff + 130);
            with_field(rng, field)
        }
    }
}

/// A float32 with random upper bits: special values, denormals, numbers in the range of integers.
fn single(rng: &mut impl Rng) -> u64 {
    let any: u32 = rng.gen();
    let fraction = any & 0x7f_ffff & 0x7f_ffff << rng.gen_range(0..23);
    let sign = any & 1 << 31;
    let bits = match rng.gen_range(0..6) {
        0 => any,
        1 => sign | 0x7f80_0000 | if rng.gen() { 0 } else { fraction },
        2 => sign | (any & 0x7f_ffff) >> rng.gen_range(0..23),
        _ => sign | rng.gen_range(127 - 3..127u32 + 67) << 23 | fraction,
    };
    rng.gen::<u64>() << 32 | u64::from(bits)
}

/// An integer: near a power of two, with few bits, or near a number halfway between two floats.
fn integer(rng: &mut impl Rng) -> u64 {
    let any: u64 = rng.gen();
    let count = rng.gen_range(0..64);
    match rng.gen_range(0..6) {
        0 => any,
        1 => any >> count,
        2 => (1u64 << count).wrapping_add_signed(rng.gen_range(-3..=3)),
        3 => u64::MAX << count,
        4 => {
            let unit = [64 - 24, 64 - 53][rng.gen_range(0..2)];
            let half = (any >> unit << unit | 1 << (unit - 1)).wrapping_add_signed(rng.gen_range(-1..=1));
            (half | 1 << 63) >> rng.gen_range(0..unit)
        }
        _ => (any >> count).wrapping_neg(),
    }
}

/// A control with random values in all fields that the operation does not use, because they must have no effect. A
/// conversion has 64 bits on one side at least, and on both if it is to an integral value.
pub fn noise(rng: &mut impl Rng, operation: DoubleOperation) -> DoubleControl {
    let mut control = DoubleControl {
        operation,
        rounding: Bits::new(rng.gen_range(0..4)),
        absolute_a: rng.gen_range(0..4) == 0,
        negate_a: rng.gen(),
        absolute_b: rng.gen_range(0..4) == 0,
        negate_b: rng.gen(),
        negate_c: rng.gen(),
        compare_less: rng.gen(),
        compare_equal: rng.gen(),
        compare_greater: rng.gen(),
        compare_unordered: rng.gen(),
        maximum: rng.gen(),
        integral: rng.gen(),
        source_short: rng.gen(),
        result_short: rng.gen(),
        source_signed: rng.gen(),
        result_signed: rng.gen(),
    };
    match operation {
        DoubleOperation::ToFloat | DoubleOperation::ToInteger | DoubleOperation::FromInteger => {
            control.source_short &= !control.result_short;
        }
        _ => {}
    }
    if operation == DoubleOperation::ToFloat {
        control.integral &= !control.source_short && !control.result_short;
    }
    control
}

/// A result of 32 bits, in the lower half.
fn short(Flagged { value, cc }: Flagged) -> Flagged<u64> {
    Flagged {
        value: value.into(),
        cc,
    }
}

/// The result of `flexgrip_arith`.
pub fn reference(control: &DoubleControl, a: u64, b: u64, c: u64) -> Flagged<u64> {
    let rounding = Rounding::from_bits(control.rounding.raw() as u32);
    let sign = |absolute, negate| Sign { absolute, negate };
    let sign_a = sign(control.absolute_a, control.negate_a);
    let modified_a = sign_a.apply_double(a);
    let modified_b = sign(control.absolute_b, control.negate_b).apply_double(b);
    let modified_c = sign(false, control.negate_c).apply_double(c);
    let wide_integer = |short, signed| match (short, signed) {
        (true, false) => WideInteger::U32,
        (true, true) => WideInteger::S32,
        (false, false) => WideInteger::U64,
        (false, true) => WideInteger::S64,
    };
    match control.operation {
        DoubleOperation::MultiplyAdd => dfma(rounding, modified_a, modified_b, modified_c),
        DoubleOperation::Add => dadd(rounding, modified_a, modified_c),
        DoubleOperation::Multiply => dmul(rounding, modified_a, modified_b),
        DoubleOperation::Set => {
            let bits = [
                control.compare_less,
                control.compare_equal,
                control.compare_greater,
                control.compare_unordered,
            ];
            let order = (0..4).fold(0, |set, bit| set | u32::from(bits[bit]) << bit);
            short(dset(FloatOrder::from_bits(order), modified_a, modified_b))
        }
        DoubleOperation::MinMax if control.maximum => dmax(modified_a, modified_b),
        DoubleOperation::MinMax => dmin(modified_a, modified_b),
        DoubleOperation::ToFloat if control.source_short => f2f_from_single(sign_a, a as u32),
        DoubleOperation::ToFloat if control.result_short => short(f2f_to_single(sign_a, rounding, a)),
        DoubleOperation::ToFloat => f2f(sign_a, control.integral.then_some(rounding), a),
        DoubleOperation::ToInteger if control.source_short => {
            f2i_from_single(control.result_signed, sign_a, rounding, a as u32)
        }
        DoubleOperation::ToInteger => {
            let to = wide_integer(control.result_short, control.result_signed);
            f2i(to, sign_a, rounding, a)
        }
        DoubleOperation::FromInteger if control.result_short => {
            short(i2f_to_single(control.source_signed, sign_a, rounding, a))
        }
        DoubleOperation::FromInteger => {
            let from = wide_integer(control.source_short, control.source_signed);
            i2f(from, sign_a, rounding, a)
        }
    }
}

/// Random operands and modifiers for an operation.
pub fn random_case(rng: &mut impl Rng, operation: DoubleOperation) -> DoubleCase {
    let control = noise(rng, operation);
    let (mut a, mut b, mut c) = (double(rng), double(rng), double(rng));
    let related = rng.gen_range(0..4) > 0;
    match operation {
        DoubleOperation::MultiplyAdd => {
            if rng.gen() {
                b = factor(rng, a);
            }
            if related {
                let product = f64::from_bits(a) * f64::from_bits(b);
                c = addend(rng, product.to_bits());
            }
        }
        DoubleOperation::Add if related => c = addend(rng, a),
        DoubleOperation::Multiply if related => b = factor(rng, a),
        DoubleOperation::Set | DoubleOperation::MinMax if related => b = near(rng, a) ^ sign(rng),
        DoubleOperation::ToFloat | DoubleOperation::ToInteger if control.source_short => a = single(rng),
        DoubleOperation::ToFloat | DoubleOperation::ToInteger if related => a = convertible(rng),
        DoubleOperation::FromInteger => {
            a = integer(rng)
                ^ if control.source_short {
                    rng.gen::<u64>() << 32
                } else {
                    0
                }
        }
        _ => {}
    }
    DoubleCase { control, a, b, c }
}
