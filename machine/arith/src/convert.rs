//! Conversions from and to floats: F2F, F2I, I2F, with 32- and 16-bit floats.
//!
//! In all of them the order is: source, absolute value, negation, operation, clamping. All four rounding modes exist.
//! They round the signed number: [`Rounding::Down`] makes a negative number's magnitude larger.
//!
//! Hardware vectors cover conversions between 32-bit floats and 32-bit integers. They do not cover 16-bit floats,
//! narrower integers and the sign of a negated zero, which follow the published hardware tests of the envytools
//! project.
//!
//! 16-bit floats are IEEE binary16, in bits 15..0 of an operand, with infinities and NaNs. Their denormals are not
//! flushed: as 32-bit floats they are normal numbers. A NaN result is 0x7fff.

use crate::condition::{Cc, Flagged, Width};
use crate::float::{flagged, Sign};
use crate::integer::{plain, Integer};
use crate::number::{
    counts_as_zero, flush, infinity, is_infinite, is_nan, is_negative, normalise, pack, round, round_at, saturate,
    zero, Number, BIAS, FRACTION_BITS, NAN,
};
use crate::rounding::Rounding;

/// The float type of a conversion's source or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Float {
    /// IEEE binary16.
    F16,
    /// IEEE binary32.
    F32,
}

impl Float {
    /// A source of this type as float32. All 16-bit floats have an exact one.
    const fn read(self, bits: u32) -> u32 {
        match self {
            Float::F16 => from_half(bits),
            Float::F32 => bits,
        }
    }

    /// A result of this type from a float32 with flushed denormals. `cut`: bits that do not fit 16 bits are truncated
    /// in every mode, and `rounding` only determines the result of a number that is too large.
    const fn write(self, value: u32, cut: bool, rounding: Rounding) -> Flagged {
        match self {
            Float::F16 => {
                let half = to_half(value, cut, rounding);
                Flagged {
                    value: half,
                    cc: Cc::of_float(from_half(half)),
                }
            }
            Float::F32 => flagged(value),
        }
    }
}

/// F2F: converts the float `a` from one type to another. `clamp` clamps it to [+0, 1] first (a NaN stays a NaN), then
/// `integral` rounds it to an integral value.
///
/// With `integral`, `rounding` is the mode of that step, and bits that do not fit 16 bits are then truncated; from
/// 65536 on the result is an infinity, or 65504 if the mode rounds this sign toward zero. Without it, `rounding` is the
/// mode of narrowing to 16 bits; between equal types there is no rounding. A number that rounds to zero keeps its sign.
pub const fn f2f(
    from: Float,
    to: Float,
    sign: Sign,
    rounding: Rounding,
    integral: bool,
    clamp: bool,
    a: u32,
) -> Flagged {
    let value = flush(sign.apply(from.read(a)));
    let value = if is_nan(value) { NAN } else { value };
    let value = if clamp { saturate(value) } else { value };
    let value = if integral { to_integral(value, rounding) } else { value };
    to.write(value, integral, rounding)
}

/// Rounds a float32 with flushed denormals to an integral value.
const fn to_integral(bits: u32, rounding: Rounding) -> u32 {
    let number = Number::of(bits);
    let fraction = INTEGRAL_EXPONENT - number.exponent;
    if fraction <= 0 || is_nan(bits) || is_infinite(bits) {
        return bits;
    }
    let integer = round(number.significand, fraction as u32, rounding, number.negative);
    if integer == 0 {
        return zero(number.negative);
    }
    let (significand, exponent) = normalise(integer as u64, INTEGRAL_EXPONENT, FRACTION_BITS);
    pack(number.negative, exponent, significand as u32, rounding)
}

/// The exponent at which the significand's last bit has weight 1: from here on all floats are integral.
const INTEGRAL_EXPONENT: i32 = BIAS + FRACTION_BITS as i32;

/// F2I: rounds the float `a` to an integer of `width` and clamps it to that type's range. A NaN gives 0.
///
/// Z and S describe the integer, C and O are 0.
pub fn f2i(from: Float, width: Width, signed: bool, sign: Sign, rounding: Rounding, a: u32) -> Flagged {
    let value = sign.apply(from.read(a));
    let integer = if is_nan(value) { 0 } else { integer_of(value, rounding) };
    let (low, high) = match (width, signed) {
        (Width::B16, false) => Integer::U16.range(),
        (Width::B16, true) => Integer::S16.range(),
        (Width::B32, false) => Integer::U32.range(),
        (Width::B32, true) => Integer::S32.range(),
    };
    plain(width, integer.clamp(low, high) as u32)
}

