//! Errors in units in the last place.

use crate::functions::{Function, Reference};
use std::fmt;

/// The largest error of a function.
#[derive(Default)]
pub struct Worst {
    /// The error in units in the last place.
    pub ulp: f64,
    /// The inputs that cause the error.
    pub arguments: Vec<u32>,
    found: u32,
    expected: f64,
    count: u64,
}

/// Replaces a denormal number by zero.
fn flushed(bits: u32) -> f32 {
    let number = f32::from_bits(bits);
    if number.is_subnormal() {
        0.0f32.copysign(number)
    } else {
        number
    }
}

/// Returns the distance of neighbouring floats near a number.
fn unit(number: f64) -> f64 {
    let exponent = (number.abs().to_bits() >> 52) as i32 - 1023;
    2f64.powi(exponent.clamp(-126, 127) - 23)
}

/// Returns the error of a float in units in the last place; infinite if only one of the values is NaN or infinite.
pub fn error(found: f32, expected: f64) -> f64 {
    const OVERFLOW: f64 = 340_282_356_779_733_661_637_539_395_458_142_568_448.0;
    if expected.is_nan() || found.is_nan() {
        return if expected.is_nan() && found.is_nan() {
            0.0
        } else {
            f64::INFINITY
        };
    }
    let rounded = expected as f32;
    if expected.is_infinite() {
        return if found == rounded { 0.0 } else { f64::INFINITY };
    }
    // From half a unit above the largest float, infinity is correct. A bound of some units also permits it below.
    if found.is_infinite() || expected.abs() >= OVERFLOW {
        let found = if found.is_infinite() {
            2f64.powi(128).copysign(found.into())
        } else {
            found.into()
        };
        let expected = expected.clamp(-2f64.powi(128), 2f64.powi(128));
        return (found - expected).abs() / 2f64.powi(104);
    }
    // If the result may be denormal, it may be zero.
    if expected.abs() < f64::from(f32::MIN_POSITIVE) && (found == 0.0 || found.abs() == f32::MIN_POSITIVE) {
        return 0.0;
    }
    if expected == 0.0 {
        return if found == 0.0 { 0.0 } else { f64::INFINITY };
    }
    (f64::from(found) - expected).abs() / unit(expected)
}

impl Worst {
    /// Adds a result.
    pub fn add(&mut self, function: &Function, arguments: &[u32], found: u32) {
        self.count += 1;
        let float = |at: usize| f64::from(flushed(arguments[at]));
        let expected = match function.reference {
            Reference::One(f) => f(float(0)),
            Reference::Two(f) => f(float(0), float(1)),
            Reference::Integer(f) => f(float(0), arguments[1] as i32),
            Reference::Three(f) => f(flushed(arguments[0]), flushed(arguments[1]), flushed(arguments[2])),
        };
        let mut ulp = error(flushed(found), expected);
        // For exact functions, the sign of zero must be correct.
        if function.bound == 0.0 && expected == 0.0 && found == (1 << 31) ^ (expected as f32).to_bits() {
            ulp = f64::INFINITY;
        }
        // A function may also use a denormal number without flushing it.
        if ulp > function.bound && arguments.iter().any(|bits| f32::from_bits(*bits).is_subnormal()) {
            ulp = 0.0;
        }
        if ulp > self.ulp || self.count == 1 {
            *self = Worst {
                ulp,
                arguments: arguments.to_vec(),
                found,
                expected,
                count: self.count,
            };
        }
    }

    /// Describes the error if it exceeds the bound.
    pub fn fault(&self, function: &Function) -> Option<String> {
        // The error of a correctly rounded result is half a unit.
        let bound = function.bound.max(0.5);
        (self.ulp > bound).then(|| format!("{}: {self}; the limit is {bound}", function.name))
    }

    /// Returns a row of the table.
    pub fn row(&self, function: &Function) -> String {
        let bound = match function.bound {
            0.0 | 0.5 => "exact".to_string(),
            bound => format!("{bound}"),
        };
        format!("| `{}` | {bound} | {:.2} | {} |", function.name, self.ulp, self.count)
    }
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} ulp of {} at", self.ulp, self.count)?;
        for bits in &self.arguments {
            write!(f, " {bits:#010x} ({:e})", f32::from_bits(*bits))?;
        }
        write!(
            f,
            ": {:#010x} ({:e}) for {:e}",
            self.found,
            f32::from_bits(self.found),
            self.expected
        )
    }
}
