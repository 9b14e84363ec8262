//! Sample sizes, by Leveugle et al., "Statistical Fault Injection: Quantified Error and Confidence" (DATE 2009).

use super::confidence::Confidence;
use crate::text::error::Error;
use hdlkit::output::grouped;

/// The number of faults that estimates a share with at most this error: n = N / (1 + e^2 (N - 1) / (z^2 p (1 - p))),
/// rounded to the nearest integer, as in published tables.
///
/// `population` is the number of possible faults; `None` if it is large enough to be ignored. `error` is the half-width
/// of the interval, 0.01 for one percent. `share` is the expected share; 0.5 is the worst case.
///
/// # Errors
/// [`Error::Statistic`] unless `error` and `share` are above 0 and below 1.
pub fn sample_size(population: Option<u64>, error: f64, confidence: Confidence, share: f64) -> Result<u64, Error> {
    for (what, value) in [("error", error), ("share", share)] {
        if !(value > 0.0 && value < 1.0) {
            return Err(Error::Statistic {
                what,
                value: value.to_string(),
                expected: "a number above 0 and below 1",
            });
        }
    }
    let unlimited = confidence.z().powi(2) * share * (1.0 - share) / (error * error);
    let size = match population {
        None => unlimited,
        Some(0) => 0.0,
        // The formula with numerator and denominator divided by N and the unlimited size, which keeps the digits of
        // large numbers.
        Some(n) => 1.0 / (1.0 / n as f64 + (1.0 - 1.0 / n as f64) / unlimited),
    };
    // A sample of size 0 would estimate nothing.
    let least = population.map_or(1, |n| n.min(1));
    Ok((size.round() as u64).max(least))
}

/// The half-width of the interval of a share that is estimated from `count` faults; 1 for no faults. The inverse of
/// [`sample_size`].
pub fn half_width(population: Option<u64>, count: u64, confidence: Confidence, share: f64) -> f64 {
    if count == 0 {
        return 1.0;
    }
    let n = count as f64;
    let left = match population {
        None => 1.0,
        Some(population) if population <= count => 0.0,
        Some(population) => (population - count) as f64 / (population - 1) as f64,
    };
    (confidence.z() * (share * (1.0 - share) / n * left).sqrt()).min(1.0)
}

/// The errors of [`plan_text`], in percent.
const ERRORS: [f64; 5] = [5.0, 3.0, 1.0, 0.5, 0.1];

/// A table of sample sizes for a terminal, for errors of 5 to 0.1 % of a share of 50 %, the worst case.
///
/// # Errors
/// The errors of [`sample_size`].
pub fn plan_text(population: Option<u64>, confidence: Confidence) -> Result<String, Error> {
    let level = (confidence.level() * 1e6).round() / 1e4;
    let of = population.map_or_else(String::new, |population| format!(", of {}", grouped(population)));
    let mut text = format!("half-width of the interval of a share of 50 %, at {level} % confidence, and faults{of}\n");
    for error in ERRORS {
        let size = sample_size(population, error / 100.0, confidence, 0.5)?;
        text += &format!("{:>7} %  {:>12}\n", error.to_string(), grouped(size));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_has_the_sizes() {
        assert_eq!(
            plan_text(None, Confidence::P95).unwrap(),
            "half-width of the interval of a share of 50 %, at 95 % confidence, and faults\n      \
             5 %           384\n      3 %         1,067\n      1 %         9,604\n    \
             0.5 %        38,416\n    0.1 %       960,400\n"
        );
        let small = plan_text(Some(2_000), Confidence::new(0.9).unwrap()).unwrap();
        assert!(small.contains("at 90 % confidence, and faults, of 2,000\n"), "{small}");
        assert!(small.contains("    0.1 %         1,994\n"), "{small}");
    }

    #[test]
    fn sizes_match_the_published_ones() {
        for (confidence, error, share, expected) in [
            (Confidence::P95, 0.05, 0.5, 384),
            (Confidence::P95, 0.03, 0.5, 1_067),
            (Confidence::P95, 0.01, 0.5, 9_604),
            (Confidence::P99, 0.05, 0.5, 664),
            (Confidence::P99, 0.03, 0.5, 1_843),
            // The formula gives 16,589.4; published as 16,590, although the two above are rounded to the nearest.
            (Confidence::P99, 0.01, 0.5, 16_589),
            (Confidence::P95, 0.001, 0.01, 38_032),
        ] {
            assert_eq!(sample_size(None, error, confidence, share), Ok(expected));
            // A population of 2^60 gives the sizes of an unlimited one.
            assert_eq!(sample_size(Some(1 << 60), error, confidence, share), Ok(expected));
        }
    }

    #[test]
    fn small_populations_need_fewer() {
        // 1000 / (1 + 0.0025 x 999 / 0.9604) = 277.7
        assert_eq!(sample_size(Some(1_000), 0.05, Confidence::P95, 0.5), Ok(278));
        for (population, expected) in [(0, 0), (1, 1), (2, 2)] {
            assert_eq!(sample_size(Some(population), 0.05, Confidence::P95, 0.5), Ok(expected));
        }
        // The square of this error is 0 as a float.
        assert_eq!(sample_size(Some(1_000), 1e-200, Confidence::P95, 0.5), Ok(1_000));
        assert_eq!(sample_size(Some(100), 0.9, Confidence::P95, 0.001), Ok(1));
    }

    #[test]
    fn half_width_is_the_inverse() {
        for (population, count, expected) in [
            (None, 1_000, 0.030_99),
            (None, 2_000, 0.021_91),
            (Some(1_000), 278, 0.049_97),
            (Some(1_000), 1_000, 0.0),
            (Some(1), 1, 0.0),
            (None, 0, 1.0),
        ] {
            let found = half_width(population, count, Confidence::P95, 0.5);
            assert!((found - expected).abs() < 1e-5, "{population:?} {count}: {found}");
        }
    }

    #[test]
    fn impossible_errors_are_refused() {
        for (error, share) in [(0.0, 0.5), (1.0, 0.5), (f64::NAN, 0.5), (0.1, 0.0), (0.1, 1.0)] {
            assert!(sample_size(None, error, Confidence::P95, share).is_err());
        }
    }
}
