//! Math functions that `accuracy.rs` does not measure: functions with two results, special values, native functions.

use crate::frontend::{self, run, Program};
use crate::Random;

/// Returns random bits, numbers of moderate size, integers, halves, and special values. Denormal numbers are left out:
/// the machine treats them as zero.
fn inputs(count: usize, seed: u64) -> Vec<f32> {
    const EDGES: [f32; 18] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        16_777_216.0,
        -8_388_607.5,
        f32::MIN_POSITIVE,
        f32::MAX,
        f32::MIN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        0.999_999_94,
    ];
    let mut random = Random(seed);
    let number = |at: usize| {
        let bits = random.bits();
        let middle = (bits >> 32) as i32 as f32;
        match at % 4 {
            _ if at < EDGES.len() * EDGES.len() => EDGES[(at + at / EDGES.len()) % EDGES.len()],
            0 => f32::from_bits(bits as u32),
            1 => middle * 2f32.powi(-28),
            2 => (middle * 2f32.powi(-24)).round() / 2.0,
            _ => middle * 2f32.powi((bits % 40) as i32 - 40),
        }
    };
    let all = (0..count).map(number);
    all.map(|x| if x.is_subnormal() { 0.0 } else { x }).collect()
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// Runs a body that computes the words `r` and `s` from x, y and n.
fn two(body: &str, x: &[f32], y: &[f32], n: &[i32]) -> Option<Vec<[u32; 2]>> {
    let clang = frontend::clang()?;
    let text = format!(
        "kernel void k(global uint *out, global const float *a, global const float *b, global const int *c) {{\n\
         uint i = get_global_id(0), r = 0, s = 0; float x = a[i], y = b[i]; int n = c[i];\n{body}\n\
         out[2 * i] = r; out[2 * i + 1] = s; }}"
    );
    let kernel = Program::new(&clang, &text, "").kernel("k");
    let n: Vec<u32> = n.iter().map(|&n| n as u32).collect();
    let found = run(&kernel, x.len(), 2 * x.len(), &[&bits(x), &bits(y), &n]);
    Some(found.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect())
}

/// Checks that both have the same bits, or are both NaN.
#[track_caller]
fn same(found: u32, expected: f32, what: &str) {
    let number = f32::from_bits(found);
    // The machine replaces denormal results by a zero of the same sign.
    let expected = if expected.is_subnormal() {
        0f32.copysign(expected)
    } else {
        expected
    };
    assert!(
        found == expected.to_bits() || number.is_nan() && expected.is_nan(),
        "{what}: {number:e} ({found:#010x}); expected {expected:e}"
    );
}

const COUNT: usize = 2048;
const NONE: [i32; COUNT] = [0; COUNT];

#[test]
fn numbers_split_into_parts() {
    let x = inputs(COUNT, 0x1234_5678_9abc);
    let Some(found) = two("float w; r = as_uint(fract(x, &w)); s = as_uint(w);", &x, &x, &NONE) else {
        return;
    };
    for (x, found) in x.iter().zip(found) {
        let whole = x.floor();
        let rest = match x {
            x if x.is_infinite() => 0f32.copysign(*x),
            x if *x == 0.0 => *x,
            x => (x - whole).min(0.999_999_94),
        };
        same(found[0], if x.is_nan() { *x } else { rest }, &format!("fract({x:e})"));
        same(found[1], whole, &format!("whole part of {x:e}"));
    }
    let found = two("float w; r = as_uint(modf(x, &w)); s = as_uint(w);", &x, &x, &NONE).expect("clang is there");
    for (x, found) in x.iter().zip(found) {
        let rest = if x.is_infinite() { 0.0 } else { x - x.trunc() };
        same(found[0], rest.copysign(*x), &format!("modf({x:e})"));
        same(found[1], x.trunc(), &format!("whole part of {x:e}"));
    }
    let found = two("int e = 9; r = as_uint(frexp(x, &e)); s = e;", &x, &x, &NONE).expect("clang is there");
    for (x, found) in x.iter().zip(found) {
        let (fraction, exponent) = libm::frexpf(*x);
        same(found[0], fraction, &format!("frexp({x:e})"));
        if x.is_finite() {
            assert_eq!(found[1] as i32, exponent, "{x:e}");
        }
    }
}

