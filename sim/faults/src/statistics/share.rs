//! Shares of outcomes among rows, weighted by the number of faults that each row represents.

use super::confidence::Confidence;
use super::interval::{weighted, wilson, Interval};
use crate::results::outcome::Outcome;
use crate::results::row::Row;

/// The population from which the faults of a campaign were drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Population {
    /// Unknown, drawn with replacement, or large enough to be ignored.
    Unlimited,
    /// This number of faults, from which different ones were drawn.
    Finite(u64),
    /// This number of faults, all simulated, individually or as a class: no sampling.
    Complete(u64),
}

impl Population {
    /// The same kind of population with a different number of faults.
    pub fn with(self, faults: u64) -> Population {
        match self {
            Population::Unlimited => Population::Unlimited,
            Population::Finite(_) => Population::Finite(faults),
            Population::Complete(_) => Population::Complete(faults),
        }
    }
}

/// The number of faults that rows represent.
pub fn faults<'r>(rows: impl IntoIterator<Item = &'r Row>) -> u64 {
    let weights = rows.into_iter().map(|row| row.fault.weight);
    weights.fold(0, u64::saturating_add)
}

/// The share of hits, with rows weighted by the faults that they represent; `None` without rows.
///
/// The limits are Wilson's. The share of a complete population is known: while rows are missing, the limits are the
/// shares if all missing faults are misses, or all are hits.
pub fn share(
    rows: &[&Row],
    population: Population,
    hit: impl Fn(Outcome) -> bool,
    confidence: Confidence,
) -> Option<Interval> {
    let of_hits = || faults(rows.iter().copied().filter(|row| hit(row.outcome)));
    let simulated = faults(rows.iter().copied());
    match population {
        _ if simulated == 0 => None,
        Population::Complete(all) => {
            let (hits, all) = (of_hits() as f64, all.max(simulated) as f64);
            let missing = all - simulated as f64;
            Some(Interval::new(
                hits / simulated as f64,
                hits / all,
                (hits + missing) / all,
            ))
        }
        _ if rows.iter().any(|row| row.fault.weight != 1) => {
            let runs = rows.iter().map(|row| (row.fault.weight as f64, hit(row.outcome)));
            weighted(runs, confidence)
        }
        Population::Finite(all) => wilson(of_hits(), simulated, Some(all), confidence),
        Population::Unlimited => wilson(of_hits(), simulated, None, confidence),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{full_row, row};

    const P95: Confidence = Confidence::P95;

    #[test]
    fn complete_population_has_no_interval() {
        // One masked fault, and one class of 25 faults that corrupt data.
        let (one, class) = (row(0), full_row(1));
        let rows = [&one, &class];
        let found = share(&rows, Population::Complete(26), Outcome::is_sdc, P95).unwrap();
        assert!(found.is_exact());
        assert_eq!(found.to_string(), "96.2 %");
        let none = share(&rows, Population::Complete(26), Outcome::is_due, P95).unwrap();
        assert_eq!(none.to_string(), "0 %");
    }

    #[test]
    fn missing_rows_are_within_the_limits() {
        let (one, class) = (row(0), full_row(1));
        let found = share(&[&one, &class], Population::Complete(100), Outcome::is_sdc, P95).unwrap();
        // 25 of 26; at least 25 of 100, and at most 25 plus the missing 74.
        assert_eq!((found.share, found.low, found.high), (25.0 / 26.0, 0.25, 0.99));
        assert_eq!(share(&[], Population::Complete(100), Outcome::is_sdc, P95), None);
    }

    #[test]
    fn weights_and_counts_have_their_own_intervals() {
        let (one, other, class) = (row(0), row(2), full_row(1));
        let found = share(&[&one, &class], Population::Unlimited, Outcome::is_sdc, P95);
        assert_eq!(found, weighted([(1.0, false), (25.0, true)], P95));
        let found = share(&[&one, &other], Population::Finite(9), Outcome::is_sdc, P95);
        assert_eq!(found, wilson(0, 2, Some(9), P95));
        assert_eq!(faults([&one, &class]), 26);
    }
}
