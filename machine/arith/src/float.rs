//! Float arithmetic: FADD, FMUL, FMAD, FSWZ, FSET, FMIN, FMAX, FSLCT.
//!
//! Operands and results are the bits of IEEE binary32 numbers. Where an instruction takes the absolute value of an
//! operand or negates it, that step is first and is [`Sign::apply`]; the functions here take its result.
//!
//! Denormal operands count as zeros of their sign, a result too small for a normal number becomes a zero of its sign,
//! and a NaN result is always 0x7fffffff. Apart from that FADD and FMUL are IEEE 754's addition and multiplication;
//! FMAD is not IEEE's (see [`fmad`]). There are no exceptions. The condition code of a float result is
//! [`Cc::of_float`].
//!
//! FADD, FMUL and FMAD have no branches, and work on 32 bits where they can: loops over a warp's lanes are then
//! vectorised, or at least have no mispredicted branches. So they first compute a finite result, for any operands, and
//! then select between it and the special results.
//!
//! Hardware vectors cover all functions but FSLCT and FSWZ. These two, and the order of sign handling and operation,
//! follow the published hardware tests of the envytools project.

use crate::condition::{Cc, Flagged};
use crate::integer::Order;
use crate::number::{
    counts_as_zero, flush, infinity, is_infinite, is_nan, is_negative, normalise, pack, round_at, saturate,
    shift_sticky, zero, Number, BIAS, FRACTION_BITS, NAN, SIGN,
};
use std::cmp::Ordering;

pub use crate::rounding::Rounding;

/// The modification of an operand's sign before the operation: absolute value, then negation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sign {
    /// Take the absolute value.
    pub absolute: bool,
    /// Negate (after `absolute`).
    pub negate: bool,
}

impl Sign {
    /// No modification.
    pub const PLAIN: Sign = Sign {
        absolute: false,
        negate: false,
    };
    /// Negation alone.
    pub const NEGATED: Sign = Sign {
        absolute: false,
        negate: true,
    };

    /// The bits of a float after the modification: only the sign bit changes, also for a zero or a NaN.
    pub const fn apply(self, bits: u32) -> u32 {
        zero(self.applied_to(is_negative(bits))) | bits & !SIGN
    }

    /// The sign of a value with this sign after the modification.
    pub(crate) const fn applied_to(self, negative: bool) -> bool {
        (negative && !self.absolute) != self.negate
    }
}

/// A subset of {less, equal, greater, unordered}: the comparison holds if the operands' relation is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FloatOrder {
    /// The relations of two numbers.
    pub ordered: Order,
    /// True if an operand is a NaN.
    pub unordered: bool,
}

impl FloatOrder {
    /// The subset of bit 0 = less, bit 1 = equal, bit 2 = greater, bit 3 = unordered, as instructions encode it; other
    /// bits are ignored.
    pub const fn from_bits(bits: u32) -> Self {
        FloatOrder {
            ordered: Order::from_bits(bits),
            unordered: bits & 8 != 0,
        }
    }

    /// True if the result of [`compare`] is in the subset.
    pub const fn holds(self, found: Option<Ordering>) -> bool {
        match found {
            Some(order) => self.ordered.holds(order),
            None => self.unordered,
        }
    }
}

/// A float result with its condition code.
#[inline(always)]
pub(crate) const fn flagged(value: u32) -> Flagged {
    Flagged {
        value,
        cc: Cc::of_float(value),
    }
}

#[inline(always)]
const fn saturate_if(asked: bool, value: u32) -> Flagged {
    flagged(if asked { saturate(value) } else { value })
}

/// FADD: `a + b`, rounded; clamped to [+0, 1] if `saturate`, where a NaN stays a NaN.
///
/// Exact cancellation gives +0 in all modes, two negative zeros give -0. Inf - Inf is a NaN. The instructions have the
/// modes [`Rounding::Nearest`] and [`Rounding::Zero`].
#[inline(always)]
pub const fn fadd(rounding: Rounding, saturate: bool, a: u32, b: u32) -> Flagged {
    saturate_if(saturate, sum(rounding, a, b))
}

#[inline(always)]
const fn sum(rounding: Rounding, a: u32, b: u32) -> u32 {
    let finite = add_numbers(rounding, Number::of(a), Number::of(b), false);
    if is_nan(a) || is_nan(b) || is_infinite(a) && is_infinite(b) && a != b {
        NAN
    } else if is_infinite(a) {
        a
    } else if is_infinite(b) {
        b
    } else {
        finite
    }
}

