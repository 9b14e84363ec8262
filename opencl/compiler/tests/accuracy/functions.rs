//! The functions, their error bounds and references.

use std::f64::consts::{LN_2, PI};

/// Computes the exact result, or a result in double precision.
pub enum Reference {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    Integer(fn(f64, i32) -> f64),
    Three(fn(f32, f32, f32) -> f64),
}

/// A function of OpenCL C, or one of its two results.
pub struct Function {
    /// Name of the function. A second result has a name derived from it.
    pub name: &'static str,
    /// Expression of `x`, `y` and `z`, unless it is a call of the function. It may store a second result in the
    /// variable `part`, a float, or `whole`, an int.
    expression: Option<&'static str>,
    /// The largest allowed error in units in the last place; 0.5 means correctly rounded.
    pub bound: f64,
    /// Range of most arguments.
    pub range: [f64; 2],
    pub reference: Reference,
}

impl Function {
    pub fn arguments(&self) -> usize {
        match self.reference {
            Reference::One(_) => 1,
            Reference::Two(_) | Reference::Integer(_) => 2,
            Reference::Three(_) => 3,
        }
    }

    /// Statements that set `r` to the result for the arguments `x`, `y` and `z`.
    pub fn statements(&self) -> String {
        let arguments = ["x", "x, y", "x, y, z"][self.arguments() - 1];
        let call = || format!("{}({arguments})", self.name);
        let expression = self.expression.map_or_else(call, str::to_string);
        format!("float part; int whole; float r = {expression};")
    }

    /// Name of the kernel.
    pub fn kernel(&self) -> String {
        format!("test_{}", self.name)
    }

    /// Replaces the expression.
    const fn by(mut self, expression: &'static str) -> Function {
        self.expression = Some(expression);
        self
    }
}

const fn one(name: &'static str, bound: f64, from: f64, to: f64, f: fn(f64) -> f64) -> Function {
    Function {
        name,
        expression: None,
        bound,
        range: [from, to],
        reference: Reference::One(f),
    }
}

const fn two(name: &'static str, bound: f64, from: f64, to: f64, f: fn(f64, f64) -> f64) -> Function {
    Function {
        name,
        expression: None,
        bound,
        range: [from, to],
        reference: Reference::Two(f),
    }
}

const fn integer(name: &'static str, bound: f64, from: f64, to: f64, f: fn(f64, i32) -> f64) -> Function {
    Function {
        name,
        expression: None,
        bound,
        range: [from, to],
        reference: Reference::Integer(f),
    }
}

/// Prepares sin and cos of pi x: subtracts the nearest multiple of 1/2 from x, exactly, which leaves at most 1/4.
fn quarter(x: f64) -> (f64, i64) {
    let halves = (2.0 * x).round_ties_even();
    (
        (x - halves / 2.0) * PI,
        if halves.abs() < 1e15 { halves as i64 & 3 } else { 0 },
    )
}

fn sine_of_quarter(r: f64, k: i64) -> f64 {
    match k & 3 {
        0 => r.sin(),
        1 => r.cos(),
        2 => -r.sin(),
        _ => -r.cos(),
    }
}

fn sinpi(x: f64) -> f64 {
    let (r, k) = quarter(x);
    sine_of_quarter(r, k)
}

fn cospi(x: f64) -> f64 {
    let (r, k) = quarter(x);
    sine_of_quarter(r, k + 1)
}

fn tanpi(x: f64) -> f64 {
    let (r, k) = quarter(x);
    match (k & 1, r == 0.0) {
        (1, true) => {
            if k == 1 {
                f64::INFINITY
            } else {
                f64::NEG_INFINITY
            }
        }
        (1, false) => -1.0 / r.tan(),
        _ => r.tan(),
    }
}

fn pow(x: f64, y: f64) -> f64 {
    x.powf(y)
}

fn powr(x: f64, y: f64) -> f64 {
    let none =
        x < 0.0 || x.is_nan() || y.is_nan() || y == 0.0 && (x == 0.0 || x.is_infinite()) || x == 1.0 && y.is_infinite();
    if none {
        f64::NAN
    } else {
        x.abs().powf(y)
    }
}

fn rootn(x: f64, n: i32) -> f64 {
    if n == 0 || x < 0.0 && n % 2 == 0 {
        return f64::NAN;
    }
    let size = x.abs().powf(1.0 / f64::from(n));
    if n % 2 == 0 {
        size
    } else {
        size.copysign(x)
    }
}

