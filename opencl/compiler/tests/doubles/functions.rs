//! Functions with exact results, and special values of other functions.

use crate::arithmetic::{check_bits, Case};
use crate::{kernel, results};

fn zero_or(x: f64, then: impl Fn(f64) -> f64) -> f64 {
    if x.is_nan() || x.is_infinite() || x == 0.0 {
        x
    } else {
        then(x)
    }
}

#[test]
fn exact_functions_match_the_processor() {
    let cases: &[Case] = &[
        ("fabs(x)", |x, _, _, _| x.abs().to_bits()),
        ("fma(x, y, z)", |x, y, z, _| x.mul_add(y, z).to_bits()),
        ("sqrt(x)", |x, _, _, _| x.sqrt().to_bits()),
        ("ceil(x)", |x, _, _, _| x.ceil().to_bits()),
        ("floor(x)", |x, _, _, _| x.floor().to_bits()),
        ("trunc(x)", |x, _, _, _| x.trunc().to_bits()),
        ("rint(x)", |x, _, _, _| x.round_ties_even().to_bits()),
        ("round(x)", |x, _, _, _| x.round().to_bits()),
        ("copysign(x, y)", |x, y, _, _| x.copysign(y).to_bits()),
        ("nextafter(x, y)", |x, y, _, _| libm::nextafter(x, y).to_bits()),
        ("fdim(x, y)", |x, y, _, _| libm::fdim(x, y).to_bits()),
        ("fmod(x, y)", |x, y, _, _| (x % y).to_bits()),
        ("remainder(x, y)", |x, y, _, _| libm::remainder(x, y).to_bits()),
        ("ldexp(x, (int)n)", |x, _, _, n| libm::scalbn(x, n as i32).to_bits()),
        ("ldexp(x, (int)n % 1100)", |x, _, _, n| {
            libm::scalbn(x, n as i32 % 1100).to_bits()
        }),
        ("ldexp(ldexp(x, -1000) * y, -60)", |x, y, _, _| {
            libm::scalbn(libm::scalbn(x, -1000) * y, -60).to_bits()
        }),
        ("logb(x)", |x, _, _, _| match x {
            x if x.is_nan() => x.to_bits(),
            x if x.is_infinite() => f64::INFINITY.to_bits(),
            0.0 => f64::NEG_INFINITY.to_bits(),
            x => f64::from(libm::ilogb(x)).to_bits(),
        }),
        ("fract(x, &part)", |x, _, _, _| match x {
            x if x.is_infinite() => 0f64.copysign(x).to_bits(),
            x => zero_or(x, |x| (x - x.floor()).min(0.999_999_999_999_999_9)).to_bits(),
        }),
        ("(fract(x, &part), part)", |x, _, _, _| x.floor().to_bits()),
        ("modf(x, &part)", |x, _, _, _| match x {
            x if x.is_infinite() => 0f64.copysign(x).to_bits(),
            x => (x - x.trunc()).copysign(x).to_bits(),
        }),
        ("(modf(x, &part), part)", |x, _, _, _| x.trunc().to_bits()),
        ("frexp(x, &whole)", |x, _, _, _| {
            zero_or(x, |x| libm::frexp(x).0).to_bits()
        }),
        ("step(x, y)", |x, y, _, _| if y < x { 0f64 } else { 1f64 }.to_bits()),
        ("sign(x)", |x, _, _, _| match x {
            x if x > 0.0 => 1f64.to_bits(),
            x if x < 0.0 => (-1f64).to_bits(),
            x if x.is_nan() => 0,
            x => x.to_bits(),
        }),
        ("mix(x, y, z)", |x, y, z, _| (x + (y - x) * z).to_bits()),
        (
            "as_double(select((long)1, n, isgreater(x, y) ? -1L : 0L))",
            |x, y, _, n| if x > y { n as u64 } else { 1 },
        ),
        ("select(x, y, n)", |x, y, _, n| if n != 0 { y } else { x }.to_bits()),
        ("bitselect(x, y, z)", |x, y, z, _| {
            let mask = z.to_bits();
            x.to_bits() & !mask | y.to_bits() & mask
        }),
    ];
    check_bits(cases, true);
    check_bits(
        &[
            ("(ulong)(long)ilogb(x)", |x, _, _, _| match x {
                x if x.is_nan() || x.is_infinite() => i64::from(i32::MAX) as u64,
                0.0 => i64::from(i32::MIN) as u64,
                x => i64::from(libm::ilogb(x)) as u64,
            }),
            ("(ulong)(frexp(x, &whole), isfinite(x) ? (long)whole : 0)", |x, _, _, _| match x {
                x if x.is_finite() => i64::from(libm::frexp(x).1) as u64,
                _ => 0,
            }),
            ("(isfinite(x) | isinf(x) << 1 | isnan(x) << 2 | isnormal(x) << 3 | signbit(x) << 4)", |x, _, _, _| {
                let bits = [x.is_finite(), x.is_infinite(), x.is_nan(), x.is_normal(), x.is_sign_negative()];
                (0..).zip(bits).map(|(at, bit)| u64::from(bit) << at).sum()
            }),
            (
                "isequal(x, y) | isnotequal(x, y) << 1 | isless(x, y) << 2 | islessgreater(x, y) << 3 | isordered(x, y) << 4 | \
                 isunordered(x, y) << 5",
                |x, y, _, _| {
                    let bits = [x == y, x != y, x < y, x.partial_cmp(&y).is_some_and(|order| order.is_ne()), !(x.is_nan() || y.is_nan()), x.is_nan() || y.is_nan()];
                    (0..).zip(bits).map(|(at, bit)| u64::from(bit) << at).sum()
                },
            ),
            ("(ulong)(long)(remquo(x, y, &whole), isfinite(x) && isfinite(y) && y != 0 ? whole : 0)", |x, y, _, _| {
                match x.is_finite() && y.is_finite() && y != 0.0 {
                    true => i64::from(quotient(x, y)) as u64,
                    false => 0,
                }
            }),
        ],
        false,
    );
}