/// The bits below a significand in the adder. The lowest is sticky; with two more it is enough for rounding.
const BELOW: u32 = 3;
/// The adder's highest bit: the carry above the significand's leading one.
const CARRY: u32 = FRACTION_BITS + BELOW + 1;

/// Adds two finite numbers: aligns, adds, normalises, rounds. `gradual`: a sum below the smallest normal number is
/// rounded as a denormal, to a multiple of 2^-149, before it is flushed.
#[inline(always)]
const fn add_numbers(rounding: Rounding, x: Number, y: Number, gradual: bool) -> u32 {
    let exponent = if x.exponent > y.exponent {
        x.exponent
    } else {
        y.exponent
    };
    let accumulator = align(x, exponent) + align(y, exponent);
    let negative = accumulator < 0 || accumulator == 0 && x.negative && y.negative;
    let (magnitude, exponent) = normalise(accumulator.unsigned_abs() as u64, exponent + 1, CARRY);
    let magnitude = magnitude as u32;
    let below = if gradual && exponent < 1 { 1 - exponent } else { 0 };
    let magnitude = shift_sticky(magnitude, below as u32);
    let (kept, rest) = (magnitude >> (BELOW + 1), magnitude & ((2 << BELOW) - 1));
    let significand = round_at(kept, rest, 1 << BELOW, rounding, negative);
    // Below 2^23: a denormal, which is flushed, or zero.
    let significand = if significand < 1 << FRACTION_BITS {
        0
    } else {
        significand
    };
    pack(negative, exponent + below, significand, rounding)
}

/// A significand with its sign, aligned in the adder to `exponent`, which must not be less than its own.
#[inline(always)]
const fn align(number: Number, exponent: i32) -> i32 {
    let distance = (exponent - number.exponent) as u32;
    let aligned = shift_sticky(number.significand << BELOW, distance) as i32;
    if number.negative {
        -aligned
    } else {
        aligned
    }
}

/// FMUL: `a * b`, rounded once. It does not saturate; below compute capability 1.2 the bit for it has no effect.
///
/// 0 * Inf is a NaN. The instructions have the modes [`Rounding::Nearest`] and [`Rounding::Zero`].
#[inline(always)]
pub const fn fmul(rounding: Rounding, a: u32, b: u32) -> Flagged {
    flagged(product(rounding, a, b))
}

/// FMUL.SAT from compute capability 1.2 on: the rounded product clamped to [+0, 1], where a NaN stays a NaN and -0
/// becomes +0.
#[inline(always)]
pub const fn fmul_saturated(rounding: Rounding, a: u32, b: u32) -> Flagged {
    flagged(saturate(product(rounding, a, b)))
}

#[inline(always)]
const fn product(rounding: Rounding, a: u32, b: u32) -> u32 {
    let (x, y) = (Number::of(a), Number::of(b));
    let negative = x.negative != y.negative;
    let is_zero = x.is_zero() | y.is_zero();
    let Product { kept, rest, exponent } = multiply(x, y);
    let significand = round_at(kept, rest, HALF, rounding, negative);
    let finite = pack(negative, exponent, significand, rounding);
    let infinite = is_infinite(a) | is_infinite(b);
    if is_nan(a) | is_nan(b) | infinite & is_zero {
        NAN
    } else if infinite {
        infinity(negative)
    } else {
        finite
    }
}

/// A product of 48 bits, the highest of them set unless it is 0.
struct Product {
    /// The upper 24 bits.
    kept: u32,
    /// The lower 24 bits.
    rest: u32,
    /// The exponent of `kept` as a significand.
    exponent: i32,
}

/// Half of the weight of the last bit of [`Product::kept`], in units of `rest`.
const HALF: u32 = 1 << FRACTION_BITS;

/// The product of two numbers, exactly.
#[inline(always)]
const fn multiply(x: Number, y: Number) -> Product {
    let wide = x.significand as u64 * y.significand as u64;
    // The highest bit is 46 or 47.
    let top = (wide >> 47) as u32;
    let wide = wide << (1 - top);
    Product {
        kept: (wide >> 24) as u32,
        rest: wide as u32 & 0xff_ffff,
        exponent: x.exponent + y.exponent - BIAS + top as i32,
    }
}

/// FMAD: `a * b + c`; clamped to [+0, 1] if `saturate`, where a NaN stays a NaN.
///
/// It is not fused, and not a multiplication followed by an addition either. The product is truncated to 24 bits
/// (rounded toward zero) but keeps its exponent, however large or small, and is then added to `c` and rounded to
/// nearest. If an operand is a zero, it is FMUL, then FADD, both rounding to nearest. NaN and infinities are as with
/// these two, except that a product of finite numbers does not become infinite before the addition. A sum below 2^-126
/// is rounded to a multiple of 2^-149 before it is flushed, so from 2^-126 - 2^-150 on it is 2^-126.
#[inline(always)]
pub const fn fmad(saturate: bool, a: u32, b: u32, c: u32) -> Flagged {
    saturate_if(saturate, multiply_add(a, b, c))
}

