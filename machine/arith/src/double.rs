//! Double-precision arithmetic of compute capability 1.3: DFMA, DADD, DMUL, DMIN, DMAX, DSET; conversions in
//! [`convert`].
//!
//! Operands and results are the 64 bits of IEEE binary64 numbers. Unlike float32 arithmetic ([`crate::float`]), this is
//! as in IEEE 754-2008: denormals are supported, every operation rounds once, in any of the four modes, and NaNs keep
//! their payload. There are no exceptions and no saturation.
//!
//! * Absolute value and negation come first. They are [`Sign::apply_double`], which leaves NaNs unchanged; DFMA negates
//!   its product by negating source 1. The functions here take its results.
//! * A result from a NaN operand is that NaN, quiet (bit 51 set), with its sign and payload. The order in which sources
//!   are preferred differs: DFMA takes 2, 3, 1; DADD 3, 1; DMUL 2, 1.
//! * An invalid operation on numbers, Inf - Inf or 0 * Inf, gives [`INVALID`].
//! * Too large a magnitude becomes an infinity, or the largest finite number if the mode rounds it toward zero.
//! * The condition code is [`Cc::of_double`], for which a denormal is not a zero; DSET's is [`Cc::of_set`].
//!
//! Source: the published hardware tests of the envytools project, which ran on a GT200, restated by the specification.

pub mod convert;

mod format;

use crate::condition::{Cc, Flagged};
use crate::float::{FloatOrder, Sign};
use crate::rounding::Rounding;
use format::{Exact, Number, DOUBLE};
use std::cmp::Ordering;

/// The NaN of an invalid operation: quiet, negative, without payload.
pub const INVALID: u64 = 0xfff8_0000_0000_0000;

impl Sign {
    /// The bits of a double after the modification: only the sign bit changes, also of a zero; a NaN is unchanged.
    #[inline(always)]
    pub const fn apply_double(self, bits: u64) -> u64 {
        if DOUBLE.is_nan(bits) {
            return bits;
        }
        DOUBLE.zero(self.applied_to(DOUBLE.is_negative(bits))) | bits & !DOUBLE.sign()
    }
}

#[inline(always)]
const fn flagged(value: u64) -> Flagged<u64> {
    Flagged {
        value,
        cc: Cc::of_double(value),
    }
}

#[inline(always)]
const fn quiet(nan: u64) -> u64 {
    nan | DOUBLE.quiet()
}

/// DFMA: `a * b + c`, sources 1, 2 and 3, rounded once: the product is exact.
///
/// An exact zero has the common sign of product and `c`, else it is +0, and -0 in [`Rounding::Down`]. 0 * Inf plus a
/// NaN is that NaN.
pub const fn dfma(rounding: Rounding, a: u64, b: u64, c: u64) -> Flagged<u64> {
    flagged(if DOUBLE.is_nan(b) {
        quiet(b)
    } else if DOUBLE.is_nan(c) {
        quiet(c)
    } else if DOUBLE.is_nan(a) {
        quiet(a)
    } else {
        multiply_add(rounding, a, b, c)
    })
}

/// `a * b + c` of operands that are not NaNs.
#[inline(always)]
const fn multiply_add(rounding: Rounding, a: u64, b: u64, c: u64) -> u64 {
    match product(a, b) {
        Product::Finite(_) if DOUBLE.is_infinite(c) => c,
        Product::Finite(product) => product
            .plus(Number::of(DOUBLE, c).exact(), rounding)
            .round(DOUBLE, rounding),
        Product::Infinite { negative } if DOUBLE.is_infinite(c) && negative != DOUBLE.is_negative(c) => INVALID,
        Product::Infinite { negative } => DOUBLE.infinity(negative),
        Product::Invalid => INVALID,
    }
}

/// A product of operands that are not NaNs.
enum Product {
    Finite(Exact),
    Infinite {
        negative: bool,
    },
    /// 0 * Inf.
    Invalid,
}

