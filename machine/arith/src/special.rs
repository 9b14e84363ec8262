//! Special functions: RCP, RSQ, LG2, SIN, COS, EX2, and RRO, the range reduction before the last three.
//!
//! Each is a quadratic `A + B*x + C*x^2` in the low bits `x` of its argument's significand; the high bits select the
//! segment, a row of coefficients in the function's [table](tables). The sum is exact, in units that each function
//! states, except for the square, which the hardware's truncated [squarer](square) computes. A constant that is added
//! before the low bits are truncated does the rounding; it is slightly less than a half.
//!
//! The instructions have no condition code, so these functions return only the value. Operands are results of
//! [`Sign::apply`]; denormals count as zeros and results are flushed as in all float operations. Hardware vectors cover
//! all functions.
//!
//! [`Sign::apply`]: crate::float::Sign::apply

pub mod tables;

use crate::number::{
    counts_as_zero, infinity, is_infinite, is_nan, is_negative, normalise, pack, saturate, zero, Number, BIAS,
    FRACTION_BITS, NAN, SIGN,
};
use crate::rounding::Rounding;
use tables::Segment;

/// The fraction of a significand.
const FRACTION: u32 = (1 << FRACTION_BITS) - 1;

/// The hardware's square of a 17-bit number, divided by 2^19: the partial products are truncated to their upper bits
/// one by one, added, and the sum is halved. The result is below the exact value by up to 8.
///
/// Bits above 16 are ignored.
pub const fn square(x: u32) -> u32 {
    let x = x & 0x1_ffff;
    let mut sum = 0;
    let mut bit = 0;
    while bit < 17 {
        if x >> bit & 1 == 1 {
            sum += x >> (18 - bit);
        }
        bit += 1;
    }
    sum / 2
}

/// The segment of an argument's `bits`, and the rest `x`, its low `x_bits` bits.
const fn segment<const N: usize>(table: &[Segment; N], bits: u32, x_bits: u32) -> (Segment, u32) {
    // All tables have 2^n rows for the n bits above x.
    let index = (bits >> x_bits) as usize & (N - 1);
    (table[index], bits & ((1 << x_bits) - 1))
}

/// The terms of the quadratic, before they are shifted to the same unit.
const fn terms(of: Segment, x: u32, square: u32) -> (i64, i64, i64) {
    (of.a as i64, of.b as i64 * x as i64, of.c as i64 * square as i64)
}

/// A function of the special function unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// `1 / x`
    Reciprocal,
    /// `1 / sqrt(x)`
    ReciprocalRoot,
    /// `log2(x)`
    Logarithm,
    /// The sine of a result of [`rro_sin`].
    Sine,
    /// The cosine of a result of [`rro_sin`].
    Cosine,
    /// 2 to the power of a result of [`rro_ex2`].
    Power,
}

impl Function {
    /// The function's value for `a`. Only [`Function::Power`] clamps; the instructions of the other functions cannot.
    pub const fn of(self, clamp: bool, a: u32) -> u32 {
        match self {
            Function::Reciprocal => rcp(a),
            Function::ReciprocalRoot => rsq(a),
            Function::Logarithm => lg2(a),
            Function::Sine => sin(a),
            Function::Cosine => cos(a),
            Function::Power => ex2(clamp, a),
        }
    }
}

/// RCP: `1 / a`. 0 gives the infinity of its sign, an infinity the zero of its sign.
pub const fn rcp(a: u32) -> u32 {
    if is_nan(a) {
        return NAN;
    }
    let negative = is_negative(a);
    if counts_as_zero(a) {
        return infinity(negative);
    }
    if is_infinite(a) {
        return zero(negative);
    }
    let number = Number::of(a);
    let (segment, x) = segment(&tables::RCP, number.significand & FRACTION, 16);
    let (a, bx, cx2) = terms(segment, x, square(x << 1));
    let significand = ((a << 13) + bx + cx2 + 0x47e7) >> 15;
    let exponent = 2 * BIAS - number.exponent - 1;
    pack(negative, exponent, significand as u32, Rounding::Nearest)
}

/// RSQ: `1 / sqrt(a)`. A zero gives the infinity of its sign, any other negative number a NaN.
pub const fn rsq(a: u32) -> u32 {
    if is_nan(a) {
        return NAN;
    }
    if counts_as_zero(a) {
        return infinity(is_negative(a));
    }
    if is_negative(a) {
        return NAN;
    }
    if is_infinite(a) {
        return zero(false);
    }
    let number = Number::of(a);
    let power = number.exponent - BIAS;
    // The argument in [1, 4): an odd power leaves its lowest bit above the fraction.
    let argument = (power as u32 & 1) << FRACTION_BITS | number.significand & FRACTION;
    let exponent = BIAS - (power >> 1) - 1;
    let significand = if argument == 0 {
        // A power of four is exact.
        1 << (FRACTION_BITS + 1)
    } else {
        let (segment, x) = segment(&tables::RSQ, argument, 17);
        let (a, bx, cx2) = terms(segment, x, square(x));
        ((a << 14) + bx + (cx2 << 2) + 0x7fff) >> 16
    };
    pack(false, exponent, significand as u32, Rounding::Nearest)
}

