//! The G80's float arithmetic, as far as bit-exact results need it, written only from `docs/arithmetic.md`. The crate
//! `arith`, with which the model computes, is not used here.
//!
//! It uses the host's f64, which IEEE 754 defines exactly. Denormal operands count as zeros, and results too small for
//! a normal number become zeros. A NaN is always 0x7fffffff.

/// The number of fraction bits of an f64 below a 24-bit significand.
const BELOW: u32 = 29;

/// Flushes a denormal to a zero of its sign; other numbers are unchanged.
pub fn flush(x: f32) -> f32 {
    if x.is_subnormal() {
        0_f32.copysign(x)
    } else {
        x
    }
}

/// Rounds to nearest even with 24 bits, however small the number is, then flushes results that are too small to zero.
fn round(x: f64) -> f32 {
    // Below 2^-126 an f32 has fewer bits. A 24-bit number there is a multiple of 2^-150 and is flushed; only the upper
    // half of the last step, from 2^-126 - 2^-151 upward, becomes 2^-126. (The tie goes there because 2^-126 is even.)
    let smallest = f64::from(f32::MIN_POSITIVE);
    if x.is_nan() {
        return f32::from_bits(0x7fff_ffff);
    }
    let magnitude = if x.abs() >= smallest {
        x.abs() as f32
    } else if x.abs() >= smallest - 2_f64.powi(-151) {
        f32::MIN_POSITIVE
    } else {
        0.0
    };
    magnitude.copysign(x as f32)
}

/// `a + b` with the last bit set if it is inexact: rounding it again to 24 bits then equals rounding the exact sum.
/// Only for finite numbers.
fn sum_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // Knuth's error term of the sum, which is exact.
    let rest = sum - a;
    let error = (a - (sum - rest)) + (b - rest);
    if error == 0.0 || sum.to_bits() & 1 == 1 {
        return sum;
    }
    // The exact sum is between this even number and its odd neighbour in the error's direction.
    let away = (error > 0.0) == (sum > 0.0);
    f64::from_bits(if away { sum.to_bits() + 1 } else { sum.to_bits() - 1 })
}

/// FADD: `a + b`, rounded to nearest.
pub fn add(a: f32, b: f32) -> f32 {
    // An f64 cannot represent all sums of two f32, but rounding twice is harmless: it has more than twice as many bits
    // plus two.
    round(f64::from(flush(a)) + f64::from(flush(b)))
}

/// FMUL: `a * b`, rounded to nearest.
pub fn mul(a: f32, b: f32) -> f32 {
    // The product of 24 by 24 bits is exact.
    round(f64::from(flush(a)) * f64::from(flush(b)))
}

/// FMAD: `a * b`, truncated to 24 bits with an unbounded exponent, plus `c`, rounded to nearest.
pub fn mad(a: f32, b: f32, c: f32) -> f32 {
    let (a, b, c) = (flush(a), flush(b), flush(c));
    if [a, b, c].contains(&0.0) {
        return add(mul(a, b), c);
    }
    let product = f64::from(a) * f64::from(b);
    if !product.is_finite() || !c.is_finite() {
        return round(product + f64::from(c));
    }
    let cut = f64::from_bits(product.to_bits() >> BELOW << BELOW);
    round(sum_to_odd(cut, f64::from(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn denormals_are_zeros() {
        let denormal = f32::from_bits(0x807f_ffff);
        assert_eq!(flush(denormal).to_bits(), 0x8000_0000);
        assert_eq!(add(denormal, 0.0).to_bits(), 0);
        assert_eq!(mul(f32::MIN_POSITIVE, -0.5).to_bits(), 0x8000_0000);
    }

    #[test]
    fn small_numbers_are_rounded_before_flushing() {
        let smallest = f64::from(f32::MIN_POSITIVE);
        // The largest 24-bit number below the smallest normal one, which an f32 would round up; and the tie above it.
        let below = 1.0 - 2_f64.powi(-24);
        assert_eq!(mul(f32::MIN_POSITIVE, below as f32), 0.0);
        assert_eq!((smallest * below) as f32, f32::MIN_POSITIVE);
        assert_eq!(round(-smallest * below).to_bits(), 0x8000_0000);
        assert_eq!(round(smallest * (1.0 - 2_f64.powi(-25))), f32::MIN_POSITIVE);
    }

    #[test]
    fn multiply_add_truncates_the_product() {
        let next = f32::from_bits(0x3f80_0001);
        // 1 + 2^-22 + 2^-46 loses its last term, because the operation is not fused.
        assert_eq!(mad(next, next, -1.0), 2_f32.powi(-22));
        // 1.5 + 2.5 * 2^-23 + 2^-46 is rounded up by FMUL, but truncated here.
        let a = f32::from_bits(0x3fc0_0001);
        assert_eq!(mul(a, next).to_bits(), 0x3fc0_0003);
        assert_eq!(mad(a, next, f32::MIN_POSITIVE).to_bits(), 0x3fc0_0002);
        assert_eq!(mad(a, -next, -f32::MIN_POSITIVE).to_bits(), 0xbfc0_0002);
        // With a zero operand it equals FMUL and FADD.
        assert_eq!(mad(a, next, 0.0).to_bits(), 0x3fc0_0003);
    }

    #[test]
    fn multiply_add_has_no_second_rounding() {
        // 1 + 2^-24 is a tie. 2^-80 more must decide it, although an f64 cannot represent the sum of all three.
        assert_eq!(mad(1.0, 1.0, 2_f32.powi(-24)), 1.0);
        let up = f32::from_bits(0x3380_0001);
        assert_eq!(mad(1.0, 1.0, up).to_bits(), 0x3f80_0001);
        let odd = sum_to_odd(1.0, 2_f64.powi(-80));
        assert_eq!(odd.to_bits(), 1_f64.to_bits() + 1);
        assert_eq!(sum_to_odd(1.0, -(2_f64.powi(-80))).to_bits(), 1_f64.to_bits() - 1);
        assert_eq!(sum_to_odd(-1.0, 2_f64.powi(-80)).to_bits(), (-1_f64).to_bits() - 1);
    }

    #[test]
    fn infinities_and_nans_follow_the_document() {
        let nan = 0x7fff_ffff;
        assert_eq!(mul(0.0, f32::INFINITY).to_bits(), nan);
        assert_eq!(add(f32::INFINITY, f32::NEG_INFINITY).to_bits(), nan);
        assert_eq!(add(f32::from_bits(0xffc0_1234), 1.0).to_bits(), nan);
        // A product of finite numbers is not infinite before the addition.
        assert_eq!(mad(f32::MAX, f32::MAX, f32::NEG_INFINITY), f32::NEG_INFINITY);
        assert_eq!(mad(2_f32.powi(127), 2.0, -f32::MAX), 2_f32.powi(104));
        assert_eq!(mul(f32::MAX, 2.0), f32::INFINITY);
        assert_eq!(add(f32::MAX, f32::MAX), f32::INFINITY);
    }
}