#[inline(always)]
const fn multiply_add(a: u32, b: u32, c: u32) -> u32 {
    let (x, y, z) = (Number::of(a), Number::of(b), Number::of(c));
    let negative = x.negative != y.negative;
    let no_product = x.is_zero() | y.is_zero();
    let Product { kept, rest, exponent } = multiply(x, y);
    let product = Number {
        negative,
        // A zero must not make the adder shift the other number out.
        exponent: if no_product { 1 } else { exponent },
        // If one addend is zero, the result is FMUL's.
        significand: if z.is_zero() {
            round_at(kept, rest, HALF, Rounding::Nearest, negative)
        } else {
            kept
        },
    };
    let finite = add_numbers(Rounding::Nearest, product, z, !z.is_zero());
    // FMUL's result may be a zero by underflow, and then two zeros are added.
    let finite = if z.is_zero() & counts_as_zero(finite) {
        zero(negative & z.negative)
    } else {
        finite
    };
    let infinite = is_infinite(a) | is_infinite(b);
    let opposite = infinite & is_infinite(c) & (negative != z.negative);
    if is_nan(a) | is_nan(b) | is_nan(c) | infinite & no_product | opposite {
        NAN
    } else if infinite {
        infinity(negative)
    } else if is_infinite(c) {
        c
    } else {
        finite
    }
}

/// A thread's operation in FSWZ on the other thread's source 1 and its own source 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quad {
    /// `other + own`
    Add,
    /// `own - other`
    ReverseSubtract,
    /// `other - own`
    Subtract,
    /// `own + 0`
    Move,
}

impl Quad {
    /// The operation with this number, as instructions encode it; bits above 1 are ignored.
    pub const fn from_bits(bits: u32) -> Self {
        match bits & 3 {
            0 => Quad::Add,
            1 => Quad::ReverseSubtract,
            2 => Quad::Subtract,
            _ => Quad::Move,
        }
    }
}

/// FSWZ: `other`, from a thread of the same four, combined with `own`, as FADD to nearest.
pub const fn fswz(operation: Quad, other: u32, own: u32) -> Flagged {
    let (x, y) = match operation {
        Quad::Add => (other, own),
        Quad::ReverseSubtract => (other ^ SIGN, own),
        Quad::Subtract => (other, own ^ SIGN),
        Quad::Move => (zero(false), own),
    };
    flagged(sum(Rounding::Nearest, x, y))
}

/// The order of `a` and `b`; `None` if one of them is a NaN. All zeros and denormals are equal.
pub const fn compare(a: u32, b: u32) -> Option<Ordering> {
    if is_nan(a) || is_nan(b) {
        return None;
    }
    let (a, b) = (in_order(flush(a)), in_order(flush(b)));
    Some(if a < b {
        Ordering::Less
    } else if a == b {
        Ordering::Equal
    } else {
        Ordering::Greater
    })
}

/// An integer that compares as the float does, both zeros being 0.
const fn in_order(bits: u32) -> i32 {
    let magnitude = (bits & !SIGN) as i32;
    if is_negative(bits) {
        -magnitude
    } else {
        magnitude
    }
}

/// FSET: all ones if the order of `a` and `b` is in `order`, else 0 (never 1.0). The code is a set instruction's: S if
/// true, Z if false.
pub const fn fset(order: FloatOrder, a: u32, b: u32) -> Flagged {
    let truth = order.holds(compare(a, b));
    Flagged {
        value: if truth { u32::MAX } else { 0 },
        cc: Cc::of_set(truth),
    }
}

/// FMIN: the smaller of `a` and `b`; a NaN loses to a number, and -0 is smaller than +0.
pub const fn fmin(a: u32, b: u32) -> Flagged {
    flagged(choose(a, b, false))
}

/// FMAX: the larger of `a` and `b`; a NaN loses to a number, and +0 is larger than -0.
pub const fn fmax(a: u32, b: u32) -> Flagged {
    flagged(choose(a, b, true))
}

const fn choose(a: u32, b: u32, larger: bool) -> u32 {
    match (is_nan(a), is_nan(b)) {
        (true, true) => NAN,
        (true, false) => flush(b),
        (false, true) => flush(a),
        (false, false) => {
            let (a, b) = (flush(a), flush(b));
            if (in_order_of_sign(a) < in_order_of_sign(b)) == larger {
                b
            } else {
                a
            }
        }
    }
}

