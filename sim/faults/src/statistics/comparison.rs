//! Comparisons of two campaigns.

use super::confidence::Confidence;
use super::interval::{percent, wilson, Interval};
use super::normal::two_sided;
use crate::results::outcome::Outcome;
use crate::results::row::Row;
use crate::text::error::Error;
use hdlkit::output::{counted, grouped};
use std::collections::HashMap;
use std::fmt;

/// The number of discordant pairs below which McNemar's test is exact.
const EXACT_BELOW: u64 = 25;

/// Discordant pairs: faults that are hits in only one of two campaigns with the same fault list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Discordant {
    /// The number of faults that are hits in the first campaign, but not in the second.
    pub first: u64,
    /// The number of faults that are hits in the second campaign, but not in the first.
    pub second: u64,
}

/// Pairs the rows of two campaigns by their faults and counts the pairs with different results of `hit`.
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
            "{} and {}; expected results of the same faults",
            counted(first.len() as u64, "result"),
            counted(second.len() as u64, "result")
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
    /// (b - c)^2 / (b + c), chi-square distributed with one degree of freedom; `None` for the exact test.
    pub chi_square: Option<f64>,
    /// The two-sided p-value.
    pub p: f64,
}

/// McNemar's test for two campaigns with the same fault list: exact, from the binomial distribution, for fewer than 25
/// discordant pairs; otherwise with the chi-square distribution, without continuity correction.
pub fn mcnemar(pairs: Discordant) -> McNemar {
    let (fewer, more) = (pairs.first.min(pairs.second), pairs.first.max(pairs.second));
    if fewer < EXACT_BELOW && more < EXACT_BELOW - fewer {
        let n = fewer + more;
        // The number of ways to have at most `fewer` of n: below 2^24.
        let mut ways = 1;
        let mut sum = 1;
        for k in 1..=fewer {
            ways = ways * (n - k + 1) / k;
            sum += ways;
        }
        let p = 2.0 * sum as f64 / (1_u64 << n) as f64;
        return McNemar {
            chi_square: None,
            // If both are equal, the central term is counted twice.
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
pub struct ShareDifference {
    /// The first share minus the second.
    pub difference: f64,
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

/// Newcombe's interval of the difference of two independent shares (1998, method 10), computed from their Wilson
/// limits.
pub fn difference(first: Interval, second: Interval) -> ShareDifference {
    let below = (first.share - first.low).hypot(second.high - second.share);
    let above = (first.high - first.share).hypot(second.share - second.low);
    let difference = first.share - second.share;
    ShareDifference {
        difference,
        low: difference - below,
        high: difference + above,
    }
}

/// Newcombe's interval of the difference of two shares of the same `n` faults (1998, paired method 10), computed from
/// their Wilson limits and the correlation of the pairs. `first` and `second` are the numbers of hits; `pairs` counts
/// the faults that are hits in only one campaign. `None` without faults, and for more pairs than hits or faults.
pub fn paired_difference(
    n: u64,
    first: u64,
    second: u64,
    pairs: Discordant,
    confidence: Confidence,
) -> Option<ShareDifference> {
    let both = first.checked_sub(pairs.first)?;
    let neither = n.checked_sub(first)?.checked_sub(pairs.second)?;
    if both + pairs.second != second {
        return None;
    }
    let [one, other] = [first, second].map(|hits| wilson(hits, n, None, confidence));
    let (one, other) = (one?, other?);
    // The product of the table's margins, and the difference of the products of its diagonals with Newcombe's
    // correction.
    let margins = [first, n - first, second, n - second].map(|count| count as f64);
    let product = both as f64 * neither as f64 - pairs.first as f64 * pairs.second as f64;
    let corrected = match product > 0.0 {
        true => (product - n as f64 / 2.0).max(0.0),
        false => product,
    };
    let root = margins.iter().product::<f64>().sqrt();
    let correlation = if root > 0.0 { corrected / root } else { 0.0 };
    // The value is negative only because of rounding: the correlation is at most 1.
    let distance = |a: f64, b: f64| (a * a - 2.0 * correlation * a * b + b * b).max(0.0).sqrt();
    let difference = (pairs.first as f64 - pairs.second as f64) / n as f64;
    Some(ShareDifference {
        difference,
        low: difference - distance(one.share - one.low, other.high - other.share),
        high: difference + distance(one.high - one.share, other.share - other.low),
    })
}

/// Compares two campaigns with the same fault list, for a terminal: SDC and DUE of both with their intervals, the
/// difference with Newcombe's paired interval, and the discordant pairs with McNemar's test. All intervals have 95 %
/// confidence.
///
/// # Errors
/// [`Error::Contents`] without rows, for faults with weights, and unless both have rows of exactly the same faults.
pub fn compare(first: &[Row], second: &[Row]) -> Result<String, Error> {
    if let Some(row) = first.iter().find(|row| row.fault.weight != 1) {
        return Err(Error::Contents {
            file: "comparison".into(),
            wrong: format!(
                "fault {} represents {}; expected faults that represent only themselves: classes are valid only in their \
                 own golden run, and their shares have no sampling error to test",
                row.fault.id, row.fault.weight
            ),
        });
    }
    let n = first.len() as u64;
    let mut text = format!(
        "{} in both campaigns; intervals of 95 % confidence\n",
        counted(n, "fault")
    );
    for name in ["SDC", "DUE"] {
        let hit = if name == "SDC" {
            Outcome::is_sdc
        } else {
            Outcome::is_due
        };
        let pairs = discordant(first, second, hit)?;
        let hits = [first, second].map(|rows| rows.iter().filter(|row| hit(row.outcome)).count() as u64);
        let shares = hits.map(|hits| wilson(hits, n, None, Confidence::P95));
        let difference = paired_difference(n, hits[0], hits[1], pairs, Confidence::P95);
        let ([Some(one), Some(other)], Some(difference)) = (shares, difference) else {
            return Err(Error::Contents {
                file: "comparison".into(),
                wrong: "no results; expected results of at least one fault".into(),
            });
        };
        let p = mcnemar(pairs).p;
        let p = match p {
            _ if p < 0.0001 => "below 0.0001".to_string(),
            1.0 => "1".to_string(),
            _ => format!("{p:.4}"),
        };
        text += &format!(
            "{name}  first       {one}\n     second      {other}\n     difference  {difference}\n     \
             {} only in the first, {} only in the second; p {p} (McNemar)\n",
            grouped(pairs.first),
            grouped(pairs.second)
        );
    }
    Ok(text)
}

/// Formats in percentage points, such as `-1.2 percentage points (-2.1 to -0.3)`.
impl fmt::Display for ShareDifference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [difference, low, high] = [self.difference, self.low, self.high].map(|share| percent(share * 100.0));
        formatter.pad(&format!("{difference} percentage points ({low} to {high})"))
    }
}

/// The [`difference`] of two campaigns with different faults, each given as `(hits, n)`; `None` if one has no runs.
pub fn newcombe(first: (u64, u64), second: (u64, u64), confidence: Confidence) -> Option<ShareDifference> {
    let interval = |(hits, n)| wilson(hits, n, None, confidence);
    Some(difference(interval(first)?, interval(second)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fault, full_row, row};

    /// A row with an SDC.
    fn failed(id: u64) -> Row {
        Row {
            fault: fault(id),
            ..full_row(id)
        }
    }

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

    /// The values are from Table II, method 10 of Newcombe, "Interval estimation for the difference between independent
    /// proportions" (1998).
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

    /// The values are from Fagerland, Lydersen and Laake, "Recommended tests and confidence intervals for paired
    /// binomial proportions" (2014), airway hyper-responsiveness: -0.507 to -0.026. For Agresti's table above,
    /// Newcombe's interval is close to Wald's, 0.0213 to 0.0587.
    #[test]
    fn paired_differences_have_the_published_limits() {
        for (n, first, second, pairs, low, high) in [
            (21, 2, 8, (1, 7), -0.507, -0.026),
            (1_600, 944, 880, (150, 86), 0.0212, 0.0587),
        ] {
            let pairs = Discordant {
                first: pairs.0,
                second: pairs.1,
            };
            let found = paired_difference(n, first, second, pairs, Confidence::P95).unwrap();
            assert!(
                (found.low - low).abs() < 5e-4 && (found.high - high).abs() < 5e-4,
                "{found:?}"
            );
        }
    }

    #[test]
    fn uncorrelated_pairs_equal_independent_samples() {
        // 20 x 30 = 30 x 20: no correlation.
        let pairs = Discordant { first: 30, second: 20 };
        let found = paired_difference(100, 50, 40, pairs, Confidence::P95).unwrap();
        let plain = newcombe((50, 100), (40, 100), Confidence::P95).unwrap();
        assert!((found.low - plain.low).abs() < 1e-12 && (found.high - plain.high).abs() < 1e-12);
    }

    #[test]
    fn impossible_pairs_have_no_difference() {
        let pairs = |first, second| Discordant { first, second };
        for (n, first, second, pairs) in [
            (0, 0, 0, pairs(0, 0)),
            (10, 2, 2, pairs(3, 3)),
            (10, 2, 3, pairs(1, 1)),
            (3, 2, 3, pairs(1, 2)),
            (1, 2, 2, pairs(0, 0)),
        ] {
            assert_eq!(paired_difference(n, first, second, pairs, Confidence::P95), None);
        }
        let none = paired_difference(10, 0, 0, pairs(0, 0), Confidence::P95).unwrap();
        assert!(none.low < 0.0 && none.high > 0.0);
    }

    #[test]
    fn comparison_has_shares_pairs_and_test() {
        let rows = |sdc: u64| -> Vec<Row> {
            let of = |id| if id < sdc { failed(id) } else { row(id) };
            (0..100).map(of).collect()
        };
        let text = compare(&rows(12), &rows(4)).unwrap();
        assert_eq!(
            text,
            "100 faults in both campaigns; intervals of 95 % confidence\n\
             SDC  first       12 % (7 to 19.8 %)\n     \
             second      4 % (1.57 to 9.84 %)\n     \
             difference  8 percentage points (2.4 to 15)\n     \
             8 only in the first, 0 only in the second; p 0.0078 (McNemar)\n\
             DUE  first       0 % (0 to 3.7 %)\n     \
             second      0 % (0 to 3.7 %)\n     \
             difference  0 percentage points (-3.7 to 3.7)\n     \
             0 only in the first, 0 only in the second; p 1 (McNemar)\n"
        );
        assert!(compare(&rows(12), &rows(4)[..99]).is_err());
        let message = compare(&[], &[]).unwrap_err().to_string();
        assert!(message.contains("no results"), "{message}");
    }

    #[test]
    fn classes_are_not_compared() {
        let rows = [row(0), full_row(1)];
        let message = compare(&rows, &rows).unwrap_err().to_string();
        assert!(message.contains("fault 1 represents 25"), "{message}");
    }

    #[test]
    fn rows_are_paired_by_fault() {
        let (first, second) = ([row(0), failed(1), failed(2)], [row(2), row(0), failed(1)]);
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
