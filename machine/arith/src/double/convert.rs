//! Conversions of compute capability 1.3: F2F, F2I and I2F with a 64-bit source or result.
//!
//! The order is: source, absolute value, negation, rounding, clamping. There is no saturation. Absolute value and
//! negation leave NaNs unchanged. All four rounding modes exist; they round the signed number, but see [`i2f`].
//! Float32 sources and results have denormals here; float32 arithmetic flushes them.
//!
//! The condition code of a float result compares it with 0. The code of an integer has Z if it is 0, S if its top bit
//! is set (also if unsigned), O if it was clamped or the source is a NaN, and C clear.
//!
//! Source: the published hardware tests of the envytools project, restated by the specification.

use super::format::{Exact, Format, Number, DOUBLE, SINGLE};
use super::{flagged, quiet};
use crate::condition::{Cc, Flagged};
use crate::float::{flagged as flagged_single, Sign};
use crate::rounding::Rounding;

/// The integer type of a conversion's source or result: 64 bits, or 32 bits if the other type is a double.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WideInteger {
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 32 bits.
    S32,
    /// Unsigned, 64 bits.
    U64,
    /// Signed, 64 bits.
    S64,
}

impl WideInteger {
    /// The type of 64 bits.
    #[inline(always)]
    const fn long(signed: bool) -> Self {
        if signed {
            WideInteger::S64
        } else {
            WideInteger::U64
        }
    }

    /// The width in bits: 32 or 64.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        match self {
            WideInteger::U32 | WideInteger::S32 => 32,
            WideInteger::U64 | WideInteger::S64 => 64,
        }
    }

    /// True for two's complement.
    #[inline(always)]
    pub const fn is_signed(self) -> bool {
        matches!(self, WideInteger::S32 | WideInteger::S64)
    }

    /// All ones in this width.
    #[inline(always)]
    const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// The top bit alone.
    #[inline(always)]
    const fn top(self) -> u64 {
        1 << (self.bits() - 1)
    }

    /// The largest magnitude of a number of this sign.
    #[inline(always)]
    const fn limit(self, negative: bool) -> u64 {
        match (self.is_signed(), negative) {
            (true, true) => self.top(),
            (true, false) => self.top() - 1,
            (false, true) => 0,
            (false, false) => self.mask(),
        }
    }
}

/// F2F.F64.F32: the float32 `a` as a double, exactly; denormals become normal numbers. The word's rounding mode has no
/// effect. A NaN keeps its sign, and its payload as the upper bits, and becomes quiet.
pub const fn f2f_from_single(sign: Sign, a: u32) -> Flagged<u64> {
    let bits = a as u64;
    flagged(if SINGLE.is_nan(bits) {
        let payload = (bits & (SINGLE.quiet() * 2 - 1)) << (DOUBLE.fraction_bits - SINGLE.fraction_bits);
        quiet(DOUBLE.infinity(SINGLE.is_negative(bits)) | payload)
    } else if SINGLE.is_infinite(bits) {
        DOUBLE.infinity(sign.applied_to(SINGLE.is_negative(bits)))
    } else {
        let number = signed(sign, Number::of(SINGLE, bits));
        number.exact().round(DOUBLE, Rounding::Nearest)
    })
}

/// F2F.F32.F64: the double `a` rounded once to a float32, which may be a denormal. A NaN keeps its sign and the upper
/// 23 bits of its payload, and becomes quiet (bit 22 set).
pub const fn f2f_to_single(sign: Sign, rounding: Rounding, a: u64) -> Flagged {
    let bits = if DOUBLE.is_nan(a) {
        let payload = (a & (DOUBLE.quiet() * 2 - 1)) >> (DOUBLE.fraction_bits - SINGLE.fraction_bits);
        SINGLE.infinity(DOUBLE.is_negative(a)) | payload | SINGLE.quiet()
    } else if DOUBLE.is_infinite(a) {
        SINGLE.infinity(sign.applied_to(DOUBLE.is_negative(a)))
    } else {
        let number = signed(sign, Number::of(DOUBLE, a));
        number.exact().round(SINGLE, rounding)
    };
    flagged_single(bits as u32)
}

/// F2F.F64.F64: the double `a`, rounded to an integral value in the mode `integral`, if any. A number that rounds to
/// zero keeps its sign. A NaN keeps sign and payload and becomes quiet.
pub const fn f2f(sign: Sign, integral: Option<Rounding>, a: u64) -> Flagged<u64> {
    if DOUBLE.is_nan(a) {
        return flagged(quiet(a));
    }
    let value = sign.apply_double(a);
    let number = Number::of(DOUBLE, value);
    flagged(match integral {
        Some(rounding) if number.exponent < 0 => {
            let integer = number.round_to_integer(rounding) as u64;
            from_integer(DOUBLE, number.negative, integer, rounding)
        }
        _ => value,
    })
}

