//! Confidence levels of intervals.

use super::normal;
use crate::text::error::Error;

/// A confidence level, with its quantile of the normal distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    level: f64,
    z: f64,
}

impl Confidence {
    /// A level of 95 %, with the rounded quantile of published tables.
    pub const P95: Confidence = Confidence { level: 0.95, z: 1.96 };
    /// A level of 99 %, with the rounded quantile of published tables.
    pub const P99: Confidence = Confidence { level: 0.99, z: 2.576 };

    /// Creates a confidence level, such as 0.9. 0.95 and 0.99 give [`Confidence::P95`] and [`Confidence::P99`].
    ///
    /// # Errors
    /// [`Error::Statistic`] unless the level is above 0 and below 1.
    pub fn new(level: f64) -> Result<Confidence, Error> {
        for known in [Confidence::P95, Confidence::P99] {
            if known.level == level {
                return Ok(known);
            }
        }
        let z = normal::quantile(level);
        match level > 0.0 && level < 1.0 && z.is_finite() {
            true => Ok(Confidence { level, z }),
            false => Err(Error::Statistic {
                what: "confidence",
                value: level.to_string(),
                expected: "a number above 0 and below 1",
            }),
        }
    }

    /// The probability that an interval of this confidence contains the true value.
    pub fn level(self) -> f64 {
        self.level
    }

    /// The half-width of the central interval of the normal distribution, in standard deviations.
    pub fn z(self) -> f64 {
        self.z
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_match_published_tables() {
        for (level, z) in [
            (0.5, 0.67449),
            (0.8, 1.28155),
            (0.9, 1.64485),
            (0.98, 2.32635),
            (0.999, 3.29053),
        ] {
            assert!((Confidence::new(level).unwrap().z() - z).abs() < 5e-6, "{level}");
        }
        assert_eq!(Confidence::new(0.95), Ok(Confidence::P95));
    }

    #[test]
    fn levels_outside_are_refused() {
        for level in [0.0, 1.0, -1.0, 95.0, f64::NAN, f64::INFINITY] {
            assert!(Confidence::new(level).is_err(), "{level}");
        }
    }
}