#[test]
fn ilogb_returns_exponents() {
    let x = inputs(COUNT, 0x77_1234_9abc);
    let body = "r = ilogb(x); s = ilogb(0.0f) == FP_ILOGB0 && ilogb(-0.0f) == FP_ILOGB0 && ilogb(NAN) == FP_ILOGBNAN;";
    let Some(found) = two(body, &x, &x, &NONE) else { return };
    for (x, found) in x.iter().zip(found) {
        assert_eq!(found[1], 1, "its results are the constants of OpenCL C");
        let expected = match x {
            x if x.is_nan() || x.is_infinite() => i32::MAX,
            x if *x == 0.0 => i32::MIN,
            x => libm::ilogbf(*x),
        };
        assert_eq!(found[0] as i32, expected, "{x:e}");
    }
    let found = two("r = as_uint(logb(x)); s = isnan(nan(as_uint(x)));", &x, &x, &NONE).expect("clang is there");
    for (x, found) in x.iter().zip(found) {
        let expected = match x {
            x if x.is_infinite() => f32::INFINITY,
            x if *x == 0.0 => f32::NEG_INFINITY,
            x if x.is_nan() => *x,
            x => libm::ilogbf(*x) as f32,
        };
        same(found[0], expected, &format!("logb({x:e})"));
        assert_eq!(found[1], 1, "nan returns NaN for any payload");
    }
}

#[test]
fn remainders_have_their_quotients() {
    let (x, mut y) = (inputs(COUNT, 0x4242_9abc), inputs(COUNT, 0x1_5678_9abd));
    // Many pairs are close to each other, which makes quotients small.
    for (at, y) in y.iter_mut().enumerate().filter(|(at, _)| at % 2 == 0) {
        let near = x[at] * ((at % 29) as f32 - 14.3);
        *y = if near.is_subnormal() { 1.0 } else { near };
    }
    let body = "int q = 99; r = as_uint(remquo(x, y, &q)); s = q;";
    let Some(found) = two(body, &x, &y, &NONE) else { return };
    let mut quotients = 0;
    for ((x, y), found) in x.iter().zip(&y).zip(found) {
        let (wide_x, wide_y) = (f64::from(*x), f64::from(*y));
        let rest = libm::remainder(wide_x, wide_y);
        same(found[0], rest as f32, &format!("remquo({x:e}, {y:e})"));
        let quotient = (wide_x - rest) / wide_y;
        if quotient.abs() < 2f64.powi(50) {
            // The low seven bits of the quotient, with its sign.
            let low = (quotient.round().abs() as u64 & 127) as i32;
            let expected = if quotient < 0.0 { -low } else { low };
            assert_eq!(found[1] as i32, expected, "{x:e} by {y:e}: {quotient}");
            quotients += i32::from(low > 0);
        }
    }
    assert!(quotients > 500, "{quotients}");
}

#[test]
fn maxmag_and_minmag_compare_absolute_values() {
    let (x, y) = (inputs(COUNT, 0x9191_9abc), inputs(COUNT, 0x2_5678_9abd));
    let body = "r = as_uint(maxmag(x, y)); s = as_uint(minmag(x, y));";
    let Some(found) = two(body, &x, &y, &NONE) else { return };
    for ((x, y), found) in x.iter().zip(&y).zip(found) {
        let largest = match (x.abs(), y.abs()) {
            (a, b) if a > b => *x,
            (a, b) if a < b => *y,
            _ => x.max(*y),
        };
        let smallest = match (x.abs(), y.abs()) {
            (a, b) if a < b => *x,
            (a, b) if a > b => *y,
            _ => x.min(*y),
        };
        // If both are zeros, either one is correct.
        for (found, expected) in [(found[0], largest), (found[1], smallest)] {
            let number = f32::from_bits(found);
            assert!(
                number == expected || number.is_nan() && expected.is_nan(),
                "{x:e} {y:e}: {number:e}; expected {expected:e}"
            );
        }
    }
}