/// Returns the low seven bits of the quotient of `remainder`, with its sign.
fn quotient(x: f64, y: f64) -> i32 {
    // The low eight bits of the quotient, rounded down: the remainder by 256 y is exact, unless this overflows.
    let (a, b) = (x.abs(), y.abs());
    let large = b * 256.0;
    let mut rest = if large.is_finite() { a % large } else { a };
    let mut count = 0;
    for bit in (0..8).rev() {
        let part = b * f64::from(1 << bit);
        if part.is_finite() && rest >= part {
            rest -= part;
            count += 1 << bit;
        }
    }
    let other = b - rest;
    if rest > other || rest == other && count % 2 == 1 {
        count += 1;
    }
    let count = count & 127;
    if (x < 0.0) == (y < 0.0) {
        count
    } else {
        -count
    }
}

/// Special values of section 7.5.1, signed zeros, and limits of ranges: an expression and its result.
const SPECIAL: &[(&str, f64)] = &[
    ("sin(-0.0)", -0.0),
    ("tan(-0.0)", -0.0),
    ("asin(-0.0)", -0.0),
    ("atan(-0.0)", -0.0),
    ("sinh(-0.0)", -0.0),
    ("tanh(-0.0)", -0.0),
    ("asinh(-0.0)", -0.0),
    ("atanh(-0.0)", -0.0),
    ("expm1(-0.0)", -0.0),
    ("log1p(-0.0)", -0.0),
    ("cbrt(-0.0)", -0.0),
    ("erf(-0.0)", -0.0),
    ("sqrt(-0.0)", -0.0),
    ("sinpi(-0.0)", -0.0),
    ("sinpi(-3.0)", -0.0),
    ("sinpi(3.0)", 0.0),
    ("cospi(0.5)", 0.0),
    ("cospi(-1.5)", 0.0),
    ("tanpi(1.0)", -0.0),
    ("tanpi(-1.0)", 0.0),
    ("tanpi(2.0)", 0.0),
    ("tanpi(0.5)", f64::INFINITY),
    ("tanpi(1.5)", f64::NEG_INFINITY),
    ("sin(INFINITY)", f64::NAN),
    ("sinpi(-INFINITY)", f64::NAN),
    ("acos(1.0)", 0.0),
    ("acos(1.5)", f64::NAN),
    ("acosh(1.0)", 0.0),
    ("acosh(0.5)", f64::NAN),
    ("atanh(1.0)", f64::INFINITY),
    ("atan(INFINITY)", std::f64::consts::FRAC_PI_2),
    ("atan2(0.0, -0.0)", std::f64::consts::PI),
    ("atan2(-0.0, 0.0)", -0.0),
    ("atan2(-0.0, -1.0)", -std::f64::consts::PI),
    ("atan2(INFINITY, -(double)INFINITY)", 2.356_194_490_192_345),
    ("atan2(1.0, 0.0)", std::f64::consts::FRAC_PI_2),
    ("atan2pi(1.0, -0.0)", 0.5),
    ("exp(-INFINITY)", 0.0),
    ("exp(710.0)", f64::INFINITY),
    ("exp(-746.0)", 0.0),
    ("exp2(1023.0)", 8.988_465_674_311_58e307),
    ("exp2(-1074.0)", 5e-324),
    ("exp10(22.0)", 1e22),
    ("log(0.0)", f64::NEG_INFINITY),
    ("log(-1.0)", f64::NAN),
    ("log(1.0)", 0.0),
    ("log2(0x1p-1074)", -1074.0),
    ("log10(1e22)", 22.0),
    ("cbrt(27.0)", 3.0),
    ("cbrt(-0x1p-1074)", -1.703_183_936_003_260_3e-108),
    ("tgamma(-0.0)", f64::NEG_INFINITY),
    ("tgamma(-3.0)", f64::NAN),
    ("tgamma(5.0)", 24.0),
    ("tgamma(172.0)", f64::INFINITY),
    ("lgamma(1.0)", 0.0),
    ("lgamma(-2.0)", f64::INFINITY),
    ("lgamma(0x1p1000)", 7.416_416_614_096_889e303),
    ("erfc(-INFINITY)", 2.0),
    ("hypot(INFINITY, (double)NAN)", f64::INFINITY),
    ("hypot(0x1p-1074, 0.0)", 5e-324),
    ("hypot(3e300, 4e300)", 5e300),
    ("pow(0.0, -3.0)", f64::INFINITY),
    ("pow(-0.0, -3.0)", f64::NEG_INFINITY),
    ("pow(-0.0, 3.0)", -0.0),
    ("pow(-1.0, (double)INFINITY)", 1.0),
    ("pow(1.0, (double)NAN)", 1.0),
    ("pow(NAN, 0.0)", 1.0),
    ("pow(-8.0, 1.0 / 3)", f64::NAN),
    ("pow(-2.0, 3.0)", -8.0),
    ("pow(-INFINITY, 3.0)", f64::NEG_INFINITY),
    ("pow(2.0, -1074.0)", 5e-324),
    ("pow(0.5, (double)INFINITY)", 0.0),
    ("powr(0.0, 0.0)", f64::NAN),
    ("powr(-1.0, 2.0)", f64::NAN),
    ("powr(1.0, (double)INFINITY)", f64::NAN),
    ("pown(-0.0, -3)", f64::NEG_INFINITY),
    ("pown(0.0, -2)", f64::INFINITY),
    ("pown(NAN, 0)", 1.0),
    ("pown(-1.0, INT_MAX)", -1.0),
    ("rootn(-27.0, 3)", -3.0),
    ("rootn(-0.0, -3)", f64::NEG_INFINITY),
    ("rootn(-8.0, 2)", f64::NAN),
    ("rootn(2.0, 0)", f64::NAN),
    ("fmin(NAN, 2.0)", 2.0),
    ("fmax(2.0, (double)NAN)", 2.0),
    ("maxmag(-3.0, 2.0)", -3.0),
    ("minmag(-3.0, 2.0)", 2.0),
    ("smoothstep(0.0, 2.0, 1.0)", 0.5),
    ("length((double4)(1e200, 1e200, 1e200, 1e200))", 2e200),
    ("distance((double2)(1, 2), (double2)(4, 6))", 5.0),
    ("dot((double3)(1, 2, 3), (double3)(4, 5, 6))", 32.0),
    ("cross((double3)(1, 2, 3), (double3)(4, 5, 6)).y", 6.0),
    ("normalize((double2)(0, -7)).y", -1.0),
    ("degrees(M_PI)", 180.0),
    ("nan(3ul)", f64::NAN),
    ("M_PI", std::f64::consts::PI),
    ("DBL_EPSILON", f64::EPSILON),
    ("0.1", 0.1),
    ("0.1f", 0.100_000_001_490_116_12),
];