/// Rounds a float32 that is not a NaN to an integer. Magnitudes beyond 2^40 become 2^40, which the caller clamps all
/// the same.
const fn integer_of(bits: u32, rounding: Rounding) -> i64 {
    let number = Number::of(bits);
    let shift = number.exponent - INTEGRAL_EXPONENT;
    let magnitude = if shift > 16 {
        1 << 40
    } else if shift >= 0 {
        (number.significand as i64) << shift
    } else {
        round(number.significand, shift.unsigned_abs(), rounding, number.negative) as i64
    };
    if number.negative {
        -magnitude
    } else {
        magnitude
    }
}

/// I2F: converts the integer `a`, read as `from`, to a float. `clamp` clamps to [+0, 1], before narrowing to 16 bits.
///
/// A negated 0 is -0; clamping makes it +0. A 16-bit result is rounded twice, first to a float32, and the G80 damages
/// some of the larger integers before that (see `damaged` in the source): only 8- and 16-bit integers are safe.
pub const fn i2f(from: Integer, to: Float, sign: Sign, rounding: Rounding, clamp: bool, a: u32) -> Flagged {
    let integer = from.read(a);
    let negative = sign.applied_to(integer < 0);
    let magnitude = integer.unsigned_abs() as u32;
    let magnitude = match to {
        Float::F16 => damaged(magnitude, integer < 0, rounding, negative),
        Float::F32 => magnitude,
    };
    let value = from_magnitude(negative, magnitude, rounding);
    let value = if clamp { saturate(value) } else { value };
    to.write(value, false, rounding)
}

/// The float32 of this sign and magnitude.
const fn from_magnitude(negative: bool, magnitude: u32, rounding: Rounding) -> u32 {
    if magnitude == 0 {
        return zero(negative);
    }
    let (magnitude, exponent) = normalise(magnitude as u64, BIAS + 31, 31);
    let magnitude = magnitude as u32;
    let significand = round_at(magnitude >> 8, magnitude & 0xff, 0x80, rounding, negative);
    pack(negative, exponent, significand, rounding)
}

/// The magnitude of an integer after the G80's conversion to a 16-bit float has damaged it: bugs of the hardware, as
/// hardware tests show them. `read_negative` is the integer's sign before absolute value and negation, `negative` the
/// sign after.
///
/// If bits 29..5 are all ones and the mode does not make the magnitude smaller, the magnitude becomes 0. Then its upper
/// bits are lost: two, and one more for each leading zero of its bits 15..0 (of the magnitude less one, if the integer
/// is negative), up to seven. Magnitudes below 2^25 are not damaged.
const fn damaged(magnitude: u32, read_negative: bool, rounding: Rounding, negative: bool) -> u32 {
    let magnitude = if !rounding.is_toward_zero(negative) && magnitude >> 5 & 0x1ff_ffff == 0x1ff_ffff {
        0
    } else {
        magnitude
    };
    let low = magnitude.wrapping_sub(read_negative as u32) as u16;
    let zeros = low.leading_zeros();
    let lost = 2 + if zeros < 5 { zeros } else { 5 };
    magnitude << lost >> lost
}

/// Number of fraction bits of a 16-bit float.
const HALF_FRACTION_BITS: u32 = 10;
const HALF_BIAS: i32 = 15;
/// The exponent field of a 16-bit float's infinities and NaNs.
const HALF_EXPONENT_MAX: i32 = 0x1f;
const HALF_NAN: u32 = 0x7fff;
const HALF_INFINITY: u32 = 0x7c00;

/// The float32 equal to the 16-bit float in bits 15..0.
const fn from_half(bits: u32) -> u32 {
    let negative = bits & 0x8000 != 0;
    let exponent = (bits >> HALF_FRACTION_BITS & 0x1f) as i32;
    let fraction = bits & ((1 << HALF_FRACTION_BITS) - 1);
    if exponent == HALF_EXPONENT_MAX {
        return if fraction == 0 { infinity(negative) } else { NAN };
    }
    if exponent == 0 && fraction == 0 {
        return zero(negative);
    }
    let (exponent, significand) = if exponent == 0 {
        (1, fraction)
    } else {
        (exponent, fraction | 1 << HALF_FRACTION_BITS)
    };
    let significand = (significand as u64) << (FRACTION_BITS - HALF_FRACTION_BITS);
    let (significand, exponent) = normalise(significand, exponent - HALF_BIAS + BIAS, FRACTION_BITS);
    pack(negative, exponent, significand as u32, Rounding::Nearest)
}