/// sincos equals sin and cos. lgamma_r equals lgamma, for which OpenCL does not limit the error, and returns the sign
/// of gamma.
#[test]
fn functions_with_two_results_agree() {
    let mut x = inputs(COUNT, 0x3333_9abc);
    for (at, x) in x.iter_mut().enumerate().skip(1024) {
        *x = (at as f32 - 1536.3) / 24.0;
    }
    let body = "float w; float z = sincos(x, &w); r = as_uint(z) ^ as_uint(sin(x)); s = as_uint(w) ^ as_uint(cos(x));";
    let Some(found) = two(body, &x, &x, &NONE) else { return };
    for (x, found) in x.iter().zip(found) {
        assert_eq!(found, [0, 0], "sincos({x:e})");
    }
    let body = "int g = 9; float l = lgamma_r(x, &g); r = as_uint(lgamma(x)); s = as_uint(l) == r ? g : 8;";
    let found = two(body, &x, &x, &NONE).expect("clang is there");
    for (x, found) in x.iter().zip(found) {
        let (expected, sign) = libm::lgamma_r(f64::from(*x));
        let (number, what) = (f64::from(f32::from_bits(found[0])), format!("lgamma({x:e})"));
        if x.is_nan() {
            assert!(number.is_nan(), "{what}: {number}");
            continue;
        }
        assert_ne!(found[1], 8, "{what} and lgamma_r differ");
        if expected.is_infinite() || expected.abs() > f64::from(f32::MAX) {
            assert!(number == f64::INFINITY, "{what}: {number}; expected {expected}");
            continue;
        }
        if *x > 0.0 || x.trunc() != *x {
            assert_eq!(found[1] as i32, sign, "{what}");
        }
        // Near zeros at negative numbers, the terms cancel.
        let scale = if *x > 0.0 {
            expected.abs().max(0.05)
        } else {
            expected.abs().max(1.0)
        };
        assert!(
            (number - expected).abs() <= 2e-6 * scale,
            "{what}: {number}; expected {expected}"
        );
    }
}

/// Tests where erf is nearly 1 and erfc is nearly 0.
#[test]
fn tails_of_erf_are_accurate() {
    let x: Vec<f32> = (0..COUNT).map(|at| (at as f32 - 256.0) / 128.0).collect();
    let Some(found) = two("r = as_uint(erf(x)); s = as_uint(erfc(x));", &x, &x, &NONE) else {
        return;
    };
    for (x, found) in x.iter().zip(found) {
        let (erf, erfc) = (f32::from_bits(found[0]), f32::from_bits(found[1]));
        let exact = (libm::erf(f64::from(*x)), libm::erfc(f64::from(*x)));
        let near = |found: f32, exact: f64| (f64::from(found) - exact).abs() <= 16.0 * 2f64.powi(-23) * exact.abs();
        assert!(near(erf, exact.0), "erf({x}): {erf:e}; expected {:e}", exact.0);
        let nothing = exact.1 < f64::from(f32::MIN_POSITIVE) && erfc == 0.0;
        assert!(
            nothing || near(erfc, exact.1),
            "erfc({x}): {erfc:e}; expected {:e}",
            exact.1
        );
        assert!(erf.abs() <= 1.0 && (0.0..=2.0).contains(&erfc));
    }
}

