//! The float functions against independent references: exact values in the host's f64, rounded by a rule of one line.
//! Operands are drawn so that special values and similar exponents are frequent.

use flexgrip_arith::convert::{f2f, f2i, i2f, Float};
use flexgrip_arith::float::{compare, fadd, fmad, fmax, fmin, fmul, fset, fslct, FloatOrder, Rounding, Sign};
use flexgrip_arith::integer::Integer;
use flexgrip_arith::special::{cos, ex2, lg2, rcp, rro_ex2, rro_sin, rsq, sin};
use flexgrip_arith::{Cc, Flagged, Width};
use proptest::prelude::*;
use std::cmp::Ordering;

const NAN: u32 = 0x7fff_ffff;
const MODES: [Rounding; 4] = [Rounding::Nearest, Rounding::Down, Rounding::Up, Rounding::Zero];

/// The bits of a random float: arbitrary, with an exponent near the exponent of 1.0, near the ends of the range, or
/// special.
fn float() -> impl Strategy<Value = u32> {
    let with_exponents =
        |from: u32, to: u32| (any::<u32>(), from..=to).prop_map(|(bits, exponent)| bits & 0x807f_ffff | exponent << 23);
    prop_oneof![
        4 => any::<u32>(),
        4 => with_exponents(120, 135),
        1 => with_exponents(0, 30),
        1 => with_exponents(225, 255),
        1 => prop::sample::select(SPECIAL.as_slice()),
        // Few significant bits: exact results and ties.
        2 => (any::<u32>(), 100u32..150).prop_map(|(bits, exponent)| bits & 0x8070_0001 | exponent << 23),
    ]
}

const SPECIAL: [u32; 18] = [
    0,
    0x8000_0000,
    1,
    0x807f_ffff,
    0x007f_ffff,
    0x0080_0000,
    0x8080_0000,
    0x3f7f_ffff,
    0x3f80_0000,
    0x3f80_0001,
    0xbf80_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7f80_0001,
    0xffff_ffff,
    0x7fff_ffff,
];

fn rounding() -> impl Strategy<Value = Rounding> {
    prop::sample::select(MODES.as_slice())
}

/// The value of a float; denormals count as zeros.
fn value(bits: u32) -> f64 {
    let float = f32::from_bits(bits);
    if float.is_subnormal() {
        f64::copysign(0.0, f64::from(float))
    } else {
        f64::from(float)
    }
}

/// `value / unit` rounded to an integer.
fn integral(value: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => value.round_ties_even(),
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
        Rounding::Zero => value.trunc(),
    }
}

/// The power of two at or below a finite number's magnitude, which is not 0.
fn binade(value: f64) -> f64 {
    f64::from_bits(value.to_bits() & 0x7ff0_0000_0000_0000)
}

/// An exact value rounded to a float32 by the machine's rules.
fn rounded(exact: f64, rounding: Rounding) -> u32 {
    if exact.is_nan() {
        return NAN;
    }
    if exact == 0.0 || exact.is_infinite() {
        return (exact as f32).to_bits();
    }
    let place = binade(exact) * 2f64.powi(-23);
    let result = integral(exact / place, rounding) * place;
    let largest = f64::from(f32::MAX);
    let float = if result.abs() < 2f64.powi(-126) {
        0.0
    } else if result.abs() <= largest {
        result
    } else if integral(0.5f64.copysign(exact), rounding) == 0.0 && rounding != Rounding::Nearest {
        largest
    } else {
        f64::INFINITY
    };
    (float.copysign(exact) as f32).to_bits()
}

/// A number that rounds to the same float as the exact sum, which may not fit an f64: its last bit is sticky.
fn sum(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !sum.is_finite() {
        return sum;
    }
    // The part of the sum that f64 lost, exactly.
    let b_taken = sum - a;
    let lost = (a - (sum - b_taken)) + (b - b_taken);
    if lost == 0.0 {
        return sum;
    }
    let cut = if (lost < 0.0) == (sum < 0.0) {
        sum
    } else {
        f64::from_bits(sum.to_bits() - 1)
    };
    f64::from_bits(cut.to_bits() | 1)
}

fn add_reference(rounding: Rounding, a: f64, b: f64) -> u32 {
    rounded(sum(a, b), rounding)
}