/// Narrows a float32 with flushed denormals to a 16-bit float, which may be a denormal. Below 2^-33 the result is a
/// zero in all modes.
const fn to_half(bits: u32, cut: bool, rounding: Rounding) -> u32 {
    let negative = is_negative(bits);
    let sign = (negative as u32) << 15;
    if is_nan(bits) {
        return HALF_NAN;
    }
    if is_infinite(bits) {
        return sign | HALF_INFINITY;
    }
    let number = Number::of(bits);
    let exponent = number.exponent - BIAS + HALF_BIAS;
    if counts_as_zero(bits) || exponent < HALF_BIAS - 33 {
        return sign;
    }
    // A denormal has the exponent of the smallest normal number, and a significand without its leading one.
    let below = if exponent < 1 { 1 - exponent } else { 0 };
    let shift = FRACTION_BITS - HALF_FRACTION_BITS + below as u32;
    let mode = if cut { Rounding::Zero } else { rounding };
    let significand = round(number.significand, shift, mode, negative);
    // The leading one of a normal significand adds 1 to the exponent, and so does a carry out of rounding.
    let magnitude = ((exponent + below - 1) as u32) << HALF_FRACTION_BITS;
    let magnitude = magnitude + significand;
    if magnitude < HALF_INFINITY {
        sign | magnitude
    } else if rounding.is_toward_zero(negative) {
        sign | (HALF_INFINITY - 1)
    } else {
        sign | HALF_INFINITY
    }
}

#[cfg(test)]
mod tests {
    //! Bugs of the hardware, worked by hand; all other cases are in `tests/float.rs`.

    use super::*;
    use Rounding::{Down, Nearest, Up, Zero};

    #[test]
    fn large_integers_become_wrong_halves() {
        let half = |from, sign, rounding, a| i2f(from, Float::F16, sign, rounding, false, a).value;
        // These are too large for 16 bits and are correctly rounded by the mode.
        assert_eq!(half(Integer::U32, Sign::PLAIN, Nearest, 0x01ff_ff00), 0x7c00);
        assert_eq!(half(Integer::U32, Sign::PLAIN, Zero, 0x01ff_ff00), 0x7bff);
        assert_eq!(half(Integer::S32, Sign::PLAIN, Down, 0xfe00_0100), 0xfc00);
        assert_eq!(half(Integer::S32, Sign::PLAIN, Up, 0xfe00_0100), 0xfbff);
        // Bits 29..5 all ones: the magnitude is lost, except in modes toward zero.
        assert_eq!(half(Integer::U32, Sign::PLAIN, Nearest, 0x3fff_ffe0), 0);
        assert_eq!(half(Integer::U32, Sign::PLAIN, Up, 0x3fff_ffe0), 0);
        assert_eq!(half(Integer::U32, Sign::PLAIN, Down, 0x3fff_ffe0), 0x7bff);
        assert_eq!(half(Integer::U32, Sign::NEGATED, Down, 0x3fff_ffe0), 0x8000);
        // 2^30 with low bits that have five leading zeros loses seven bits, with no leading zero two.
        assert_eq!(half(Integer::U32, Sign::PLAIN, Nearest, 0x4000_0001), 0x3c00);
        assert_eq!(half(Integer::U32, Sign::PLAIN, Nearest, 0x4000_8000), 0x7800);
        assert_eq!(half(Integer::U32, Sign::PLAIN, Nearest, 0x2000_8000), 0x7c00);
        // A negative integer's low bits are reduced by one: -2^25 - 2^15 has only one leading zero.
        assert_eq!(
            half(Integer::S32, Sign::PLAIN, Nearest, (-0x0800_8000i32) as u32),
            0xfc00
        );
        assert_eq!(
            half(Integer::S32, Sign::PLAIN, Nearest, (-0x2000_8000i32) as u32),
            0xf800
        );
    }

    #[test]
    fn an_integral_value_is_cut_to_a_half() {
        // 4098.75; 16-bit floats have steps of four there.
        let half = |integral, mode| f2f(Float::F32, Float::F16, Sign::PLAIN, mode, integral, false, 0x4580_1600).value;
        assert_eq!(
            [Nearest, Up, Down].map(|mode| half(false, mode)),
            [0x6c01, 0x6c01, 0x6c00]
        );
        assert_eq!([Nearest, Up, Down].map(|mode| half(true, mode)), [0x6c00; 3]);
    }

    #[test]
    fn a_negated_zero_is_negative() {
        let zero = i2f(Integer::U32, Float::F32, Sign::NEGATED, Nearest, false, 0);
        assert_eq!((zero.value, zero.cc.bits()), (0x8000_0000, Cc::ZERO));
        assert_eq!(
            i2f(Integer::S16, Float::F16, Sign::NEGATED, Nearest, false, 0).value,
            0x8000
        );
    }
}