#[inline(always)]
const fn product(a: u64, b: u64) -> Product {
    let (x, y) = (Number::of(DOUBLE, a), Number::of(DOUBLE, b));
    if !DOUBLE.is_infinite(a) && !DOUBLE.is_infinite(b) {
        Product::Finite(x.times(y))
    } else if x.is_zero() || y.is_zero() {
        Product::Invalid
    } else {
        Product::Infinite {
            negative: x.negative != y.negative,
        }
    }
}

/// DADD: `a + b`, sources 1 and 3, rounded once.
///
/// Two zeros of one sign give that zero; any other exact zero is +0, and -0 in [`Rounding::Down`].
pub const fn dadd(rounding: Rounding, a: u64, b: u64) -> Flagged<u64> {
    flagged(if DOUBLE.is_nan(b) {
        quiet(b)
    } else if DOUBLE.is_nan(a) {
        quiet(a)
    } else if DOUBLE.is_infinite(a) && DOUBLE.is_infinite(b) && a != b {
        INVALID
    } else if DOUBLE.is_infinite(a) {
        a
    } else if DOUBLE.is_infinite(b) {
        b
    } else {
        let (x, y) = (Number::of(DOUBLE, a), Number::of(DOUBLE, b));
        x.exact().plus(y.exact(), rounding).round(DOUBLE, rounding)
    })
}

/// DMUL: `a * b`, sources 1 and 2, rounded once. A zero has the product's sign, in every mode.
pub const fn dmul(rounding: Rounding, a: u64, b: u64) -> Flagged<u64> {
    flagged(if DOUBLE.is_nan(b) {
        quiet(b)
    } else if DOUBLE.is_nan(a) {
        quiet(a)
    } else {
        match product(a, b) {
            Product::Finite(product) => product.round(DOUBLE, rounding),
            Product::Infinite { negative } => DOUBLE.infinity(negative),
            Product::Invalid => INVALID,
        }
    })
}

/// The order of `a` and `b`, sources 1 and 2; `None` if one of them is a NaN. -0 equals +0, denormals are numbers.
pub const fn compare(a: u64, b: u64) -> Option<Ordering> {
    if DOUBLE.is_nan(a) || DOUBLE.is_nan(b) {
        return None;
    }
    let (a, b) = (in_order(a), in_order(b));
    Some(if a < b {
        Ordering::Less
    } else if a == b {
        Ordering::Equal
    } else {
        Ordering::Greater
    })
}

/// An integer that compares like the double; both zeros are 0.
const fn in_order(bits: u64) -> i64 {
    let magnitude = (bits & !DOUBLE.sign()) as i64;
    if DOUBLE.is_negative(bits) {
        -magnitude
    } else {
        magnitude
    }
}

/// DSET: 32 bits, all ones if the order of `a` and `b`, sources 1 and 2, is in `order`, else 0. The code is a set
/// instruction's: S if true, Z if false.
pub const fn dset(order: FloatOrder, a: u64, b: u64) -> Flagged {
    let truth = order.holds(compare(a, b));
    Flagged {
        value: if truth { u32::MAX } else { 0 },
        cc: Cc::of_set(truth),
    }
}

/// DMIN: the smaller of `a` and `b`, sources 1 and 2; a NaN loses to a number, two NaNs give `b`, quiet; -0 is smaller
/// than +0.
pub const fn dmin(a: u64, b: u64) -> Flagged<u64> {
    flagged(choose(a, b, false))
}

/// DMAX: the larger of `a` and `b`, sources 1 and 2; a NaN loses to a number, two NaNs give `b`, quiet; +0 is larger
/// than -0.
pub const fn dmax(a: u64, b: u64) -> Flagged<u64> {
    flagged(choose(a, b, true))
}

const fn choose(a: u64, b: u64, larger: bool) -> u64 {
    match (DOUBLE.is_nan(a), DOUBLE.is_nan(b)) {
        (true, true) => quiet(b),
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            if (in_order_of_sign(a) < in_order_of_sign(b)) == larger {
                b
            } else {
                a
            }
        }
    }
}

/// An integer that compares like the double; -0 is below +0.
const fn in_order_of_sign(bits: u64) -> i64 {
    in_order(bits) - DOUBLE.is_negative(bits) as i64
}