/// LG2: the logarithm of `a` to base 2. A zero gives -Inf, any other negative number a NaN.
pub const fn lg2(a: u32) -> u32 {
    if is_nan(a) {
        return NAN;
    }
    if counts_as_zero(a) {
        return infinity(true);
    }
    if is_negative(a) {
        return NAN;
    }
    if is_infinite(a) {
        return a;
    }
    let number = Number::of(a);
    let fraction = number.significand & FRACTION;
    // The logarithm in units of 2^-36. The logarithm of 1.0 is exact.
    let logarithm = if fraction == 0 && number.exponent == BIAS {
        0
    } else {
        let (segment, x) = segment(&tables::LG2, fraction, 17);
        let (a, bx, cx2) = terms(segment, x, square(x));
        ((a << 12) + bx + (cx2 << 1) + 0x3345) >> 2
    };
    let logarithm = logarithm + ((number.exponent - BIAS) as i64) * (1 << 36);
    let negative = logarithm < 0;
    // Negation by inverting, which is one unit short.
    let magnitude = if negative { !logarithm } else { logarithm } as u64;
    cut(negative, magnitude, BIAS + 6, 42)
}

/// The float of `magnitude`, truncated to 24 bits; `exponent` is the exponent of bit `bit`.
const fn cut(negative: bool, magnitude: u64, exponent: i32, bit: u32) -> u32 {
    if magnitude == 0 {
        return zero(negative);
    }
    let (magnitude, exponent) = normalise(magnitude, exponent, bit);
    pack(
        negative,
        exponent,
        (magnitude >> (bit - FRACTION_BITS)) as u32,
        Rounding::Zero,
    )
}

/// RRO's result for a NaN and an infinity: bit 30 marks them, bit 23 distinguishes them.
const REDUCED_SPECIAL: u32 = 1 << 30;
const REDUCED_INFINITY: u32 = REDUCED_SPECIAL | 1 << FRACTION_BITS;

/// RRO.SIN: `a * 2/pi` for SIN and COS, as a fixed-point number: sign in bit 31, 2 integer bits (the quadrant) and 23
/// fraction bits; higher bits are lost. A NaN gives 0x40000000, an infinity 0x40800000, with the sign.
pub const fn rro_sin(a: u32) -> u32 {
    /// 2/pi in units of 2^-24.
    const TWO_OVER_PI: u64 = 0xa2_f983;
    let magnitude = match reduced_special(a) {
        Some(special) => special,
        None => {
            let number = Number::of(a);
            let product = (number.significand as u64 * TWO_OVER_PI) >> 16;
            // The product has 31 fraction bits.
            shift_to_fixed(product as u32, number.exponent - BIAS - 8) & 0x1ff_ffff
        }
    };
    a & SIGN | magnitude
}

/// RRO.EX2: `a` for EX2, as a fixed-point number: sign in bit 31, 7 integer bits and 23 fraction bits. A NaN gives
/// 0x40000000; infinities, and all numbers from 128 on, 0x40800000, with the sign.
pub const fn rro_ex2(a: u32) -> u32 {
    let magnitude = match reduced_special(a) {
        Some(special) => special,
        None => {
            let number = Number::of(a);
            if number.exponent >= BIAS + 7 {
                REDUCED_INFINITY
            } else {
                shift_to_fixed(number.significand, number.exponent - BIAS)
            }
        }
    };
    a & SIGN | magnitude
}

const fn reduced_special(a: u32) -> Option<u32> {
    if is_nan(a) {
        Some(REDUCED_SPECIAL)
    } else if is_infinite(a) {
        Some(REDUCED_INFINITY)
    } else {
        None
    }
}

/// `value * 2^power`; bits shifted out at either end are lost.
const fn shift_to_fixed(value: u32, power: i32) -> u32 {
    let count = power.unsigned_abs();
    if count >= 32 {
        0
    } else if power < 0 {
        value >> count
    } else {
        value << count
    }
}

/// SIN: the sine of a result of [`rro_sin`]. The special inputs give a NaN.
pub const fn sin(a: u32) -> u32 {
    sine_from_quadrant(a, 0, is_negative(a))
}

/// COS: the cosine of a result of [`rro_sin`]. The special inputs give a NaN.
pub const fn cos(a: u32) -> u32 {
    // The sine one quadrant further; the cosine of a negative number is the cosine of its magnitude.
    sine_from_quadrant(a, 1, false)
}

