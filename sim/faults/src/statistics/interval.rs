//! Intervals of shares.

use super::confidence::Confidence;
use std::fmt;

/// A share, from 0 to 1, with the limits of its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub share: f64,
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

impl Interval {
    /// Creates an interval. The limits are clamped to 0 to 1 and widened to contain the estimate.
    pub(super) fn new(share: f64, low: f64, high: f64) -> Interval {
        Interval {
            share,
            low: low.min(share).max(0.0),
            high: high.max(share).min(1.0),
        }
    }

    /// True if both limits equal the share, as in a complete campaign.
    pub fn is_exact(&self) -> bool {
        self.low == self.high
    }
}

/// Formats in percent, such as `12.5 % (10.1 to 15.2 %)`; an exact share, for which all possible faults were simulated,
/// without limits.
impl fmt::Display for Interval {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [share, low, high] = [self.share, self.low, self.high].map(|share| percent(share * 100.0));
        if self.is_exact() {
            return formatter.pad(&format!("{share} %"));
        }
        formatter.pad(&format!("{share} % ({low} to {high} %)"))
    }
}

/// A percentage with three digits, but at most four decimal places: 12.5, 3.25, 0.0421.
pub(super) fn percent(value: f64) -> String {
    let places = match value.abs() {
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        size if size >= 0.1 => 3,
        _ => 4,
    };
    let text = format!("{value:.places$}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".to_string(),
        text => text.to_string(),
    }
}

/// The Wilson interval of `hits` in `n`; `None` without runs.
///
/// `population` is the number of possible faults from which `n` different ones were drawn; `None` if it is large enough
/// to be ignored. It increases `n` to n (N - 1) / (N - n): the half-width is multiplied by sqrt((N - n) / (N - 1)), and
/// the interval of a complete campaign is the share itself.
pub fn wilson(hits: u64, n: u64, population: Option<u64>, confidence: Confidence) -> Option<Interval> {
    let share = hits.min(n) as f64 / n as f64;
    let effective = match population {
        Some(population) if population <= n => f64::INFINITY,
        Some(population) => n as f64 * ((population - 1) as f64 / (population - n) as f64),
        None => n as f64,
    };
    of_share(share, effective, confidence).filter(|_| n > 0)
}

/// The Wilson interval of a share estimated from `n` runs, not necessarily a whole number; `None` if `n` is not
/// positive.
fn of_share(share: f64, n: f64, confidence: Confidence) -> Option<Interval> {
    // The comparison is also false for NaN.
    let positive = n > 0.0;
    if !positive || !share.is_finite() {
        return None;
    }
    let z = confidence.z();
    let scale = 1.0 + z * z / n;
    let centre = (share + z * z / (2.0 * n)) / scale;
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt() / scale;
    Some(Interval::new(share, centre - half, centre + half))
}

/// The sums of weights from which a weighted share is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weights {
    sum: f64,
    squares: f64,
    hits: f64,
}

impl Weights {
    /// Adds a run.
    pub fn add(&mut self, weight: f64, hit: bool) {
        self.sum += weight;
        self.squares += weight * weight;
        if hit {
            self.hits += weight;
        }
    }

    /// The effective number of runs, with the same precision at equal weights: (sum w)^2 / sum w^2; 0 without runs.
    pub fn effective(&self) -> f64 {
        match self.squares > 0.0 {
            true => self.sum * (self.sum / self.squares),
            false => 0.0,
        }
    }

    /// The weighted share, with the Wilson interval for the effective number of runs; `None` without runs.
    pub fn interval(&self, confidence: Confidence) -> Option<Interval> {
        of_share(self.hits / self.sum, self.effective(), confidence)
    }
}

