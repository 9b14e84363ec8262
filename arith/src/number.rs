//! A float32 taken apart into sign, exponent and significand, and the steps that all float operations share: sticky
//! shift, normalisation, rounding, putting together.
//!
//! All of it is integer arithmetic on bits, step by step as a circuit has it. The machine's floats are IEEE binary32
//! but for this: denormal operands count as zeros of their sign, results too small for a normal number become zeros of
//! their sign, and every NaN result is 0x7fffffff.

use crate::rounding::Rounding;

/// The NaN of all results.
pub(crate) const NAN: u32 = 0x7fff_ffff;
/// 1.0.
pub(crate) const ONE: u32 = 0x3f80_0000;
/// The sign bit.
pub(crate) const SIGN: u32 = 0x8000_0000;
/// The exponent of 1.0 as the bits hold it.
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
    /// Biased as in the bits; intermediate results may leave the range of the format.
    pub exponent: i32,
    /// 0, or 24 bits with the highest set.
    pub significand: u32,
}

impl Number {
    /// Takes the bits of a finite number apart. Denormals and zeros get exponent 1 and significand 0.
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

    /// Whether it is a zero.
    pub const fn is_zero(self) -> bool {
        self.significand == 0
    }
}

pub(crate) const fn is_nan(bits: u32) -> bool {
    bits & !SIGN > 0x7f80_0000
}

pub(crate) const fn is_infinite(bits: u32) -> bool {
    bits & !SIGN == 0x7f80_0000
}

pub(crate) const fn is_negative(bits: u32) -> bool {
    bits & SIGN != 0
}

/// A zero or a denormal.
pub(crate) const fn counts_as_zero(bits: u32) -> bool {
    bits & 0x7f80_0000 == 0
}

/// The bits with a denormal made a zero of its sign.
pub(crate) const fn flush(bits: u32) -> u32 {
    if counts_as_zero(bits) {
        bits & SIGN
    } else {
        bits
    }
}

/// The zero of this sign.
pub(crate) const fn zero(negative: bool) -> u32 {
    if negative {
        SIGN
    } else {
        0
    }
}

/// The infinity of this sign.
pub(crate) const fn infinity(negative: bool) -> u32 {
    zero(negative) | 0x7f80_0000
}

/// Sticky right shift of a value below 2^63, by any count: bit 0 of the result is also set if any bit was lost.
pub(crate) const fn shift_sticky(value: u64, count: u32) -> u64 {
    // All that shifts this far is lost in the same way.
    let count = if count > 63 { 63 } else { count };
    let lost = value & ((1 << count) - 1);
    value >> count | (lost != 0) as u64
}

/// Shifts `value`, which is not 0, left until `bit` (0 to 63) is its highest bit, and lowers `exponent` by the shift.
pub(crate) const fn normalise(value: u64, exponent: i32, bit: u32) -> (u64, i32) {
    let shift = bit.saturating_sub(63 - value.leading_zeros());
    (value << shift, exponent - shift as i32)
}

/// `value / 2^count` rounded to an integer: the magnitude (below 2^61) of a number of this sign. Any count will do.
pub(crate) const fn round(value: u64, count: u32, rounding: Rounding, negative: bool) -> u64 {
    // Two bits below the integer, the half and whether there is anything below it, decide in all modes.
    let quarters = shift_sticky(value << 2, count);
    let (kept, rest) = (quarters >> 2, quarters & 3);
    let up = match rounding {
        Rounding::Nearest => rest == 3 || rest == 2 && kept & 1 == 1,
        Rounding::Down => negative && rest != 0,
        Rounding::Up => !negative && rest != 0,
        Rounding::Zero => false,
    };
    kept + up as u64
}

/// Puts a float together from a significand that is 0 or in `2^23 ..= 2^24`: what rounding leaves of 24 bits.
///
/// Too small a number becomes a zero: it is looked at after rounding. Too large a one becomes an infinity, or the
/// largest finite number if `rounding` goes toward zero for this sign.
pub(crate) const fn pack(negative: bool, exponent: i32, significand: u32, rounding: Rounding) -> u32 {
    // Rounding carried out of the top.
    let (exponent, significand) = if significand >> (FRACTION_BITS + 1) == 0 {
        (exponent, significand)
    } else {
        (exponent + 1, significand >> 1)
    };
    if exponent <= 0 || significand == 0 {
        return zero(negative);
    }
    if exponent >= EXPONENT_MAX {
        return if rounding.is_toward_zero(negative) {
            infinity(negative) - 1
        } else {
            infinity(negative)
        };
    }
    zero(negative) | (exponent as u32) << FRACTION_BITS | significand & (LEADING_ONE - 1)
}

/// Clamps to [+0, 1]; a NaN stays one.
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