#[test]
fn special_values_have_exact_results() {
    // The cases are not all in one kernel: the program would be too large.
    for cases in SPECIAL.chunks(25) {
        let mut body = String::new();
        for (at, (expression, _)) in cases.iter().enumerate() {
            body += &format!("case {at}: r = as_ulong((double)({})); break;\n", hidden(expression));
        }
        let Some(kernel) = kernel(&format!("switch (i) {{\n{body}}}"), "") else {
            return;
        };
        let (zeros, n) = ([0.0; 64], [0; 64]);
        let found = results(&kernel, &zeros, &zeros, &zeros, &n);
        for ((expression, expected), found) in cases.iter().zip(found) {
            let number = f64::from_bits(found);
            let nan = number.is_nan() && expected.is_nan();
            // Some results have an error of a unit or two.
            let near = number != 0.0 && (number - expected).abs() <= 4.0 * f64::EPSILON * expected.abs();
            assert!(
                nan || found == expected.to_bits() || near,
                "{expression}: {number:e}; expected {expected:e}"
            );
        }
    }
}

/// Returns the expression with its first number computed from a run-time value, which prevents constant folding.
fn hidden(expression: &str) -> String {
    let Some((name, rest)) = expression
        .split_once('(')
        .filter(|(_, rest)| !rest.starts_with('(') && !rest.starts_with("double"))
    else {
        return expression.to_string();
    };
    let end = rest.find([',', ')']).unwrap_or(rest.len());
    let (first, rest) = rest.split_at(end);
    match first.ends_with("ul") {
        true => expression.to_string(),
        false => format!("{name}(as_double(as_ulong((double){first}) ^ (ulong)n){rest}"),
    }
}