fn fmad_reference(a: u32, b: u32, c: u32) -> u32 {
    let (a, b, c) = (value(a), value(b), value(c));
    // 48 bits: f64 is exact.
    let product = a * b;
    if a == 0.0 || b == 0.0 || c == 0.0 {
        return add_reference(Rounding::Nearest, value(rounded(product, Rounding::Nearest)), c);
    }
    if !product.is_finite() {
        return rounded(product + c, Rounding::Nearest);
    }
    let place = binade(product) * 2f64.powi(-23);
    let sum = sum((product / place).trunc() * place, c);
    if sum.abs() >= 2f64.powi(-126) {
        return rounded(sum, Rounding::Nearest);
    }
    // Rounds to a denormal number, or to the smallest normal one, before flushing.
    let unit = 2f64.powi(-149);
    rounded(
        (integral(sum / unit, Rounding::Nearest) * unit).copysign(sum),
        Rounding::Nearest,
    )
}

/// The condition code of a float, by its comparison with 0.
fn code(bits: u32) -> Cc {
    Cc::from_bits(match value(bits).partial_cmp(&0.0) {
        Some(Ordering::Greater) => 0,
        Some(Ordering::Equal) => Cc::ZERO,
        Some(Ordering::Less) => Cc::SIGN,
        None => Cc::ZERO | Cc::SIGN,
    })
}

fn flagged(bits: u32) -> Flagged {
    Flagged {
        value: bits,
        cc: code(bits),
    }
}