fn gamma(x: f64) -> f64 {
    if x == f64::NEG_INFINITY || x < 0.0 && x.trunc() == x {
        f64::NAN
    } else {
        libm::tgamma(x)
    }
}

fn logb(x: f64) -> f64 {
    if x == 0.0 {
        f64::NEG_INFINITY
    } else if x.is_finite() {
        f64::from(libm::ilogb(x))
    } else {
        x * x
    }
}

/// logb as an int, limited by the constants for 0, infinities and NaNs, and rounded to a float.
fn ilogb(x: f64) -> f64 {
    const END: f64 = 2_147_483_648.0;
    if x.is_nan() {
        END
    } else {
        logb(x).clamp(-END, END)
    }
}

/// Returns less than 1, even if the difference would be rounded to 1.
fn fract(x: f64) -> f64 {
    if x.is_infinite() {
        0.0
    } else if x.is_nan() {
        x
    } else {
        (x - x.floor()).min(1.0 - f64::from(f32::EPSILON) / 2.0)
    }
}

fn rsqrt(x: f64) -> f64 {
    if x == 0.0 {
        f64::INFINITY.copysign(x)
    } else {
        1.0 / x.sqrt()
    }
}

/// The result is rounded once. Below the smallest normal number it is the sum itself: OpenCL 1.0 (7.5.3) permits zero
/// for a result that is denormal before rounding, even if rounding would give the smallest normal number.
fn fma(x: f32, y: f32, z: f32) -> f64 {
    let sum = f64::from(x).mul_add(y.into(), z.into());
    if sum.abs() < f64::from(f32::MIN_POSITIVE) {
        sum
    } else {
        f64::from(x.mul_add(y, z))
    }
}

fn ldexp(x: f64, n: i32) -> f64 {
    libm::scalbn(x, n.clamp(-1000, 1000))
}

fn fdim(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x > y {
        x - y
    } else {
        0.0
    }
}

fn nextafter(x: f64, y: f64) -> f64 {
    let next = libm::nextafterf(x as f32, y as f32);
    f64::from(next)
}