/// An integer that compares as the float does, -0 being below +0.
const fn in_order_of_sign(bits: u32) -> i32 {
    in_order(bits) - is_negative(bits) as i32
}

/// FSLCT: `a` if `c` is 0 or more, `b` if it is less or a NaN. The bits are unchanged.
///
/// The condition code follows a special rule: Z if the bits are a zero's, else S from bit 31, also for denormals and
/// NaNs.
pub const fn fslct(a: u32, b: u32, c: u32) -> Flagged {
    let value = match compare(c, 0) {
        Some(Ordering::Equal | Ordering::Greater) => a,
        Some(Ordering::Less) | None => b,
    };
    let code = if value & !SIGN == 0 {
        Cc::ZERO
    } else {
        (value >> 31) as u8 * Cc::SIGN
    };
    Flagged {
        value,
        cc: Cc::from_bits(code),
    }
}

#[cfg(test)]
mod tests {
    //! Cases worked by hand that random tests rarely hit; all others are in `tests/float.rs`.

    use super::*;

    #[test]
    fn sums_below_normal_are_rounded_then_flushed() {
        let smallest = 0x0080_0000;
        let two_to = |power: i32| ((power + BIAS) as u32) << FRACTION_BITS;
        // 2^-126 less 2^-153 and less 2^-150, half the weight of a denormal's last bit.
        assert_eq!(fmad(false, two_to(-100), two_to(-53) | SIGN, smallest).value, smallest);
        assert_eq!(fmad(false, two_to(-100), two_to(-50) | SIGN, smallest).value, smallest);
        // With a slightly larger product, the rounded sum is a denormal, which becomes a zero of its sign.
        let less = fmad(false, two_to(-100) | 1, two_to(-50) | SIGN, smallest);
        assert_eq!((less.value, less.cc.bits()), (0, Cc::ZERO));
        let less = fmad(false, two_to(-100) | 1, two_to(-50), smallest | SIGN);
        assert_eq!((less.value, less.cc.bits()), (SIGN, Cc::ZERO));
        // A vector of the hardware: 2^-126 less a little more than 2^-151, half of the last of 24 bits.
        let vector = fmad(false, 0x8080_0001, 0x3300_0000, 0x0080_0000);
        assert_eq!((vector.value, vector.cc.bits()), (0x0080_0000, 0));
        // A sum with zero is not rounded that way: FMUL's own result was flushed.
        assert_eq!(fmad(false, 0x3f7f_ffff, smallest, 0).value, 0);
        // FADD has no bits below 2^-149 to round, and FMUL rounds to 24 bits only.
        assert_eq!(fmul(Rounding::Nearest, 0x3f7f_ffff, smallest).value, 0);
    }

    #[test]
    fn a_quad_adds_and_subtracts() {
        let [one, three] = [0x3f80_0000, 0x4040_0000];
        let of = |operation| fswz(operation, three, one).value;
        assert_eq!(of(Quad::Add), 0x4080_0000);
        assert_eq!(of(Quad::ReverseSubtract), 0xc000_0000);
        assert_eq!(of(Quad::Subtract), 0x4000_0000);
        assert_eq!(of(Quad::Move), one);
        // An addition of +0: -0 and denormals become +0, NaNs are one NaN.
        assert_eq!(fswz(Quad::Move, 0x7f80_0000, SIGN).value, 0);
        assert_eq!(fswz(Quad::Move, 0x7f80_0000, 0x8000_0001).value, 0);
        assert_eq!(fswz(Quad::Move, 0, 0xff80_0001).value, NAN);
    }

    #[test]
    fn a_product_keeps_its_exponent_until_the_addition() {
        let (large, largest) = (0x7f00_0000, 0x7f7f_ffff);
        // 2^128 - (2^128 - 2^104): the product alone would be infinite.
        assert_eq!(fmul(Rounding::Nearest, large, 0x4000_0000).value, 0x7f80_0000);
        assert_eq!(
            fmad(false, large, 0x4000_0000, largest | SIGN).value,
            (104 + BIAS as u32) << FRACTION_BITS
        );
        // 2^254 and an infinity of the other sign: the product is not an infinity, so the sum is not a NaN.
        assert_eq!(fmad(false, large, large, 0xff80_0000).value, 0xff80_0000);
        assert_eq!(fmad(false, large, 0x7f80_0000, 0xff80_0000).value, NAN);
    }
}