/// The number with its sign modified.
#[inline(always)]
const fn signed(sign: Sign, number: Number) -> Number {
    Number {
        negative: sign.applied_to(number.negative),
        ..number
    }
}

/// F2I.U32.F64, F2I.S32.F64, F2I.U64.F64, F2I.S64.F64: rounds the double `a` to an integer and clamps it to the range
/// of `to`. A 32-bit result has bits 63..32 clear.
///
/// A NaN gives the top bit alone, signed or not (the F2I of [`crate::convert`] gives 0). O is clear for a number of
/// 2^64 or more in [`WideInteger::U64`], although it is clamped: according to the published hardware test, a quirk of
/// the hardware.
pub const fn f2i(to: WideInteger, sign: Sign, rounding: Rounding, a: u64) -> Flagged<u64> {
    integer_of(DOUBLE, to, sign, rounding, a)
}

/// F2I.U64.F32, F2I.S64.F32: like [`f2i`], for the float32 `a`, with denormals.
pub const fn f2i_from_single(is_signed: bool, sign: Sign, rounding: Rounding, a: u32) -> Flagged<u64> {
    integer_of(SINGLE, WideInteger::long(is_signed), sign, rounding, a as u64)
}

#[inline(always)]
const fn integer_of(from: Format, to: WideInteger, sign: Sign, rounding: Rounding, a: u64) -> Flagged<u64> {
    if from.is_nan(a) {
        return coded(to, to.top(), true);
    }
    // An infinity is unpacked as the next power of two, which also exceeds the range of every type.
    let number = signed(sign, Number::of(from, a));
    let magnitude = number.round_to_integer(rounding);
    let limit = to.limit(number.negative);
    let clamped = magnitude > limit as u128;
    let magnitude = if clamped { limit } else { magnitude as u64 };
    let value = if number.negative {
        magnitude.wrapping_neg() & to.mask()
    } else {
        magnitude
    };
    let unnoticed = matches!(to, WideInteger::U64) && !number.negative;
    coded(to, value, clamped && !unnoticed)
}

/// An integer result with its code.
#[inline(always)]
const fn coded(to: WideInteger, value: u64, overflow: bool) -> Flagged<u64> {
    let zero = (value == 0) as u8 * Cc::ZERO;
    let top = (value & to.top() != 0) as u8 * Cc::SIGN;
    Flagged {
        value,
        cc: Cc::from_bits(zero | top | (overflow as u8 * Cc::OVERFLOW)),
    }
}

/// I2F.F64.U32, I2F.F64.S32, I2F.F64.U64, I2F.F64.S64: converts the integer `a`, read as `from` (32-bit types ignore
/// bits 63..32), to a double. A negated 0 is -0.
///
/// Signed types round the signed number. A negated number of an unsigned type is rounded as if positive, then negated:
/// [`Rounding::Down`] then makes its magnitude smaller, and [`Rounding::Up`] larger. The hardware does the same.
pub const fn i2f(from: WideInteger, sign: Sign, rounding: Rounding, a: u64) -> Flagged<u64> {
    flagged(float_of(DOUBLE, from, sign, rounding, a))
}

/// I2F.F32.U64, I2F.F32.S64: like [`i2f`], to a float32.
pub const fn i2f_to_single(is_signed: bool, sign: Sign, rounding: Rounding, a: u64) -> Flagged {
    flagged_single(float_of(SINGLE, WideInteger::long(is_signed), sign, rounding, a) as u32)
}

#[inline(always)]
const fn float_of(to: Format, from: WideInteger, sign: Sign, rounding: Rounding, a: u64) -> u64 {
    let below_zero = from.is_signed() && a & from.top() != 0;
    let magnitude = if below_zero { a.wrapping_neg() } else { a } & from.mask();
    let negative = sign.applied_to(below_zero);
    if from.is_signed() {
        from_integer(to, negative, magnitude, rounding)
    } else {
        to.zero(negative) | from_integer(to, false, magnitude, rounding)
    }
}

/// The integer of this sign and magnitude, rounded to a number of `format`.
#[inline(always)]
const fn from_integer(format: Format, negative: bool, magnitude: u64, rounding: Rounding) -> u64 {
    let number = Exact {
        negative,
        exponent: 0,
        magnitude: magnitude as u128,
    };
    number.round(format, rounding)
}
