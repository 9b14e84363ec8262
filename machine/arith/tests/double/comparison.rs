//! `flexgrip_arith::double` against the reference, one random input at a time: values and condition codes.

use crate::operands::{convertible, integer, single, triple, Random};
use crate::reference::{self as want, Exact, DOUBLE, SINGLE};
use flexgrip_arith::double::convert::{
    f2f, f2f_from_single, f2f_to_single, f2i, f2i_from_single, i2f, i2f_to_single, WideInteger,
};
use flexgrip_arith::double::{compare, dadd, dfma, dmax, dmin, dmul, dset};
use flexgrip_arith::float::{FloatOrder, Rounding, Sign};
use flexgrip_arith::{Cc, Flagged};
use std::cmp::Ordering;
use std::fmt::LowerHex;

const MODES: [Rounding; 4] = [Rounding::Nearest, Rounding::Down, Rounding::Up, Rounding::Zero];

/// Describes the comparison in messages.
type Label<'a> = &'a dyn Fn() -> String;

fn equal<T: PartialEq + LowerHex>(got: Flagged<T>, value: T, cc: Cc, label: Label) -> Result<(), String> {
    if got.value == value && got.cc == cc {
        return Ok(());
    }
    let (got, got_cc) = (got.value, got.cc);
    Err(format!("{}: {got:x} {got_cc}, not {value:x} {cc}", label()))
}

fn double(got: Flagged<u64>, value: u64, label: Label) -> Result<(), String> {
    equal(got, value, want::code(f64::from_bits(value)), label)
}

fn single_result(got: Flagged, value: u32, label: Label) -> Result<(), String> {
    equal(got, value, want::code(f64::from(f32::from_bits(value))), label)
}

/// Checks one random input of the arithmetic: DFMA, DADD and DMUL in all modes, comparisons.
pub fn arithmetic(random: &mut Random) -> Result<(), String> {
    let [a, b, c] = triple(random);
    arithmetic_of(a, b, c)
}

pub fn arithmetic_of(a: u64, b: u64, c: u64) -> Result<(), String> {
    let [x, y, z] = [a, b, c].map(f64::from_bits);
    let fma = |mode| dfma(mode, a, b, c);
    let add = |mode| dadd(mode, a, c);
    let multiply = |mode| dmul(mode, a, b);
    in_all_modes(&fma, want::dfma(x, y, z), x.mul_add(y, z), &|| {
        format!("dfma {a:x} {b:x} {c:x}")
    })?;
    in_all_modes(&add, want::dadd(x, z), x + z, &|| format!("dadd {a:x} {c:x}"))?;
    in_all_modes(&multiply, want::dmul(x, y), x * y, &|| format!("dmul {a:x} {b:x}"))?;
    ordering(a, b)?;
    // The numbers are often as near as in a sum that cancels.
    ordering(a, c ^ 1 << 63)
}

/// Checks an operation against its exact result, and to nearest also against the host's.
fn in_all_modes(got: &dyn Fn(Rounding) -> Flagged<u64>, exact: Exact, host: f64, label: Label) -> Result<(), String> {
    for mode in MODES {
        let value = exact.rounded(mode, DOUBLE);
        double(got(mode), value, &|| format!("{} {mode:?}", label()))?;
    }
    // The host may choose another NaN.
    if host.is_nan() {
        return Ok(());
    }
    double(got(Rounding::Nearest), host.to_bits(), &|| {
        format!("{} as the host", label())
    })
}

