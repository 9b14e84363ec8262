//! Patterns for sites: alternatives separated by commas, such as `register:sm[0],!*.pc`.

use super::site::{Kind, Site, Storage};
use crate::models::engine::Engine;
use crate::text::error::Error;
use crate::text::names::one_of;

/// An alternative of a pattern. Blanks around its parts are ignored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alternative<'p> {
    /// The text, without surrounding blanks.
    pub(crate) text: &'p str,
    /// True for an alternative with a leading `!`, which excludes its sites.
    pub(crate) excludes: bool,
    /// The kind of storage or purpose before a colon.
    kind: Option<&'p str>,
    /// The path; empty for all sites of a kind.
    pub(crate) path: &'p str,
}

/// The alternatives of a pattern, at least one for any text; [`Alternative::check`] rejects malformed ones.
pub(crate) fn alternatives(pattern: &str) -> impl Iterator<Item = Alternative<'_>> {
    pattern.split(',').map(|text| {
        let text = text.trim();
        let rest = text.strip_prefix('!');
        let (kind, path) = match rest.unwrap_or(text).split_once(':') {
            Some((kind, path)) => (Some(kind), path),
            None => (None, rest.unwrap_or(text)),
        };
        Alternative {
            text,
            excludes: rest.is_some(),
            kind: kind.map(str::trim),
            path: path.trim(),
        }
    })
}

impl Alternative<'_> {
    /// # Errors
    /// [`Error::Pattern`] for an alternative without kind and path, and for a kind that the engine does not have.
    pub(crate) fn check(&self, pattern: &str, engine: Engine) -> Result<(), Error> {
        let error = |wrong: String| {
            Err(Error::Pattern {
                pattern: pattern.to_string(),
                wrong,
            })
        };
        let kinds = || {
            let storages = Storage::ALL.iter().filter(|storage| storage.engine() == engine);
            let kinds = Kind::ALL.iter().filter(|kind| kind.engine() == engine);
            storages
                .map(|storage| storage.name())
                .chain(kinds.map(|kind| kind.name()))
        };
        match self.kind {
            None if self.path.is_empty() => {
                error("an empty alternative; expected a path or a kind on each side of a comma".into())
            }
            Some(kind) if !kinds().any(|known| known == kind) => {
                let known: Vec<&str> = kinds().collect();
                error(format!("`{kind}:` is not a kind; expected {}", one_of(&known)))
            }
            _ => Ok(()),
        }
    }

    /// True if the path matches a name. An alternative with a kind never matches.
    pub(crate) fn matches_name(&self, name: &str) -> bool {
        self.kind.is_none() && matches(self.path, name)
    }

    /// True if the site matches both the kind and the path.
    pub(crate) fn matches(&self, site: &Site) -> bool {
        match self.kind {
            Some(kind) => {
                let is_of = [site.storage.name(), site.kind.name()].contains(&kind);
                is_of && (self.path.is_empty() || matches(self.path, &site.name))
            }
            None => matches(self.path, &site.name),
        }
    }
}

/// True if a pattern selects a site: no excluding alternative matches, and either another one matches or all of them
/// exclude.
pub(crate) fn selects(pattern: &str, site: &Site) -> bool {
    selects_by(pattern, |alternative| alternative.matches(site))
}

/// Like [`selects`], with the match decided by `is_match`.
pub(crate) fn selects_by(pattern: &str, is_match: impl Fn(&Alternative) -> bool) -> bool {
    let mut selected = None;
    for alternative in alternatives(pattern) {
        match (alternative.excludes, is_match(&alternative)) {
            (true, true) => return false,
            (true, false) => {}
            (false, matches) => selected = Some(selected.unwrap_or(false) || matches),
        }
    }
    // A pattern with exclusions only selects all other sites.
    selected.unwrap_or(true)
}

/// True if `name` matches `pattern`. `*` matches any text, dots included, `?` one character; brackets are literal,
/// because the names have indices. A pattern without `*` and `?` matches the name itself and all names below it:
/// `sm[0].lane` matches `sm[0].lane.sum` and `sm[0].lane[3].sum`.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
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
    // The position after the latest `*`, and the first character of the name that this `*` does not consume.
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
            // The latest `*` consumes one character more. Earlier ones need no backtracking: the latest one reaches the
            // same matches.
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
        use crate::sites::site::Storage;
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
            (" sm[1] ,\tsm[0].fetch , sm[2]", (true, false)),
            (" memory: sm[0]", (false, true)),
            ("memory : sm[0]", (false, true)),
            ("!sm[0].fetch", (false, true)),
            ("! memory:", (true, false)),
            ("!memory:,!*.pc", (false, false)),
            ("sm[0],!*.pc", (false, true)),
            ("! *.pc , sm[0]", (false, true)),
            ("register:,!sm[1]", (true, false)),
            ("", (false, false)),
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

    /// The definition of a match, by recursion.
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