fn clamped(bits: u32) -> u32 {
    let float = value(bits);
    match float.is_nan() {
        true => NAN,
        false => (if float > 0.0 { float.min(1.0) } else { 0.0 } as f32).to_bits(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn addition_is_correctly_rounded(mode in rounding(), a in float(), b in float()) {
        let want = add_reference(mode, value(a), value(b));
        prop_assert_eq!(fadd(mode, false, a, b), flagged(want));
        prop_assert_eq!(fadd(mode, true, a, b), flagged(clamped(want)));
        prop_assert_eq!(fadd(mode, false, a, b), fadd(mode, false, b, a));
    }

    #[test]
    fn addition_of_near_numbers_cancels_exactly(a in float(), distance in -40i32..40) {
        let b = a.wrapping_add_signed(distance) ^ 0x8000_0000;
        for mode in MODES {
            prop_assert_eq!(fadd(mode, false, a, b), flagged(add_reference(mode, value(a), value(b))));
        }
    }

    #[test]
    fn multiplication_is_correctly_rounded(mode in rounding(), a in float(), b in float()) {
        let want = rounded(value(a) * value(b), mode);
        prop_assert_eq!(fmul(mode, a, b), flagged(want));
        prop_assert_eq!(fmul(mode, a, b), fmul(mode, b, a));
    }

    #[test]
    fn multiplication_addition_cuts_the_product(a in float(), b in float(), c in float()) {
        let want = fmad_reference(a, b, c);
        prop_assert_eq!(fmad(false, a, b, c), flagged(want));
        prop_assert_eq!(fmad(true, a, b, c), flagged(clamped(want)));
        prop_assert_eq!(fmad(false, a, b, c), fmad(false, b, a, c));
    }

    #[test]
    fn multiplication_addition_near_cancellation_is_right(a in float(), b in float(), distance in -40i32..40) {
        let c = fmul(Rounding::Nearest, a, b).value.wrapping_add_signed(distance) ^ 0x8000_0000;
        prop_assert_eq!(fmad(false, a, b, c), flagged(fmad_reference(a, b, c)));
    }

    #[test]
    fn multiplication_addition_rounds_below_normal_numbers(
        a in any::<u32>(), b in any::<u32>(), exponent in -6i32..6, c in 0x0080_0000u32..0x0080_0004,
    ) {
        // A product of about 2^-150, half the last place of a denormal number, with the sign opposite to c.
        let number = |bits: u32, exponent: i32| bits & 0x007f_ffff | ((127 + exponent) as u32) << 23;
        let (a, b) = (number(a, -75), number(b, -75 + exponent) | 0x8000_0000);
        prop_assert_eq!(fmad(false, a, b, c), flagged(fmad_reference(a, b, c)));
    }

    #[test]
    fn comparison_orders_numbers(a in float(), b in float(), set in 0u32..16) {
        let found = value(a).partial_cmp(&value(b));
        prop_assert_eq!(compare(a, b), found);
        let bit = match found {
            Some(Ordering::Less) => 1,
            Some(Ordering::Equal) => 2,
            Some(Ordering::Greater) => 4,
            None => 8,
        };
        let truth = set & bit != 0;
        let got = fset(FloatOrder::from_bits(set), a, b);
        prop_assert_eq!(got, Flagged { value: if truth { u32::MAX } else { 0 }, cc: Cc::of_set(truth) });
    }

    #[test]
    fn minimum_and_maximum_order_zeros_and_nans(a in float(), b in float()) {
        let (x, y) = (value(a), value(b));
        let (least, most) = match (x.is_nan(), y.is_nan()) {
            (true, true) => (f64::NAN, f64::NAN),
            (true, false) => (y, y),
            (false, true) => (x, x),
            (false, false) if x.total_cmp(&y).is_le() => (x, y),
            (false, false) => (y, x),
        };
        prop_assert_eq!(fmin(a, b), flagged(rounded(least, Rounding::Nearest)));
        prop_assert_eq!(fmax(a, b), flagged(rounded(most, Rounding::Nearest)));
    }

    #[test]
    fn selection_passes_bits_on(a in any::<u32>(), b in any::<u32>(), c in float()) {
        let want = if value(c) >= 0.0 { a } else { b };
        let got = fslct(a, b, c);
        prop_assert_eq!(got.value, want);
        prop_assert_eq!((got.cc.zero(), got.cc.sign()), (want << 1 == 0, want >> 31 == 1 && want << 1 != 0));
    }

    #[test]
    fn float_to_integer_clamps(mode in rounding(), a in prop_oneof![float(), (any::<u32>(), 120u32..165)
        .prop_map(|(bits, exponent)| bits & 0x807f_ffff | exponent << 23)], absolute: bool, negate: bool)
    {
        let sign = Sign { absolute, negate };
        let number = value(sign.apply(a));
        let number = if number.is_nan() { 0.0 } else { integral(number, mode) };
        for (width, signed, low, high) in [
            (Width::B32, true, f64::from(i32::MIN), f64::from(i32::MAX)),
            (Width::B32, false, 0.0, f64::from(u32::MAX)),
            (Width::B16, true, f64::from(i16::MIN), f64::from(i16::MAX)),
            (Width::B16, false, 0.0, f64::from(u16::MAX)),
        ] {
            let want = number.clamp(low, high) as i64 as u32 & width.mask();
            let got = f2i(Float::F32, width, signed, sign, mode, a);
            prop_assert_eq!(got, Flagged { value: want, cc: Cc::of_integer(want, width, false, false) });
        }
    }

    #[test]
    fn integer_to_float_is_correctly_rounded(mode in rounding(), shift in 0u32..32, bits in any::<u32>(), absolute: bool, negate: bool) {
        let bits = bits >> shift;
        for from in [Integer::U8, Integer::U16, Integer::U32, Integer::S8, Integer::S16, Integer::S32] {
            let mut number = from.read(bits) as f64;
            if absolute {
                number = number.abs();
            }
            if negate {
                number = -number;
            }
            let sign = Sign { absolute, negate };
            let want = rounded(number, mode);
            prop_assert_eq!(i2f(from, Float::F32, sign, mode, false, bits), flagged(want));
            prop_assert_eq!(i2f(from, Float::F32, sign, mode, true, bits), flagged(clamped(want)));
            // Numbers that the hardware's bugs do not affect are rounded twice.
            if from.read(bits).unsigned_abs() < 1 << 24 {
                let half = i2f(from, Float::F16, sign, mode, false, bits).value;
                prop_assert_eq!(half, half_reference(number, mode));
                let half = i2f(from, Float::F16, sign, mode, true, bits).value;
                prop_assert_eq!(half, half_reference(value(clamped(want)), mode));
            }
        }
    }

    #[test]
    fn float_to_float_is_correctly_rounded(mode in rounding(), a in float(), absolute: bool, negate: bool) {
        let sign = Sign { absolute, negate };
        let number = value(sign.apply(a));
        let plain = rounded(number, mode);
        prop_assert_eq!(f2f(Float::F32, Float::F32, sign, mode, false, false, a), flagged(plain));
        prop_assert_eq!(f2f(Float::F32, Float::F32, sign, mode, false, true, a), flagged(clamped(plain)));
        let whole = rounded(integral(number, mode).copysign(number), mode);
        prop_assert_eq!(f2f(Float::F32, Float::F32, sign, mode, true, false, a), flagged(whole));
        prop_assert_eq!(f2f(Float::F32, Float::F32, sign, mode, true, true, a), flagged(clamped(whole)));
    }

    #[test]
    fn float_to_half_is_correctly_rounded(mode in rounding(), a in prop_oneof![float(), (any::<u32>(), 85u32..146)
        .prop_map(|(bits, exponent)| bits & 0x807f_ffff | exponent << 23)])
    {
        let got = f2f(Float::F32, Float::F16, Sign::PLAIN, mode, false, false, a);
        prop_assert_eq!(got.value, half_reference(value(a), mode));
        prop_assert_eq!(got.cc, code(f2f(Float::F16, Float::F32, Sign::PLAIN, mode, false, false, got.value).value));
    }

    #[test]
    fn special_functions_take_any_bits(a in any::<u32>()) {
        // Vectors and the tests of accuracy check the values; here, no result may be denormal.
        for result in [rcp(a), rsq(a), lg2(a), sin(a), cos(a), ex2(false, a), ex2(true, a)] {
            prop_assert!(!f32::from_bits(result).is_subnormal(), "{result:08x}");
            prop_assert!(!f32::from_bits(result).is_nan() || result == NAN, "{result:08x}");
        }
        prop_assert_eq!((rro_sin(a) ^ a) >> 31, 0);
        prop_assert_eq!((rro_ex2(a) ^ a) >> 31, 0);
        prop_assert_eq!(ex2(true, a), clamped(ex2(false, a)));
    }
}

/// The 16-bit float of an exact value; below 2^-33 it is a zero in all modes.
fn half_reference(exact: f64, rounding: Rounding) -> u32 {
    if exact.is_nan() {
        return 0x7fff;
    }
    let sign = if exact.is_sign_negative() { 0x8000 } else { 0 };
    if exact.is_infinite() {
        return sign | 0x7c00;
    }
    if exact.abs() < 2f64.powi(-33) {
        return sign;
    }
    let place = (binade(exact) * 2f64.powi(-10)).max(2f64.powi(-24));
    let result = (integral(exact / place, rounding) * place).abs();
    if result >= 65536.0 {
        let toward_zero = match rounding {
            Rounding::Nearest => false,
            Rounding::Down => sign == 0,
            Rounding::Up => sign != 0,
            Rounding::Zero => true,
        };
        return sign | if toward_zero { 0x7bff } else { 0x7c00 };
    }
    // The 16-bit floats in order, one place apart.
    let (binade, places) = if result < 2f64.powi(-14) {
        (0.0, result / 2f64.powi(-24))
    } else {
        let exponent = binade(result).log2();
        (exponent + 15.0, (result / binade(result) - 1.0) * 1024.0)
    };
    sign | (binade as u32) << 10 | places as u32
}

/// The value of a 16-bit float.
fn half_value(bits: u32) -> f64 {
    let (exponent, fraction) = (bits >> 10 & 0x1f, f64::from(bits & 0x3ff));
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(-24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent as i32 - 25),
    };
    if bits & 0x8000 != 0 {
        -magnitude
    } else {
        magnitude
    }
}

#[test]
fn every_half_round_trips_through_float() {
    for bits in 0..0x1_0000 {
        let exact = half_value(bits);
        // Upper bits of the operand do not matter.
        let float = f2f(
            Float::F16,
            Float::F32,
            Sign::PLAIN,
            Rounding::Up,
            false,
            false,
            bits | 0xabcd_0000,
        );
        let want = if exact.is_nan() { NAN } else { (exact as f32).to_bits() };
        assert_eq!(float, flagged(want), "{bits:04x}");
        for mode in MODES {
            let back = f2f(Float::F32, Float::F16, Sign::PLAIN, mode, false, false, float.value).value;
            let same = f2f(Float::F16, Float::F16, Sign::PLAIN, mode, false, false, bits).value;
            let want = if exact.is_nan() { 0x7fff } else { bits };
            assert_eq!((back, same), (want, want), "{bits:04x}");
            let whole = f2f(Float::F16, Float::F16, Sign::PLAIN, mode, true, false, bits).value;
            let want = integral(exact, mode).copysign(exact);
            assert_eq!(whole, half_reference(want, mode), "{bits:04x} {mode:?}");
            let integer = f2i(Float::F16, Width::B32, true, Sign::PLAIN, mode, bits).value;
            // Rust's conversion clamps and makes a NaN 0.
            assert_eq!(integer, integral(exact, mode) as i32 as u32, "{bits:04x} {mode:?}");
        }
    }
}

#[test]
fn sign_handling_is_absolute_value_then_negation() {
    for bits in SPECIAL {
        for (absolute, negate, want) in [
            (false, false, bits),
            (true, false, bits & 0x7fff_ffff),
            (false, true, bits ^ 0x8000_0000),
            (true, true, bits | 0x8000_0000),
        ] {
            assert_eq!(Sign { absolute, negate }.apply(bits), want);
        }
    }
}
