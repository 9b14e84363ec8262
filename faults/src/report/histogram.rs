//! Counts of rows in bins. The bins of each histogram add up to all rows.

/// Decades of relative errors that have bins of their own; all outside share one at each end.
const DECADES: std::ops::Range<i32> = -12..12;

/// Whole numbers in bins 0, 1, 2 to 3, 4 to 7, and so on, up to the last one that is not empty; those without a number
/// are counted as `absent`.
pub(super) fn by_powers(values: impl Iterator<Item = Option<u64>>, absent: &str) -> Vec<(String, u64)> {
    let mut without = 0;
    let mut bins: Vec<u64> = Vec::new();
    for value in values {
        let Some(value) = value else {
            without += 1;
            continue;
        };
        let bin = (u64::BITS - value.leading_zeros()) as usize;
        if bins.len() <= bin {
            bins.resize(bin + 1, 0);
        }
        bins[bin] += 1;
    }
    let label = |bin: u32| match bin {
        0 | 1 => bin.to_string(),
        _ => format!("{} to {}", 1_u64 << (bin - 1), u64::MAX >> (u64::BITS - bin)),
    };
    let bins = bins.into_iter().zip(0..).map(|(count, bin)| (label(bin), count));
    bins.chain(counted(absent, without)).collect()
}

/// Relative errors in bins of a decade, from the first to the last one that is not empty, with bins of their own for 0,
/// infinity and NaN; those without a number are counted as `absent`.
pub(super) fn by_decades(values: impl Iterator<Item = Option<f64>>, absent: &str) -> Vec<(String, u64)> {
    let (mut zero, mut infinite, mut nan, mut without) = (0, 0, 0, 0);
    // One more at each end.
    let mut decades = vec![0_u64; DECADES.len() + 2];
    for value in values {
        match value.map(f64::abs) {
            None => without += 1,
            Some(0.0) => zero += 1,
            Some(value) if value.is_nan() => nan += 1,
            Some(value) if value.is_infinite() => infinite += 1,
            Some(value) => {
                let decade = value
                    .log10()
                    .floor()
                    .clamp(f64::from(DECADES.start - 1), f64::from(DECADES.end));
                // From 0, because of the limits.
                decades[(decade as i32 - (DECADES.start - 1)) as usize] += 1;
            }
        }
    }
    let label = |decade: i32| match decade {
        _ if decade < DECADES.start => format!("below 1e{}", DECADES.start),
        _ if decade >= DECADES.end => format!("1e{} and above", DECADES.end),
        _ => format!("1e{decade} to 1e{}", decade + 1),
    };
    let first = decades.iter().position(|count| *count > 0).unwrap_or(decades.len());
    let end = decades.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
    let numbered = (DECADES.start - 1..)
        .zip(decades)
        .map(|(decade, count)| (label(decade), count));
    let mut bins = vec![("0".to_string(), zero)];
    bins.extend(numbered.take(end).skip(first));
    bins.extend([("infinite", infinite), ("NaN", nan)].map(|(name, count)| (name.to_string(), count)));
    bins.extend(counted(absent, without));
    bins
}

/// The bin of rows without a value, if there are any.
fn counted(absent: &str, without: u64) -> Option<(String, u64)> {
    (without > 0).then(|| (absent.to_string(), without))
}

/// Counts by name, the most frequent first; those without a name are counted as `absent`, at the end.
pub(super) fn by_name<'r>(names: impl Iterator<Item = Option<&'r str>>, absent: &str) -> Vec<(String, u64)> {
    let mut without = 0;
    let mut counts = std::collections::BTreeMap::new();
    for name in names {
        match name {
            Some(name) => *counts.entry(name).or_insert(0) += 1,
            None => without += 1,
        }
    }
    let mut counts: Vec<(String, u64)> = counts
        .into_iter()
        .map(|(name, count)| (name.to_string(), count))
        .collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.extend(counted(absent, without));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(bins: &[(String, u64)]) -> Vec<String> {
        bins.iter().map(|(label, count)| format!("{label}: {count}")).collect()
    }

    #[test]
    fn powers_have_all_bins_in_between() {
        let values = [Some(0), Some(1), Some(7), Some(4), None];
        assert_eq!(
            texts(&by_powers(values.into_iter(), "none")),
            ["0: 1", "1: 1", "2 to 3: 0", "4 to 7: 2", "none: 1"]
        );
        let largest = by_powers([Some(u64::MAX)].into_iter(), "none");
        assert_eq!(
            largest[64],
            ("9223372036854775808 to 18446744073709551615".to_string(), 1)
        );
        assert!(by_powers([].into_iter(), "none").is_empty());
    }

    #[test]
    fn decades_have_bins_for_special_values() {
        let values = [0.0, -0.0, f64::NAN, f64::INFINITY, 0.02, -2.0, 5.0].map(Some);
        assert_eq!(
            texts(&by_decades(values.into_iter().chain([None]), "none")),
            [
                "0: 2",
                "1e-2 to 1e-1: 1",
                "1e-1 to 1e0: 0",
                "1e0 to 1e1: 2",
                "infinite: 1",
                "NaN: 1",
                "none: 1"
            ]
        );
        let ends = by_decades([f64::MAX, f64::MIN_POSITIVE, 1e-12, 1e12].map(Some).into_iter(), "none");
        let counts = |label: &str| ends.iter().find(|bin| bin.0 == label).map(|bin| bin.1);
        assert_eq!(counts("below 1e-12"), Some(1));
        assert_eq!(counts("1e-12 to 1e-11"), Some(1));
        assert_eq!(counts("1e12 and above"), Some(2));
        assert_eq!(
            texts(&by_decades([].into_iter(), "none")),
            ["0: 0", "infinite: 0", "NaN: 0"]
        );
    }

    #[test]
    fn names_are_sorted_by_count() {
        let names = [Some("a"), Some("b"), None, Some("b")];
        assert_eq!(texts(&by_name(names.into_iter(), "none")), ["b: 2", "a: 1", "none: 1"]);
    }
}
