//! Comparisons of two campaigns.

use super::interval::{wilson, Interval};
use super::normal::two_sided;
use super::Confidence;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::row::Row;
use std::collections::HashMap;

/// Discordant pairs below which McNemar's test is exact.
const EXACT_BELOW: u64 = 25;

/// Faults of two campaigns on one fault list that hit in one of them alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Discordant {
    /// Faults that hit in the first campaign, but not in the second.
    pub first: u64,
    /// Faults that hit in the second campaign, but not in the first.
    pub second: u64,
}

/// Pairs the rows of two campaigns by their faults and counts the discordant pairs of outcomes that `hit`.
///
/// # Errors
/// [`Error::Contents`] unless both have rows of exactly the same faults.
pub fn discordant(first: &[Row], second: &[Row], hit: impl Fn(Outcome) -> bool) -> Result<Discordant, Error> {
    let error = |wrong: String| Error::Contents {
        file: "comparison".into(),
        wrong,
    };
    let by_id: HashMap<u64, &Row> = second.iter().map(|row| (row.fault.id, row)).collect();
    if first.len() != second.len() {
        let wrong = format!(
            "{} and {} rows; expected rows of the same faults",
            first.len(),
            second.len()
        );
        return Err(error(wrong));
    }
    let mut counts = Discordant::default();
    for row in first {
        let id = row.fault.id;
        let other = by_id.get(&id).filter(|other| other.fault == row.fault);
        let other =
            other.ok_or_else(|| error(format!("fault {id} is not the same in both; expected one fault list")))?;
        match (hit(row.outcome), hit(other.outcome)) {
            (true, false) => counts.first += 1,
            (false, true) => counts.second += 1,
            _ => {}
        }
    }
    Ok(counts)
}

/// The result of McNemar's test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct McNemar {
    /// (b - c)^2 / (b + c), of a chi-square distribution with one degree of freedom; `None` if the test was exact.
    pub chi_square: Option<f64>,
    /// The probability of counts at least as different if the campaigns do not differ, on both sides.
    pub p: f64,
}

/// McNemar's test for two campaigns on one fault list: exact, from the binomial distribution, for less than 25
/// discordant pairs, otherwise with the chi-square distribution, without a correction for continuity.
pub fn mcnemar(pairs: Discordant) -> McNemar {
    let (fewer, more) = (pairs.first.min(pairs.second), pairs.first.max(pairs.second));
    if fewer < EXACT_BELOW && more < EXACT_BELOW - fewer {
        let n = fewer + more;
        // Ways to have at most `fewer` of n: below 2^24.
        let mut ways = 1;
        let mut sum = 1;
        for k in 1..=fewer {
            ways = ways * (n - k + 1) / k;
            sum += ways;
        }
        let p = 2.0 * sum as f64 / (1_u64 << n) as f64;
        return McNemar {
            chi_square: None,
            // The middle is counted twice if both are equal.
            p: p.min(1.0),
        };
    }
    let root = (more - fewer) as f64 / (more as f64 + fewer as f64).sqrt();
    McNemar {
        chi_square: Some(root * root),
        p: two_sided(root),
    }
}

/// The difference of two shares, from -1 to 1, with the limits of its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The first share minus the second.
    pub difference: f64,
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

/// The interval of Newcombe (1998, method 10) of the difference of two shares, made of their Wilson limits.
pub fn difference(first: Interval, second: Interval) -> Difference {
    let below = (first.share - first.low).hypot(second.high - second.share);
    let above = (first.high - first.share).hypot(second.share - second.low);
    let difference = first.share - second.share;
    Difference {
        difference,
        low: difference - below,
        high: difference + above,
    }
}

/// [`difference`] of `hits` in `n` of two campaigns with different faults; `None` if one has no runs.
pub fn newcombe(first: (u64, u64), second: (u64, u64), confidence: Confidence) -> Option<Difference> {
    let interval = |(hits, n)| wilson(hits, n, None, confidence);
    Some(difference(interval(first)?, interval(second)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{full_row, row};

    #[test]
    fn few_pairs_are_tested_exactly() {
        for (first, second, expected) in [
            (0, 0, 1.0),
            (3, 3, 1.0),
            (0, 5, 0.0625),
            // 2 (1 + 22 + 231 + 1540 + 7315 + 26334 + 74613) / 2^22
            (6, 16, 2.0 * 110_056.0 / 4_194_304.0),
            (24, 0, 2.0 / 16_777_216.0),
        ] {
            let found = mcnemar(Discordant { first, second });
            assert_eq!(found.chi_square, None);
            assert!((found.p - expected).abs() < 1e-12, "{first} {second}: {found:?}");
        }
    }

    #[test]
    fn many_pairs_are_tested_with_chi_square() {
        let found = mcnemar(Discordant { first: 121, second: 59 });
        assert!((found.chi_square.unwrap() - 62.0 * 62.0 / 180.0).abs() < 1e-12);
        // Agresti, "Categorical Data Analysis", approval of the prime minister: z = 4.17, P = 3e-5.
        let found = mcnemar(Discordant { first: 150, second: 86 });
        assert!((found.chi_square.unwrap().sqrt() - 4.17).abs() < 0.005);
        assert!((found.p - 3.1e-5).abs() < 1e-6, "{found:?}");
        let largest = mcnemar(Discordant {
            first: u64::MAX,
            second: u64::MAX,
        });
        assert_eq!(largest.p, 1.0);
    }

    /// Newcombe, "Interval estimation for the difference between independent proportions" (1998), table II, method 10.
    #[test]
    fn differences_have_the_published_limits() {
        for (first, second, low, high) in [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((5, 56), (0, 29), -0.0381, 0.1926),
            ((10, 10), (0, 10), 0.6075, 1.0000),
        ] {
            let found = newcombe(first, second, Confidence::P95).unwrap();
            assert!(
                (found.low - low).abs() < 1e-4 && (found.high - high).abs() < 1e-4,
                "{found:?}"
            );
        }
        assert_eq!(newcombe((0, 0), (1, 2), Confidence::P95), None);
    }

    #[test]
    fn rows_are_paired_by_fault() {
        let (first, second) = ([row(0), full_row(1), full_row(2)], [row(2), row(0), full_row(1)]);
        let found = discordant(&first, &second, Outcome::is_sdc);
        assert_eq!(found, Ok(Discordant { first: 1, second: 0 }));
        assert!(discordant(&first, &second[..2], Outcome::is_sdc).is_err());
        let mut other = second.clone();
        other[0].fault.cycle += 1;
        let message = discordant(&first, &other, Outcome::is_sdc).unwrap_err().to_string();
        assert_eq!(
            message,
            "comparison: fault 2 is not the same in both; expected one fault list"
        );
    }
}
