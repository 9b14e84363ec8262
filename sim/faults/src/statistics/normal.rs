//! The normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// The probability that a normal variable is at least `x` standard deviations away from its mean.
pub(super) fn two_sided(x: f64) -> f64 {
    erfc(x.abs() / SQRT_2)
}

/// The half-width, in standard deviations, of the central interval with this probability; at most 40.
pub(super) fn quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    // 64 bisections: the ends are then adjacent floats.
    for _ in 0..64 {
        let middle: f64 = (low + high) / 2.0;
        if 1.0 - two_sided(middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// The complementary error function of a number that is not negative.
fn erfc(x: f64) -> f64 {
    // The series loses digits for large x; the fraction converges slowly for small x.
    if x < 2.0 {
        1.0 - erf_series(x)
    } else {
        erfc_fraction(x)
    }
}

/// erf(x) = 2 / sqrt(pi) e^(-x^2) (x + 2 x^3 / 3 + 4 x^5 / (3 5) + ...)
fn erf_series(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    for n in 1..100 {
        term *= 2.0 * x * x / f64::from(2 * n + 1);
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

/// erfc(x) = e^(-x^2) / sqrt(pi) / (x + (1/2) / (x + (2/2) / (x + (3/2) / (x + ...))))
fn erfc_fraction(x: f64) -> f64 {
    let denominator = (1..200).rev().fold(x, |below, n| x + f64::from(n) / 2.0 / below);
    (-x * x).exp() / PI.sqrt() / denominator
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_match_published_tables() {
        for (x, expected) in [
            (0.0, 1.0),
            (0.5, 0.617_075_077_451_974),
            (1.0, 0.317_310_507_862_914),
            (2.0, 0.045_500_263_896_358_4),
            (3.0, 0.002_699_796_063_260_19),
            (6.0, 1.973_175_290_075_4e-9),
        ] {
            assert!((two_sided(x) / expected - 1.0).abs() < 1e-11, "{x}: {}", two_sided(x));
            assert_eq!(two_sided(-x), two_sided(x));
        }
    }

    #[test]
    fn series_and_fraction_agree_where_they_meet() {
        let ratio = (1.0 - erf_series(2.0)) / erfc_fraction(2.0);
        assert!((ratio - 1.0).abs() < 1e-12, "{ratio}");
    }
}