const fn sine_from_quadrant(a: u32, quadrants: u32, negative: bool) -> u32 {
    if a & REDUCED_SPECIAL != 0 {
        return NAN;
    }
    let quadrant = (a >> FRACTION_BITS) + quadrants;
    // In an odd quadrant the argument runs backward, by inverting, which is one unit short. The second half is
    // negative.
    let argument = if quadrant & 1 == 1 { !a } else { a } & FRACTION;
    let negative = negative != (quadrant & 2 != 0);
    let (segment, x) = segment(&tables::SIN, argument, 17);
    let (a, bx, cx2) = terms(segment, x, square(x));
    // The magnitude is never negative: its minimum is 0, at 0.
    let magnitude = ((a << 11) + bx + cx2) as u64;
    cut(negative, magnitude, BIAS, 37)
}

/// EX2: 2 to the power of a result of [`rro_ex2`]; clamped to [+0, 1] if `clamp`.
pub const fn ex2(clamp: bool, a: u32) -> u32 {
    let value = power_of_two(a);
    if clamp {
        saturate(value)
    } else {
        value
    }
}

const fn power_of_two(a: u32) -> u32 {
    let negative = is_negative(a);
    if a & REDUCED_SPECIAL != 0 {
        return if a & REDUCED_INFINITY != REDUCED_INFINITY {
            NAN
        } else if negative {
            0
        } else {
            infinity(false)
        };
    }
    let integer = (a >> FRACTION_BITS & 0x7f) as i32;
    let fraction = a & FRACTION;
    // A negative number is a lower integer plus a fraction; inverting the fraction is one unit short.
    let (integer, fraction) = match (negative, fraction) {
        (false, _) => (integer, fraction),
        (true, 0) => (-integer, 0),
        (true, _) => (-integer - 1, !fraction & FRACTION),
    };
    let (segment, x) = segment(&tables::EX2, fraction, 17);
    let (a, bx, cx2) = terms(segment, x, square(x));
    let significand = ((a << 13) + bx + cx2 + 0x77e2) >> 15;
    pack(false, BIAS + integer, significand as u32, Rounding::Nearest)
}

#[cfg(test)]
mod tests {
    //! Special values and exact results, worked by hand; all values between are in `tests/accuracy.rs`.

    use super::*;

    const INFINITY: u32 = 0x7f80_0000;
    const NANS: [u32; 4] = [0x7f80_0001, 0x7fff_ffff, 0xff80_0001, 0xffff_ffff];

    #[track_caller]
    fn check(function: impl Fn(u32) -> u32, cases: &[(u32, u32)]) {
        for &(a, want) in cases {
            assert_eq!(format!("{:08x}", function(a)), format!("{want:08x}"), "of {a:08x}");
        }
    }

    #[test]
    fn rcp_handles_special_values() {
        check(
            rcp,
            &[
                (0, INFINITY),
                (0x8000_0000, INFINITY | SIGN),
                (0x007f_ffff, INFINITY),
                (0x8000_0001, INFINITY | SIGN),
                (INFINITY, 0),
                (INFINITY | SIGN, 0x8000_0000),
                (0x3f80_0000, 0x3f80_0000),
                (0xc000_0000, 0xbf00_0000),
                // 2^-126 to 2^126 and back; the reciprocal of 2^127 is too small.
                (0x0080_0000, 0x7e80_0000),
                (0x7e80_0000, 0x0080_0000),
                (0x7f00_0000, 0),
                (0xff00_0000, 0x8000_0000),
            ],
        );
        check(rcp, &NANS.map(|nan| (nan, NAN)));
    }

    #[test]
    fn rsq_handles_special_values() {
        check(
            rsq,
            &[
                (0, INFINITY),
                (0x8000_0000, INFINITY | SIGN),
                (0x8000_0001, INFINITY | SIGN),
                (0x8080_0000, NAN),
                (0xbf80_0000, NAN),
                (INFINITY, 0),
                (INFINITY | SIGN, NAN),
                (0x3f80_0000, 0x3f80_0000),
                (0x4080_0000, 0x3f00_0000),
                (0x3e80_0000, 0x4000_0000),
                (0x0080_0000, 0x5f00_0000),
            ],
        );
        check(rsq, &NANS.map(|nan| (nan, NAN)));
    }

    #[test]
    fn lg2_handles_special_values() {
        check(
            lg2,
            &[
                (0, INFINITY | SIGN),
                (0x8000_0000, INFINITY | SIGN),
                (0x007f_ffff, INFINITY | SIGN),
                (0x8080_0000, NAN),
                (INFINITY, INFINITY),
                (INFINITY | SIGN, NAN),
                (0x3f80_0000, 0),
                (0x4000_0000, 0x3f80_0000),
                (0x4380_0000, 0x4100_0000),
                // Not exact: the table's entry for a logarithm of 0 is above 0, and so the sum is above -1.
                (0x3f00_0000, 0xbf7f_fffe),
                // The sum is -814 units; inverting it gives 813 units.
                (0x3f7f_ffff, 0xb24b_4000),
            ],
        );
        check(lg2, &NANS.map(|nan| (nan, NAN)));
    }