fn ordering(a: u64, b: u64) -> Result<(), String> {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    double(dmin(a, b), want::extreme(x, y, false), &|| format!("dmin {a:x} {b:x}"))?;
    double(dmax(a, b), want::extreme(x, y, true), &|| format!("dmax {a:x} {b:x}"))?;
    let found = x.partial_cmp(&y);
    if compare(a, b) != found {
        return Err(format!("compare {a:x} {b:x}: {:?}, not {found:?}", compare(a, b)));
    }
    let bit = match found {
        Some(Ordering::Less) => 1,
        Some(Ordering::Equal) => 2,
        Some(Ordering::Greater) => 4,
        None => 8,
    };
    // The set is only this outcome, or all other outcomes.
    for set in [bit, 15 ^ bit] {
        let truth = set & bit != 0;
        let (value, code) = if truth { (u32::MAX, Cc::SIGN) } else { (0, Cc::ZERO) };
        let got = dset(FloatOrder::from_bits(set), a, b);
        equal(got, value, Cc::from_bits(code), &|| format!("dset {set:x} {a:x} {b:x}"))?;
    }
    Ok(())
}

/// Checks one random input of each conversion, in one mode.
pub fn conversions(random: &mut Random) -> Result<(), String> {
    let (a, float, word) = (convertible(random), single(random), integer(random));
    let sign = Sign {
        absolute: random.below(4) == 0,
        negate: random.below(4) == 0,
    };
    let mode = MODES[random.below(4) as usize];
    from_double(sign, mode, a)?;
    from_single(sign, mode, float)?;
    from_integer(sign, mode, word)
}

pub fn from_double(sign: Sign, mode: Rounding, a: u64) -> Result<(), String> {
    let Sign { absolute, negate } = sign;
    let label = |name: &str| format!("{name} {a:x} {mode:?} {sign:?}");
    let number = f64::from_bits(a);
    let value = want::to_single(number, absolute, negate, mode);
    single_result(f2f_to_single(sign, mode, a), value, &|| label("f2f.f32.f64"))?;
    for integral in [None, Some(mode)] {
        let value = want::to_double(number, absolute, negate, integral);
        double(f2f(sign, integral, a), value, &|| label("f2f.f64.f64"))?;
    }
    for (to, bits, signed) in INTEGERS {
        let (value, cc) = want::to_integer(number, absolute, negate, mode, bits, signed);
        equal(f2i(to, sign, mode, a), value, cc, &|| label(&format!("f2i {to:?}")))?;
    }
    Ok(())
}

pub fn from_single(sign: Sign, mode: Rounding, a: u32) -> Result<(), String> {
    let Sign { absolute, negate } = sign;
    let label = |name: &str| format!("{name} {a:x} {mode:?} {sign:?}");
    let value = want::from_single(a, absolute, negate);
    double(f2f_from_single(sign, a), value, &|| label("f2f.f64.f32"))?;
    let number = f64::from(f32::from_bits(a));
    for signed in [false, true] {
        let (value, cc) = want::to_integer(number, absolute, negate, mode, 64, signed);
        let got = f2i_from_single(signed, sign, mode, a);
        equal(got, value, cc, &|| label(&format!("f2i.64.f32, signed {signed}")))?;
    }
    Ok(())
}

pub fn from_integer(sign: Sign, mode: Rounding, word: u64) -> Result<(), String> {
    let Sign { absolute, negate } = sign;
    let label = |name: &str| format!("{name} {word:x} {mode:?} {sign:?}");
    for (from, bits, signed) in INTEGERS {
        let value = want::from_integer(word, (bits, signed), absolute, negate, mode, DOUBLE);
        let got = i2f(from, sign, mode, word);
        double(got, value, &|| label(&format!("i2f.f64 {from:?}")))?;
    }
    for signed in [false, true] {
        let value = want::from_integer(word, (64, signed), absolute, negate, mode, SINGLE) as u32;
        let got = i2f_to_single(signed, sign, mode, word);
        single_result(got, value, &|| label(&format!("i2f.f32.64, signed {signed}")))?;
    }
    Ok(())
}

const INTEGERS: [(WideInteger, u32, bool); 4] = [
    (WideInteger::U32, 32, false),
    (WideInteger::S32, 32, true),
    (WideInteger::U64, 64, false),
    (WideInteger::S64, 64, true),
];
