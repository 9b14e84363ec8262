//! Histograms: counts of faults in bins. The bins of each add up to all faults.

use super::html::escape;
use hdlkit::output::{counted, grouped};

/// The decades of relative errors with their own bins; there is one more bin at each end for all others.
const DECADES: std::ops::Range<i32> = -12..12;

/// The position of a bin on the page. Tables have all bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// A bar of the picture.
    Bar,
    /// A number next to the picture, for a value outside its scale.
    Beside,
    /// Like [`Shown::Beside`], for rows without a value: they are most of the rows, and a bar would flatten the others.
    Absent,
}

/// A bin of a histogram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bin {
    /// The range of values.
    pub(super) label: String,
    /// The number of faults.
    pub(super) count: u64,
    /// The position of the bin on the page.
    pub(super) shown: Shown,
}

impl Bin {
    fn new(label: impl Into<String>, count: u64, shown: Shown) -> Bin {
        Bin {
            label: label.into(),
            count,
            shown,
        }
    }
}

/// The bin of rows without a value, if there are any.
fn absent(label: &str, without: u64) -> Option<Bin> {
    (without > 0).then(|| Bin::new(label, without, Shown::Absent))
}

/// Counts whole numbers in bins 0, 1, 2 to 3, 4 to 7, and so on, up to the last one that is not empty. Rows without a
/// number are counted with the label `without_number`. The second element of each pair is a number of faults.
pub(super) fn by_powers(values: impl Iterator<Item = (Option<u64>, u64)>, without_number: &str) -> Vec<Bin> {
    let mut without = 0;
    let mut bins: Vec<u64> = Vec::new();
    for (value, faults) in values {
        let Some(value) = value else {
            without += faults;
            continue;
        };
        let bin = bin_of(value);
        if bins.len() <= bin {
            bins.resize(bin + 1, 0);
        }
        bins[bin] += faults;
    }
    let label = |bin: u32| match bin {
        0 | 1 => bin.to_string(),
        _ => format!("{} to {}", 1_u64 << (bin - 1), u64::MAX >> (u64::BITS - bin)),
    };
    let bins = bins
        .into_iter()
        .zip(0..)
        .map(|(count, bin)| Bin::new(label(bin), count, Shown::Bar));
    bins.chain(absent(without_number, without)).collect()
}

/// The index of a number's bin in [`by_powers`].
fn bin_of(value: u64) -> usize {
    (u64::BITS - value.leading_zeros()) as usize
}

/// The `count` whole numbers that begin with `from`, for [`by_powers`]: one pair for each bin, with the number of
/// values in it.
pub(super) fn run_of(from: u64, count: u64) -> impl Iterator<Item = (Option<u64>, u64)> {
    let end = from.saturating_add(count);
    let next = move |at: &u64| Some(1_u64.checked_shl(bin_of(*at) as u32).map_or(end, |next| next.min(end)));
    let starts = std::iter::successors(Some(from), next).take_while(move |at| *at < end);
    starts.map(move |at| (Some(at), next(&at).unwrap_or(end) - at))
}

/// Like [`by_powers`], for sizes where 0 means that there is no value.
pub(super) fn by_sizes(sizes: impl Iterator<Item = (u64, u64)>) -> Vec<Bin> {
    let mut bins = by_powers(sizes.map(|(size, faults)| (Some(size), faults)), "");
    if let Some(none) = bins.first_mut() {
        none.shown = Shown::Absent;
    }
    bins
}

