//! A float32 unpacked into sign, exponent and significand, and the steps that all float operations share: sticky shift,
//! normalisation, rounding, packing.
//!
//! All steps are integer arithmetic on bits, as in a circuit. The machine's floats are IEEE binary32 with these
//! exceptions: denormal operands count as zeros of their sign, results too small for a normal number become zeros of
//! their sign, and every NaN result is 0x7fffffff.

use crate::rounding::Rounding;

/// The NaN of all results.
pub(crate) const NAN: u32 = 0x7fff_ffff;
/// 1.0.
pub(crate) const ONE: u32 = 0x3f80_0000;
/// The sign bit.
pub(crate) const SIGN: u32 = 0x8000_0000;
/// The exponent field of 1.0.
pub(crate) const BIAS: i32 = 127;
/// Number of fraction bits: the significand's leading one is this bit.
pub(crate) const FRACTION_BITS: u32 = 23;
/// The significand's leading one.
const LEADING_ONE: u32 = 1 << FRACTION_BITS;
/// The exponent field of infinities and NaNs.
const EXPONENT_MAX: i32 = 0xff;

/// A finite number: `significand * 2^(exponent - 127 - 23)`, negated if `negative`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub negative: bool,
    /// Biased as in the format; intermediate results may leave its range.
    pub exponent: i32,
    /// 0, or 24 bits with the highest set.
    pub significand: u32,
}

impl Number {
    /// Unpacks the bits of a finite number. Denormals and zeros get exponent 1 and significand 0.
    #[inline(always)]
    pub const fn of(bits: u32) -> Self {
        let exponent = (bits >> FRACTION_BITS & 0xff) as i32;
        let (exponent, significand) = if exponent == 0 {
            (1, 0)
        } else {
            (exponent, bits & (LEADING_ONE - 1) | LEADING_ONE)
        };
        Number {
            negative: is_negative(bits),
            exponent,
            significand,
        }
    }

    /// True for a zero.
    pub const fn is_zero(self) -> bool {
        self.significand == 0
    }
}

#[inline(always)]
pub(crate) const fn is_nan(bits: u32) -> bool {
    bits & !SIGN > 0x7f80_0000
}

#[inline(always)]
pub(crate) const fn is_infinite(bits: u32) -> bool {
    bits & !SIGN == 0x7f80_0000
}

#[inline(always)]
pub(crate) const fn is_negative(bits: u32) -> bool {
    bits & SIGN != 0
}

/// True for a zero or a denormal.
#[inline(always)]
pub(crate) const fn counts_as_zero(bits: u32) -> bool {
    bits & 0x7f80_0000 == 0
}

/// The bits, with a denormal flushed to a zero of its sign.
#[inline(always)]
pub(crate) const fn flush(bits: u32) -> u32 {
    if counts_as_zero(bits) {
        bits & SIGN
    } else {
        bits
    }
}

/// The zero of this sign.
#[inline(always)]
pub(crate) const fn zero(negative: bool) -> u32 {
    if negative {
        SIGN
    } else {
        0
    }
}

/// The infinity of this sign.
#[inline(always)]
pub(crate) const fn infinity(negative: bool) -> u32 {
    zero(negative) | 0x7f80_0000
}

/// Sticky right shift by any count: bit 0 of the result is also set if any bit was lost.
#[inline(always)]
pub(crate) const fn shift_sticky(value: u32, count: u32) -> u32 {
    // A value has 30 bits here, so a shift of 31 loses all of them, as any larger one does.
    let count = if count > 31 { 31 } else { count };
    let lost = value & ((1 << count) - 1);
    value >> count | (lost != 0) as u32
}

/// Shifts `value` left until `bit` (0 to 63) is its highest bit, and lowers `exponent` by the shift. 0 stays 0, with an
/// unspecified exponent.
#[inline(always)]
pub(crate) const fn normalise(value: u64, exponent: i32, bit: u32) -> (u64, i32) {
    let shift = bit.saturating_sub((value | 1).ilog2());
    (value << shift, exponent - shift as i32)
}

/// The magnitude `kept` of a number of this sign, rounded by the bits below it: `rest`, in which `half` is one half.
#[inline(always)]
pub(crate) const fn round_at(kept: u32, rest: u32, half: u32, rounding: Rounding, negative: bool) -> u32 {
    let nearest = matches!(rounding, Rounding::Nearest) & ((rest | kept & 1) > half);
    kept + (nearest | rounding.is_away(negative) & (rest != 0)) as u32
}

/// `value / 2^count`, `value` being below 2^30, rounded to an integer: the magnitude of a number of this sign. Any
/// count is allowed.
#[inline(always)]
pub(crate) const fn round(value: u32, count: u32, rounding: Rounding, negative: bool) -> u32 {
    // Two bits below the integer, the half and a sticky bit, are enough for all modes.
    let quarters = shift_sticky(value << 2, count);
    round_at(quarters >> 2, quarters & 3, 2, rounding, negative)
}

/// Packs a float from a significand that is 0 or in `2^23 ..= 2^24`: 24 bits after rounding.
///
/// A number that is too small after rounding becomes a zero. One that is too large becomes an infinity, or the largest
/// finite number if `rounding` is toward zero for this sign.
#[inline(always)]
pub(crate) const fn pack(negative: bool, exponent: i32, significand: u32, rounding: Rounding) -> u32 {
    // Rounding has carried out of the top bit.
    let (exponent, significand) = if significand >> (FRACTION_BITS + 1) == 0 {
        (exponent, significand)
    } else {
        (exponent + 1, significand >> 1)
    };
    let magnitude = if exponent <= 0 || significand == 0 {
        0
    } else if exponent < EXPONENT_MAX {
        (exponent as u32) << FRACTION_BITS | significand & (LEADING_ONE - 1)
    } else {
        infinity(false) - rounding.is_toward_zero(negative) as u32
    };
    zero(negative) | magnitude
}

/// Clamps to [+0, 1]; a NaN stays a NaN.
#[inline(always)]
pub(crate) const fn saturate(bits: u32) -> u32 {
    if is_nan(bits) {
        NAN
    } else if is_negative(bits) {
        0
    } else if bits > ONE {
        ONE
    } else {
        bits
    }
}