    #[test]
    fn reduction_is_fixed_point() {
        check(
            rro_ex2,
            &[
                (0, 0),
                (0x8000_0000, 0x8000_0000),
                (0x007f_ffff, 0),
                (0x3f80_0000, 1 << 23),
                (0xbfc0_0000, SIGN | 3 << 22),
                (0x3400_0000, 1),
                // Truncated, not rounded.
                (0x347f_ffff, 1),
                (0x33ff_ffff, 0),
                (0x42ff_ffff, 0x3fff_ffc0),
                (0x4300_0000, 0x4080_0000),
                (0xc300_0000, 0xc080_0000),
                (INFINITY, 0x4080_0000),
                (INFINITY | SIGN, 0xc080_0000),
                (0x7fff_ffff, 0x4000_0000),
                (0xff80_0001, 0xc000_0000),
            ],
        );
        check(
            rro_sin,
            &[
                (0, 0),
                (0x8000_0001, 0x8000_0000),
                // An angle of 1 is 2/pi of a quadrant.
                (0x3f80_0000, 0xa2_f983 >> 1),
                (0xbf80_0000, SIGN | 0xa2_f983 >> 1),
                // 2 / (pi/2) is in the next quadrant.
                (0x4000_0000, 0xa2_f983),
                (0x7f7f_ffff, 0),
                (INFINITY, 0x4080_0000),
                (INFINITY | SIGN, 0xc080_0000),
                (0x7fff_ffff, 0x4000_0000),
                (0xff80_0001, 0xc000_0000),
            ],
        );
    }

    #[test]
    fn sine_and_cosine_handle_special_values() {
        for function in [sin, cos] {
            for special in [0x4000_0000, 0x4080_0000, 0xc000_0000, 0xc080_0000, 0x7fff_ffff] {
                check(function, &[(special, NAN)]);
            }
        }
        check(sin, &[(0, 0), (0x8000_0000, 0x8000_0000)]);
        // Two quadrants further the sign is opposite, also for a zero.
        check(sin, &[(2 << 23, 0x8000_0000), (SIGN | 2 << 23, 0)]);
        // The cosine of 0 is exact although inverting makes its argument one unit short; the cosine of a right angle is
        // -0.
        check(
            cos,
            &[
                (0, 0x3f80_0000),
                (SIGN, 0x3f80_0000),
                (1 << 23, 0x8000_0000),
                (SIGN | 1 << 23, 0x8000_0000),
            ],
        );
    }

    #[test]
    fn ex2_handles_special_values() {
        check(
            |a| ex2(false, a),
            &[
                (0, 0x3f80_0000),
                (SIGN, 0x3f80_0000),
                (1 << 23, 0x4000_0000),
                (SIGN | 1 << 23, 0x3f00_0000),
                (SIGN | 126 << 23, 0x0080_0000),
                (SIGN | 127 << 23, 0),
                (127 << 23, 0x7f00_0000),
                (0x4000_0000, NAN),
                (0xc000_0000, NAN),
                (0x4080_0000, INFINITY),
                (0xc080_0000, 0),
            ],
        );
        check(
            |a| ex2(true, a),
            &[
                (1 << 23, 0x3f80_0000),
                (SIGN | 1 << 23, 0x3f00_0000),
                (0x4000_0000, NAN),
                (0x4080_0000, 0x3f80_0000),
                (0xc080_0000, 0),
            ],
        );
    }

    #[test]
    fn every_segment_gives_a_significand() {
        // The sums of RCP, RSQ and EX2 stay within 2^23..=2^24, which packing requires; checked at the segments' ends.
        for index in 0..128u32 {
            for low in [0, 1, 0xffff] {
                let bits = 0x3f80_0000 | index << 16 | low;
                assert!((0x3f00_0000..=0x3f80_0000).contains(&rcp(bits)), "{bits:08x}");
            }
        }
        for index in 0..64u32 {
            for low in [0, 1, 0x1_ffff] {
                let fraction = index << 17 | low;
                for power in [127u32, 128] {
                    let bits = power << 23 | fraction;
                    assert!((0x3f00_0000..=0x3f80_0000).contains(&rsq(bits)), "{bits:08x}");
                }
                assert!(
                    (0x3f80_0000..=0x4000_0000).contains(&ex2(false, fraction)),
                    "{fraction:08x}"
                );
            }
        }
    }
}
