//! Stratified estimates: each stratum is a part of the population with its own sample.

use super::confidence::Confidence;
use super::interval::{wilson, Interval};

/// A stratum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stratum {
    /// The stratum's part of the population, not negative, in any unit, such as bits or faults.
    pub weight: f64,
    /// The number of hits.
    pub hits: u64,
    /// The number of runs.
    pub n: u64,
    /// The number of possible faults of the stratum, as for [`wilson`].
    pub population: Option<u64>,
}

/// An estimate for a whole population, from its strata.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stratified {
    /// The estimate, sum(W p), with its limits.
    pub interval: Interval,
    /// The variance of the estimate, sum(W^2 p (1 - p) / n), for infinite populations. It is 0 if each stratum has only
    /// hits or only misses, although the estimate is uncertain: use the interval.
    pub variance: f64,
}

/// Estimates the share of the whole population.
///
/// The limits are combined from the strata's Wilson limits by Newcombe's method for differences: the distance to the
/// upper limit is sqrt(sum(W^2 (u - p)^2)). So the interval has a width even if no stratum has a hit.
///
/// `None` if all weights are 0, if a weight is negative or not finite, or if a stratum with a weight above 0 has no
/// runs, because its share is unknown.
pub fn stratified(strata: &[Stratum], confidence: Confidence) -> Option<Stratified> {
    let total: f64 = strata.iter().map(|stratum| stratum.weight).sum();
    let possible = total > 0.0 && total.is_finite() && strata.iter().all(|stratum| stratum.weight >= 0.0);
    if !possible {
        return None;
    }
    let (mut share, mut variance, mut below, mut above) = (0.0, 0.0, 0.0, 0.0);
    for stratum in strata.iter().filter(|stratum| stratum.weight > 0.0) {
        let weight = stratum.weight / total;
        let part = wilson(stratum.hits, stratum.n, stratum.population, confidence)?;
        share += weight * part.share;
        variance += weight * weight * part.share * (1.0 - part.share) / stratum.n as f64;
        below += (weight * (part.share - part.low)).powi(2);
        above += (weight * (part.high - part.share)).powi(2);
    }
    Some(Stratified {
        interval: Interval::new(share, share - f64::sqrt(below), share + f64::sqrt(above)),
        variance,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const P95: Confidence = Confidence::P95;

    fn stratum(weight: f64, hits: u64, n: u64) -> Stratum {
        Stratum {
            weight,
            hits,
            n,
            population: None,
        }
    }

    #[test]
    fn estimate_and_variance_are_weighted() {
        let found = stratified(&[stratum(300.0, 10, 100), stratum(100.0, 50, 100)], P95).unwrap();
        // 0.75 x 0.1 + 0.25 x 0.5; 0.5625 x 0.0009 + 0.0625 x 0.0025
        assert!((found.interval.share - 0.2).abs() < 1e-12);
        assert!((found.variance - 0.000_662_5).abs() < 1e-12);
        let half = (found.interval.high - found.interval.low) / 2.0;
        assert!((half / (1.96 * found.variance.sqrt()) - 1.0).abs() < 0.05, "{half}");
    }

    #[test]
    fn one_stratum_equals_its_wilson_interval() {
        let found = stratified(&[stratum(5.0, 3, 50), stratum(0.0, 0, 0)], P95)
            .unwrap()
            .interval;
        let plain = wilson(3, 50, None, P95).unwrap();
        assert!((found.low - plain.low).abs() < 1e-12 && (found.high - plain.high).abs() < 1e-12);
    }

    #[test]
    fn no_hits_still_have_an_upper_limit() {
        let found = stratified(&[stratum(1.0, 0, 100), stratum(1.0, 0, 100)], P95).unwrap();
        // Half of z^2 / (n + z^2), times the square root of 2.
        let expected = 0.5 * 2.0_f64.sqrt() * 3.8416 / 103.8416;
        assert!((found.interval.high - expected).abs() < 1e-12);
        assert_eq!(found.variance, 0.0);
    }

    #[test]
    fn unknown_strata_have_no_estimate() {
        for strata in [
            vec![],
            vec![stratum(0.0, 1, 2)],
            vec![stratum(1.0, 1, 2), stratum(1.0, 0, 0)],
            vec![stratum(2.0, 1, 2), stratum(-1.0, 1, 2)],
            vec![stratum(f64::NAN, 1, 2)],
            vec![stratum(f64::INFINITY, 1, 2)],
        ] {
            assert_eq!(stratified(&strata, P95), None, "{strata:?}");
        }
    }
}