/// Tests the special values of section 7.5.1, and powers at the limits of the range.
#[test]
fn powers_of_special_values_are_exact() {
    const INF: f32 = f32::INFINITY;
    let pown: &[(f32, i32, f32)] = &[
        (f32::NAN, 0, 1.0),
        (0.0, 0, 1.0),
        (INF, 0, 1.0),
        (-INF, 0, 1.0),
        (0.0, -3, INF),
        (-0.0, -3, -INF),
        (0.0, -2, INF),
        (-0.0, -2, INF),
        (0.0, 3, 0.0),
        (-0.0, 3, -0.0),
        (-0.0, 2, 0.0),
        (INF, -1, 0.0),
        (-INF, -1, -0.0),
        (-INF, 3, -INF),
        (-INF, 2, INF),
        (1.0, i32::MIN, 1.0),
        (-1.0, i32::MAX, -1.0),
        (-1.0, i32::MIN, 1.0),
        (2.0, 127, 1.701_411_8e38),
        (2.0, 128, INF),
        (-2.0, 129, -INF),
        (2.0, -126, f32::MIN_POSITIVE),
        (2.0, -200, 0.0),
        (-2.0, -201, -0.0),
        (0.5, i32::MIN, INF),
        (2.0, i32::MIN, 0.0),
        (1.5, i32::MAX, INF),
        (f32::NAN, 1, f32::NAN),
        (-3.0, 3, -27.0),
        (10.0, 10, 1e10),
        (f32::MAX, 1, f32::MAX),
        (f32::MIN_POSITIVE, 1, f32::MIN_POSITIVE),
    ];
    let rootn: &[(f32, i32, f32)] = &[
        (0.0, -3, INF),
        (-0.0, -3, -INF),
        (0.0, -2, INF),
        (-0.0, -2, INF),
        (0.0, 3, 0.0),
        (-0.0, 3, -0.0),
        (0.0, 2, 0.0),
        (-0.0, 2, 0.0),
        (-8.0, 2, f32::NAN),
        (-8.0, -4, f32::NAN),
        (5.0, 0, f32::NAN),
        (0.0, 0, f32::NAN),
        (-8.0, 3, -2.0),
        (INF, 2, INF),
        (INF, -2, 0.0),
        (-INF, 3, -INF),
        (-INF, -3, -0.0),
        (f32::NAN, 3, f32::NAN),
        (1.0, i32::MAX, 1.0),
        (1.0, i32::MIN, 1.0),
        (1e30, i32::MAX, 1.0),
        (1024.0, 10, 2.0),
        (0.25, -2, 2.0),
        (7.0, 1, 7.0),
        (4.0, -1, 0.25),
    ];
    let powr: &[(f32, f32, f32)] = &[
        (2.0, 0.0, 1.0),
        (0.5, -0.0, 1.0),
        (0.0, -2.5, INF),
        (-0.0, -2.5, INF),
        (0.0, -INF, INF),
        (0.0, 2.5, 0.0),
        (-0.0, 2.5, 0.0),
        (1.0, 33.5, 1.0),
        (1.0, INF, f32::NAN),
        (1.0, -INF, f32::NAN),
        (INF, 0.0, f32::NAN),
        (0.0, 0.0, f32::NAN),
        (-0.0, -0.0, f32::NAN),
        (-1.0, 2.0, f32::NAN),
        (-INF, 2.0, f32::NAN),
        (f32::NAN, 2.0, f32::NAN),
        (2.0, f32::NAN, f32::NAN),
        (INF, 2.0, INF),
        (INF, -2.0, 0.0),
        (2.0, INF, INF),
        (2.0, -INF, 0.0),
        (0.5, INF, 0.0),
        (0.5, -INF, INF),
        (2.0, 127.0, 1.701_411_8e38),
        (2.0, 128.0, INF),
        (2.0, -126.0, f32::MIN_POSITIVE),
        (2.0, -300.0, 0.0),
        (9.0, 0.5, 3.0),
    ];
    let check = |name: &str, x: Vec<f32>, y: Vec<f32>, n: Vec<i32>, expected: Vec<f32>| {
        let second = if name == "powr" { "y" } else { "n" };
        let pad = |numbers: &mut Vec<f32>| numbers.resize(64, 1.0);
        let (mut x, mut y, mut n) = (x, y, n);
        pad(&mut x);
        pad(&mut y);
        n.resize(64, 1);
        let Some(found) = two(&format!("r = as_uint({name}(x, {second}));"), &x, &y, &n) else {
            return;
        };
        for (at, expected) in expected.into_iter().enumerate() {
            let what = format!("{name}({:e}, {:e} or {})", x[at], y[at], n[at]);
            let number = f32::from_bits(found[at][0]);
            let exact = expected.is_nan() || expected.is_infinite() || expected == 0.0;
            if exact {
                same(found[at][0], expected, &what);
            } else {
                // Near the largest float, the bound also permits infinity, which counts as 2^128.
                let number = if number.is_infinite() {
                    2f64.powi(128).copysign(number.into())
                } else {
                    number.into()
                };
                let error = number / f64::from(expected) - 1.0;
                assert!(
                    error.abs() <= 16.0 * 2f64.powi(-23),
                    "{what}: {number:e}; expected {expected:e}"
                );
            }
        }
    };
    for (name, cases) in [("pown", pown), ("rootn", rootn)] {
        check(
            name,
            cases.iter().map(|case| case.0).collect(),
            Vec::new(),
            cases.iter().map(|case| case.1).collect(),
            cases.iter().map(|case| case.2).collect(),
        );
    }
    check(
        "powr",
        powr.iter().map(|case| case.0).collect(),
        powr.iter().map(|case| case.1).collect(),
        Vec::new(),
        powr.iter().map(|case| case.2).collect(),
    );
}