/// The weighted share of hits; `None` without runs. Each run is a pair of a weight and a flag, true for a hit.
pub fn weighted(runs: impl IntoIterator<Item = (f64, bool)>, confidence: Confidence) -> Option<Interval> {
    let mut weights = Weights::default();
    for (weight, hit) in runs {
        weights.add(weight, hit);
    }
    weights.interval(confidence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const P95: Confidence = Confidence::P95;

    /// The values are from Table I, method 3 of Newcombe, "Two-sided confidence intervals for the single proportion"
    /// (1998).
    #[test]
    fn wilson_gives_the_published_limits() {
        for (hits, n, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0000, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let found = wilson(hits, n, None, P95).unwrap();
            assert!(
                (found.low - low).abs() < 6e-5 && (found.high - high).abs() < 6e-5,
                "{found:?}"
            );
        }
    }

    #[test]
    fn no_hits_have_an_upper_limit() {
        for n in [1, 10, 1_000, 1 << 50] {
            let found = wilson(0, n, None, P95).unwrap();
            let expected = 1.96 * 1.96 / (n as f64 + 1.96 * 1.96);
            assert_eq!((found.share, found.low), (0.0, 0.0));
            assert!((found.high / expected - 1.0).abs() < 1e-12);
        }
        assert_eq!(wilson(0, 0, None, P95), None);
    }

    #[test]
    fn complete_population_has_no_uncertainty() {
        let found = wilson(3, 40, Some(40), P95).unwrap();
        assert_eq!((found.share, found.low, found.high), (0.075, 0.075, 0.075));
        assert_eq!(wilson(1, 1, Some(1), P95).unwrap().low, 1.0);
    }

    #[test]
    fn finite_population_narrows_by_the_factor() {
        let (all, half) = (
            wilson(5_000, 10_000, None, P95),
            wilson(5_000, 10_000, Some(20_000), P95),
        );
        let width = |interval: Option<Interval>| interval.map(|interval| interval.high - interval.low).unwrap();
        assert!((width(half) / width(all) - 0.5_f64.sqrt()).abs() < 1e-4);
    }

    #[test]
    fn equal_weights_are_plain_counts() {
        let runs = (0..100).map(|number| (2.5, number < 7));
        let (found, plain) = (weighted(runs, P95).unwrap(), wilson(7, 100, None, P95).unwrap());
        for (found, plain) in [
            (found.share, plain.share),
            (found.low, plain.low),
            (found.high, plain.high),
        ] {
            assert!((found - plain).abs() < 1e-12);
        }
        assert_eq!(weighted([], P95), None);
    }

    #[test]
    fn unequal_weights_count_less() {
        let mut weights = Weights::default();
        weights.add(3.0, true);
        weights.add(1.0, false);
        // (3 + 1)^2 / (9 + 1)
        assert!((weights.effective() - 1.6).abs() < 1e-12);
        assert_eq!(weights.interval(P95).unwrap().share, 0.75);
    }

    #[test]
    fn texts_have_the_interval() {
        for (hits, n, expected) in [
            (0, 100, "0 % (0 to 3.7 %)"),
            (100, 100, "100 % (96.3 to 100 %)"),
            (125, 1_000, "12.5 % (10.6 to 14.7 %)"),
            (1, 100_000, "0.001 % (0.0002 to 0.0057 %)"),
        ] {
            assert_eq!(wilson(hits, n, None, P95).unwrap().to_string(), expected);
        }
        for (hits, expected) in [(0, "0 %"), (1, "12.5 %"), (8, "100 %")] {
            assert_eq!(wilson(hits, 8, Some(8), P95).unwrap().to_string(), expected);
        }
        assert_eq!(percent(-0.00001), "0");
        assert_eq!(percent(-12.345), "-12.3");
    }

    proptest! {
        #[test]
        fn limits_enclose_the_share(hits in 0..1_000_u64, more in 0..1_000_u64, rest in prop::option::of(0..1_000_u64)) {
            let n = hits + more;
            let population = rest.map(|rest| n + rest);
            match wilson(hits, n, population, P95) {
                None => prop_assert_eq!(n, 0),
                Some(Interval { share, low, high }) => {
                    prop_assert!(0.0 <= low && low <= share && share <= high && high <= 1.0);
                }
            }
        }
    }
}