/// Counts relative errors in bins of a decade, from the first to the last one that is not empty, with separate bins for
/// 0, infinity and NaN. Rows without a number are counted with the label `without_number`.
pub(super) fn by_decades(values: impl Iterator<Item = (Option<f64>, u64)>, without_number: &str) -> Vec<Bin> {
    let (mut zero, mut infinite, mut nan, mut without) = (0, 0, 0, 0);
    // One more bin at each end.
    let mut decades = vec![0_u64; DECADES.len() + 2];
    for (value, faults) in values {
        match value.map(f64::abs) {
            None => without += faults,
            Some(0.0) => zero += faults,
            Some(value) if value.is_nan() => nan += faults,
            Some(value) if value.is_infinite() => infinite += faults,
            Some(value) => {
                let decade = value
                    .log10()
                    .floor()
                    .clamp(f64::from(DECADES.start - 1), f64::from(DECADES.end));
                // The number is not negative, because `decade` is clamped.
                decades[(decade as i32 - (DECADES.start - 1)) as usize] += faults;
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
        .map(|(decade, count)| Bin::new(label(decade), count, Shown::Bar));
    let mut bins = vec![Bin::new("0", zero, Shown::Beside)];
    bins.extend(numbered.take(end).skip(first));
    bins.extend([("infinite", infinite), ("NaN", nan)].map(|(name, count)| Bin::new(name, count, Shown::Beside)));
    bins.extend(absent(without_number, without));
    bins
}

/// Counts rows by name, the most frequent first. Rows without a name are counted last, with the label `without_name`.
pub(super) fn by_name<'r>(names: impl Iterator<Item = (Option<&'r str>, u64)>, without_name: &str) -> Vec<Bin> {
    let mut without = 0;
    let mut counts = std::collections::BTreeMap::new();
    for (name, faults) in names {
        match name {
            Some(name) => *counts.entry(name).or_insert(0) += faults,
            None => without += faults,
        }
    }
    let mut bins: Vec<Bin> = counts
        .into_iter()
        .map(|(name, count)| Bin::new(name, count, Shown::Bar))
        .collect();
    bins.sort_by_key(|bin| std::cmp::Reverse(bin.count));
    bins.extend(absent(without_name, without));
    bins
}

/// The caption of a picture, as HTML: the number of rows in it, and the number in each bin outside it.
pub(super) fn caption(bins: &[Bin]) -> String {
    let drawn: u64 = bins
        .iter()
        .filter(|bin| bin.shown == Shown::Bar)
        .map(|bin| bin.count)
        .sum();
    let others: Vec<String> = bins
        .iter()
        .filter(|bin| bin.shown != Shown::Bar && bin.count > 0)
        .map(|bin| {
            let label = match (bin.shown, bin.label.as_str()) {
                (Shown::Absent, "0") => "none",
                (_, label) => label.trim_start_matches('(').trim_end_matches(')'),
            };
            format!("{} ({label})", grouped(bin.count))
        })
        .collect();
    let mut text = format!("{} in the picture", counted(drawn, "fault"));
    if !others.is_empty() {
        text += &format!("; not in it: {}", others.join(", "));
    }
    format!("<p class=\"caption\">{}.</p>\n", escape(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(bins: &[Bin]) -> Vec<String> {
        bins.iter()
            .map(|bin| {
                let mark = match bin.shown {
                    Shown::Bar => "",
                    Shown::Beside => " beside",
                    Shown::Absent => " absent",
                };
                format!("{}: {}{mark}", bin.label, bin.count)
            })
            .collect()
    }

    /// Pairs each value with a weight of one fault.
    fn once<T>(values: impl IntoIterator<Item = T>) -> impl Iterator<Item = (T, u64)> {
        values.into_iter().map(|value| (value, 1))
    }

    #[test]
    fn runs_fill_all_their_bins() {
        let bins = by_powers(run_of(3, 7), "none");
        assert_eq!(texts(&bins), ["0: 0", "1: 0", "2 to 3: 1", "4 to 7: 4", "8 to 15: 2"]);
        let one_by_one = (3..10).map(|value| (Some(value), 1));
        assert_eq!(texts(&by_powers(one_by_one, "none")), texts(&bins));
        assert_eq!(run_of(0, 2).collect::<Vec<_>>(), [(Some(0), 1), (Some(1), 1)]);
        assert_eq!(run_of(5, 1).collect::<Vec<_>>(), [(Some(5), 1)]);
    }

    #[test]
    fn powers_include_empty_bins_between() {
        let values = [Some(0), Some(1), Some(7), Some(4), None].map(|value| (value, 1));
        assert_eq!(
            texts(&by_powers(values.into_iter(), "none")),
            ["0: 1", "1: 1", "2 to 3: 0", "4 to 7: 2", "none: 1 absent"]
        );
        let largest = by_powers([(Some(u64::MAX), 1)].into_iter(), "none");
        assert_eq!(texts(&largest)[64], "9223372036854775808 to 18446744073709551615: 1");
        assert!(by_powers([].into_iter(), "none").is_empty());
    }

    #[test]
    fn zero_sizes_are_absent() {
        assert_eq!(
            texts(&by_sizes([(0, 1), (3, 1), (0, 1)].into_iter())),
            ["0: 2 absent", "1: 0", "2 to 3: 1"]
        );
        assert!(by_sizes([].into_iter()).is_empty());
    }

    #[test]
    fn decades_have_bins_for_special_values() {
        let values = [0.0, -0.0, f64::NAN, f64::INFINITY, 0.02, -2.0, 5.0].map(Some);
        assert_eq!(
            texts(&by_decades(once(values.into_iter().chain([None])), "none")),
            [
                "0: 2 beside",
                "1e-2 to 1e-1: 1",
                "1e-1 to 1e0: 0",
                "1e0 to 1e1: 2",
                "infinite: 1 beside",
                "NaN: 1 beside",
                "none: 1 absent"
            ]
        );
        let ends = by_decades(once([f64::MAX, f64::MIN_POSITIVE, 1e-12, 1e12].map(Some)), "none");
        let counts = |label: &str| ends.iter().find(|bin| bin.label == label).map(|bin| bin.count);
        assert_eq!(counts("below 1e-12"), Some(1));
        assert_eq!(counts("1e-12 to 1e-11"), Some(1));
        assert_eq!(counts("1e12 and above"), Some(2));
        assert_eq!(
            texts(&by_decades([].into_iter(), "none")),
            ["0: 0 beside", "infinite: 0 beside", "NaN: 0 beside"]
        );
    }

    #[test]
    fn names_are_sorted_by_count() {
        let names = [Some("a"), Some("b"), None, Some("b")];
        assert_eq!(texts(&by_name(once(names), "none")), ["b: 2", "a: 1", "none: 1 absent"]);
    }

    #[test]
    fn captions_count_undrawn_bins() {
        let values = [Some(0.0), Some(0.5), Some(f64::NAN), None, None];
        assert_eq!(
            caption(&by_decades(once(values), "(no <number>)")),
            "<p class=\"caption\">1 fault in the picture; not in it: 1 (0), 1 (NaN), 2 (no &lt;number&gt;).</p>\n"
        );
        assert_eq!(
            caption(&by_name(once([Some("a"); 1_000]), "")),
            "<p class=\"caption\">1,000 faults in the picture.</p>\n"
        );
        assert_eq!(
            caption(&by_sizes([(0, 2), (5, 1)].into_iter())),
            "<p class=\"caption\">1 fault in the picture; not in it: 2 (none).</p>\n"
        );
    }
}