/// The functions of the table in section 7.4, in its order.
pub const FUNCTIONS: &[Function] = &[
    two("divide", 2.5, -1e6, 1e6, |x, y| x / y).by("x / y"),
    one("reciprocal", 2.5, -1e6, 1e6, |x| 1.0 / x).by("1.0f / x"),
    one("acos", 4.0, -1.0, 1.0, f64::acos),
    one("acospi", 5.0, -1.0, 1.0, |x| x.acos() / PI),
    one("asin", 4.0, -1.0, 1.0, f64::asin),
    one("asinpi", 5.0, -1.0, 1.0, |x| x.asin() / PI),
    one("atan", 5.0, -10.0, 10.0, f64::atan),
    two("atan2", 6.0, -10.0, 10.0, f64::atan2),
    one("atanpi", 5.0, -10.0, 10.0, |x| x.atan() / PI),
    two("atan2pi", 6.0, -10.0, 10.0, |y, x| y.atan2(x) / PI),
    one("acosh", 4.0, 1.0, 100.0, |x| {
        if x < 1.0 {
            f64::NAN
        } else {
            libm::acosh(x)
        }
    }),
    one("asinh", 4.0, -10.0, 10.0, libm::asinh),
    one("atanh", 5.0, -1.0, 1.0, libm::atanh),
    one("cbrt", 2.0, -1e6, 1e6, f64::cbrt),
    one("ceil", 0.5, -100.0, 100.0, f64::ceil),
    two("copysign", 0.0, -100.0, 100.0, f64::copysign),
    one("cos", 4.0, -4000.0, 4000.0, f64::cos),
    one("cosh", 4.0, -89.5, 89.5, f64::cosh),
    one("cospi", 4.0, -100.0, 100.0, cospi),
    one("erfc", 16.0, -4.0, 9.5, libm::erfc),
    one("erf", 16.0, -4.0, 4.0, libm::erf),
    one("exp", 3.0, -88.0, 89.0, f64::exp),
    one("exp2", 3.0, -127.0, 128.5, f64::exp2),
    one("exp10", 3.0, -38.0, 39.0, libm::exp10),
    one("expm1", 3.0, -20.0, 89.0, f64::exp_m1),
    one("fabs", 0.0, -100.0, 100.0, f64::abs),
    two("fdim", 0.5, -100.0, 100.0, fdim),
    one("floor", 0.5, -100.0, 100.0, f64::floor),
    Function {
        name: "fma",
        expression: None,
        bound: 0.5,
        range: [-100.0, 100.0],
        reference: Reference::Three(fma),
    },
    two("fmax", 0.5, -100.0, 100.0, f64::max),
    two("fmin", 0.5, -100.0, 100.0, f64::min),
    two("fmod", 0.0, -1000.0, 1000.0, |x, y| x % y),
    one("fract", 0.5, -100.0, 100.0, fract).by("fract(x, &part)"),
    one("fract_floor", 0.0, -100.0, 100.0, f64::floor).by("(fract(x, &part), part)"),
    one("frexp", 0.0, -100.0, 100.0, |x| libm::frexp(x).0).by("frexp(x, &whole)"),
    one("frexp_exponent", 0.0, -100.0, 100.0, |x| {
        // For infinities and NaNs, the result is undefined.
        if x.is_finite() {
            f64::from(libm::frexp(x).1)
        } else {
            0.0
        }
    })
    .by("(frexp(x, &whole), isfinite(x) ? (float)whole : 0.0f)"),
    two("hypot", 4.0, -100.0, 100.0, f64::hypot),
    one("ilogb", 0.0, -100.0, 100.0, ilogb),
    integer("ldexp", 0.5, -100.0, 100.0, ldexp),
    one("log", 3.0, 0.0, 100.0, f64::ln),
    one("log2", 3.0, 0.0, 100.0, f64::log2),
    one("log10", 3.0, 0.0, 100.0, f64::log10),
    one("log1p", 2.0, -1.0, 10.0, f64::ln_1p),
    one("logb", 0.0, -100.0, 100.0, logb),
    one("modf", 0.0, -100.0, 100.0, |x| libm::modf(x).0).by("modf(x, &part)"),
    one("modf_trunc", 0.0, -100.0, 100.0, f64::trunc).by("(modf(x, &part), part)"),
    two("nextafter", 0.0, -100.0, 100.0, nextafter),
    two("pow", 16.0, -100.0, 100.0, pow),
    integer("pown", 16.0, -4.0, 4.0, |x, n| pow(x, f64::from(n))),
    two("powr", 16.0, 0.0, 50.0, powr),
    two("remainder", 0.0, -1000.0, 1000.0, libm::remainder),
    one("rint", 0.5, -100.0, 100.0, f64::round_ties_even),
    integer("rootn", 16.0, -100.0, 100.0, rootn),
    one("round", 0.5, -100.0, 100.0, f64::round),
    one("rsqrt", 2.0, 0.0, 100.0, rsqrt),
    one("sin", 4.0, -4000.0, 4000.0, f64::sin),
    one("sincos", 4.0, -4000.0, 4000.0, f64::sin).by("sincos(x, &part)"),
    one("sincos_cosine", 4.0, -4000.0, 4000.0, f64::cos).by("(sincos(x, &part), part)"),
    one("sinh", 4.0, -89.5, 89.5, f64::sinh),
    one("sinpi", 4.0, -100.0, 100.0, sinpi),
    one("sqrt", 3.0, 0.0, 100.0, f64::sqrt),
    one("tan", 5.0, -4000.0, 4000.0, f64::tan),
    one("tanh", 5.0, -10.0, 10.0, f64::tanh),
    one("tanpi", 6.0, -100.0, 100.0, tanpi),
    one("tgamma", 16.0, -42.0, 36.0, gamma),
    one("trunc", 0.5, -100.0, 100.0, f64::trunc),
    one("degrees", 3.0, -100.0, 100.0, |x| x * 180.0 / PI),
    one("radians", 3.0, -100.0, 100.0, |x| x * PI / 180.0),
    one("half_exp10", 8192.0, -38.0, 39.0, |x| (x * 10f64.log2() * LN_2).exp()),
    one("half_recip", 8192.0, -1e6, 1e6, |x| 1.0 / x),
    one("half_rsqrt", 8192.0, 0.0, 100.0, rsqrt),
    one("half_sqrt", 8192.0, 0.0, 100.0, f64::sqrt),
];
