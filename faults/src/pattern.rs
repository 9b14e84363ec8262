//! Patterns for sites.

use crate::site::Site;

/// True if one of the patterns, which commas separate, matches a site: its name, after a kind of storage or purpose and a
/// colon only sites of that kind. `register:` is every register, `control:sm[0].fetch` what controls fetch.
pub(crate) fn selects(patterns: &str, site: &Site) -> bool {
    patterns.split(',').any(|pattern| match pattern.split_once(':') {
        Some((kind, rest)) => {
            let is_of = [site.storage.name(), site.kind.name()].contains(&kind);
            is_of && (rest.is_empty() || matches(rest, &site.name))
        }
        None => matches(pattern, &site.name),
    })
}

/// True if `name` matches `pattern`. `*` is any text, dots included, `?` is one character; brackets are themselves,
/// because the names have indices. A pattern without `*` and `?` matches the name itself and all names below it:
/// `sm[0].lane` matches `sm[0].lane.sum` and `sm[0].lane[3].sum`.
fn matches(pattern: &str, name: &str) -> bool {
    if pattern.contains(['*', '?']) {
        return wildcard_matches(pattern, name);
    }
    match name.strip_prefix(pattern) {
        Some(rest) => rest.is_empty() || rest.starts_with(['.', '[']),
        None => false,
    }
}

fn wildcard_matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // After the latest `*`, and the first character of the name that it does not take.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match (pattern.get(p), star) {
            (Some('*'), _) => {
                p += 1;
                star = Some((p, n));
            }
            (Some(&c), _) if c == '?' || c == name[n] => {
                p += 1;
                n += 1;
            }
            // The latest `*` takes one more. Earlier ones need not be tried again: what they would reach, it reaches, too.
            (_, Some((after, taken))) => {
                star = Some((after, taken + 1));
                p = after;
                n = taken + 1;
            }
            (_, None) => return false,
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

/// The names most like `text`, the nearest first, at most three; none that differs in more than half of its characters.
pub(crate) fn near<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let most = text.chars().count().div_ceil(2);
    let mut near: Vec<(usize, &str)> = names
        // The distance is at least the difference of lengths, and takes the product of the lengths to compute.
        .filter(|name| name.len().abs_diff(text.len()) <= most)
        .map(|name| (strsim::levenshtein(text, name), name))
        .filter(|&(distance, _)| distance <= most)
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(3).map(|(_, name)| name.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_pattern_matches_everything_below() {
        for (name, expected) in [
            ("sm[0].lane", true),
            ("sm[0].lane.sum", true),
            ("sm[0].lane[3].sum", true),
            ("sm[0].lanes", false),
            ("sm[0]", false),
            ("top.sm[0].lane", false),
        ] {
            assert_eq!(matches("sm[0].lane", name), expected, "{name}");
        }
    }

    #[test]
    fn kinds_and_lists_select_sites() {
        use crate::site::Storage;
        let register = Site::new("sm[0].fetch.pc", Storage::Register, 0, 16, 1);
        let memory = Site::new("sm[0].register_file.bank[0]", Storage::Memory, 0, 32, 64);
        for (patterns, expected) in [
            ("register:", (true, false)),
            ("memory:", (false, true)),
            ("memory:sm[0]", (false, true)),
            ("address:*pc", (true, false)),
            ("data:*pc", (false, false)),
            ("architectural:,sm[0].fetch", (true, true)),
            ("other:", (false, false)),
            ("sm[0].fetch,sm[1]", (true, false)),
        ] {
            assert_eq!(
                (selects(patterns, &register), selects(patterns, &memory)),
                expected,
                "{patterns}"
            );
        }
    }

    #[test]
    fn wildcards_match_as_in_a_shell() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("*", "a.b", true),
            ("sm[?].pc", "sm[1].pc", true),
            ("sm[?].pc", "sm[12].pc", false),
            ("*.pc", "sm[0].fetch.pc", true),
            ("*.pc", "sm[0].fetch.pc_valid", false),
            ("a*b*c", "a.b.b.cc", true),
            ("a*b*c", "a.b.b.cd", false),
            ("?", "", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn near_names_are_sorted_by_distance() {
        let names = ["fetch.pcs", "fetch.pc", "decode.word", "fetch.pce"];
        assert_eq!(
            near("fetch.px", names.into_iter()),
            ["fetch.pc", "fetch.pce", "fetch.pcs"]
        );
        assert!(near("zzzz", names.into_iter()).is_empty());
    }

    /// The definition, by recursion.
    fn simple(pattern: &[char], name: &[char]) -> bool {
        match (pattern, name) {
            ([], []) => true,
            (['*', rest @ ..], _) => simple(rest, name) || (!name.is_empty() && simple(pattern, &name[1..])),
            (['?', rest @ ..], [_, others @ ..]) => simple(rest, others),
            ([p, rest @ ..], [n, others @ ..]) => p == n && simple(rest, others),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn wildcards_match_as_defined(pattern in "[ab*?]{0,8}", name in "[ab]{0,10}") {
            let expected = simple(&pattern.chars().collect::<Vec<_>>(), &name.chars().collect::<Vec<_>>());
            prop_assert_eq!(wildcard_matches(&pattern, &name), expected);
        }
    }
}