/// Name of a function of one number, range of the inputs, and reference.
type Case = (&'static str, f64, f64, fn(f64) -> f64);

/// Measures the relative error of `native_` and `half_` functions, or the absolute error for results below 1. The
/// limits are the accuracy of the machine's instructions, and OpenCL's limit for `half_` functions, 8192 units.
#[test]
fn native_and_half_functions_are_accurate() {
    let native: &[Case] = &[
        ("native_sin", -8.0, 8.0, f64::sin),
        ("native_cos", -8.0, 8.0, f64::cos),
        ("native_tan", -1.5, 1.5, f64::tan),
        ("native_exp", -20.0, 20.0, f64::exp),
        ("native_exp2", -30.0, 30.0, f64::exp2),
        ("native_exp10", -9.0, 9.0, libm::exp10),
        ("native_log", 0.001, 1000.0, f64::ln),
        ("native_log2", 0.001, 1000.0, f64::log2),
        ("native_log10", 0.001, 1000.0, f64::log10),
        ("native_recip", 0.001, 1000.0, |x| 1.0 / x),
        ("native_rsqrt", 0.001, 1000.0, |x| 1.0 / x.sqrt()),
        ("native_sqrt", 0.001, 1000.0, f64::sqrt),
    ];
    let half: &[Case] = &[
        ("half_sin", -65536.0, 65536.0, f64::sin),
        ("half_cos", -65536.0, 65536.0, f64::cos),
        ("half_tan", -65536.0, 65536.0, f64::tan),
        ("half_exp", -87.0, 88.0, f64::exp),
        ("half_exp2", -125.0, 127.0, f64::exp2),
        ("half_exp10", -37.0, 38.0, libm::exp10),
        ("half_log", 1e-6, 1000.0, f64::ln),
        ("half_log2", 1e-6, 1000.0, f64::log2),
        ("half_log10", 1e-6, 1000.0, f64::log10),
        ("half_recip", 1e-6, 1e6, |x| 1.0 / x),
        ("half_rsqrt", 1e-6, 1e6, |x| 1.0 / x.sqrt()),
        ("half_sqrt", 1e-6, 1e6, f64::sqrt),
    ];
    for pair in [native, half].into_iter().flat_map(|cases| cases.chunks_exact(2)) {
        let numbers = |case: &Case| -> Vec<f32> {
            let step = (case.2 - case.1) / (COUNT - 1) as f64;
            (0..COUNT).map(|at| (case.1 + step * at as f64) as f32).collect()
        };
        let (x, y) = (numbers(&pair[0]), numbers(&pair[1]));
        let body = format!("r = as_uint({}(x)); s = as_uint({}(y));", pair[0].0, pair[1].0);
        let Some(found) = two(&body, &x, &y, &NONE) else { return };
        for (at, case) in pair.iter().enumerate() {
            for (x, found) in [&x, &y][at].iter().zip(&found) {
                let (number, exact) = (f64::from(f32::from_bits(found[at])), case.3(f64::from(*x)));
                let allowed = match case.0.starts_with("half_") {
                    true => 8192.0 * 2f64.powi(-23) * exact.abs(),
                    false => 1e-5 * exact.abs().max(1.0),
                };
                let error = (number - exact).abs();
                assert!(error <= allowed, "{}({x:e}): {number:e}; expected {exact:e}", case.0);
            }
        }
    }
    let x: Vec<f32> = (0..COUNT).map(|at| 0.01 + at as f32 / 100.0).collect();
    let y: Vec<f32> = (0..COUNT).map(|at| (at % 17) as f32 - 8.3).collect();
    for kind in ["native", "half"] {
        let body = format!("r = as_uint({kind}_divide(x, y)); s = as_uint({kind}_powr(x, y));");
        let Some(found) = two(&body, &x, &y, &NONE) else { return };
        for ((x, y), found) in x.iter().zip(&y).zip(found) {
            let (x, y) = (f64::from(*x), f64::from(*y));
            for (found, exact) in [(found[0], x / y), (found[1], x.powf(y))] {
                let error = f64::from(f32::from_bits(found)) / exact - 1.0;
                assert!(
                    error.abs() < 8192.0 * 2f64.powi(-23),
                    "{kind} of {x} and {y}: {error:e} beside {exact:e}"
                );
            }
        }
    }
}
