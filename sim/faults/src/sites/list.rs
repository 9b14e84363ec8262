//! The sites of a machine.

use super::pattern;
use super::site::{Kind, Site, Storage};
use crate::models::engine::Engine;
use crate::text::error::Error;
use crate::text::names::near;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// The sites of a machine, in the order of the simulation. In JSON: an array of [`Site`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Site>", into = "Vec<Site>")]
pub struct Sites {
    sites: Vec<Site>,
    by_name: HashMap<String, usize>,
    bits: u64,
}

/// The number of sites and bits of a module or kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The module or kind.
    pub name: String,
    /// The number of sites.
    pub sites: u64,
    /// The number of bits of these sites.
    pub bits: u64,
}

impl Sites {
    /// A list of sites in this order.
    ///
    /// # Errors
    /// [`Error::Site`] for a duplicate name, a site without bits, a register or pin with several elements, or more than
    /// 2^64 - 1 bits in total.
    pub fn new(sites: Vec<Site>) -> Result<Sites, Error> {
        let mut by_name = HashMap::with_capacity(sites.len());
        let mut bits: u64 = 0;
        for (number, site) in sites.iter().enumerate() {
            let error = |wrong: &str| Error::Site {
                name: site.name.clone(),
                wrong: wrong.to_string(),
            };
            if site.bits() == 0 {
                return Err(error("has no bits; expected a width and elements of at least 1"));
            }
            if matches!(site.storage, Storage::Register | Storage::Gate) && site.elements != 1 {
                let wrong = format!("is a {} with several elements; expected 1", site.storage);
                return Err(error(&wrong));
            }
            if by_name.insert(site.name.clone(), number).is_some() {
                return Err(error("occurs twice"));
            }
            bits = bits
                .checked_add(site.bits())
                .ok_or_else(|| error("all sites up to here have more than 2^64 bits"))?;
        }
        Ok(Sites { sites, by_name, bits })
    }

    /// The sites in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Site> {
        self.sites.iter()
    }

    /// The number of sites.
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// True if there are no sites.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// The engine that has the sites; the circuits if there are none.
    pub fn engine(&self) -> Engine {
        self.sites.first().map_or(Engine::Circuits, Site::engine)
    }

    /// The number of bits of all sites.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    /// Finds a site by its name.
    ///
    /// # Errors
    /// [`Error::NoSite`] with similar names.
    pub fn find(&self, name: &str) -> Result<&Site, Error> {
        match self.by_name.get(name) {
            Some(&number) => Ok(&self.sites[number]),
            None => Err(self.no_site(name, name)),
        }
    }

    /// The sites that a pattern selects, in order; at least one. A pattern has one or more alternatives separated by
    /// commas; blanks around them and after a colon are ignored.
    ///
    /// - A path selects its site and all sites below it. With `*`, which matches any text, dots included, or `?`, which
    ///   matches one character, it selects the sites whose whole path matches.
    /// - A leading kind with a colon restricts the alternative to sites of this storage (`register:`, `memory:`,
    ///   `gate:`) or purpose (`control:`, `data:`, `address:`, `architectural:`); without a path, it selects all of
    ///   them.
    /// - A leading `!` excludes the sites, regardless of the other alternatives. A pattern of exclusions only selects
    ///   all other sites: `register:,!cycle_counter,!events[0]` selects all registers except these two.
    ///
    /// # Errors
    /// [`Error::Pattern`] for an empty alternative, an unknown kind, or exclusions of all sites; [`Error::NoSite`] with
    /// similar names for an alternative that matches no site.
    pub fn matching(&self, pattern: &str) -> Result<Vec<&Site>, Error> {
        for alternative in pattern::alternatives(pattern) {
            alternative.check(pattern, self.engine())?;
            if !self.iter().any(|site| alternative.matches(site)) {
                return Err(self.no_site(alternative.text, alternative.path));
            }
        }
        let found: Vec<&Site> = self.iter().filter(|site| pattern::selects(pattern, site)).collect();
        match found.is_empty() {
            true => Err(Error::Pattern {
                pattern: pattern.to_string(),
                wrong: "all of its sites are excluded; expected to leave at least one".into(),
            }),
            false => Ok(found),
        }
    }

    fn no_site(&self, pattern: &str, path: &str) -> Error {
        // Modules are also candidates: a misspelt module is nearer to the right module than to any of its sites.
        let names = self.iter().flat_map(|site| [site.name.as_str(), site.module.as_str()]);
        Error::NoSite {
            pattern: pattern.to_string(),
            near: near(path, names.filter(|name| !name.is_empty())),
        }
    }

    /// The number of sites and bits of each module, by name.
    pub fn by_module(&self) -> Vec<Count> {
        let modules = self.iter().map(|site| (site.module.as_str(), site));
        counts(modules).into_iter().map(named_count).collect()
    }

    /// The number of sites and bits of each kind, in the order of [`Kind::ALL`]; kinds without sites included.
    pub fn by_kind(&self) -> Vec<Count> {
        let mut counts = counts(self.iter().map(|site| (site.kind, site)));
        for kind in Kind::ALL.iter().filter(|kind| kind.engine() == self.engine()) {
            counts.entry(*kind).or_default();
        }
        counts.into_iter().map(named_count).collect()
    }

    /// The counts by kind and by module as a table for a terminal.
    pub fn counts_text(&self) -> String {
        let total = Count {
            name: "all".into(),
            sites: self.len() as u64,
            bits: self.bits,
        };
        let parts = [
            ("kind", self.by_kind()),
            ("module", self.by_module()),
            ("total", vec![total]),
        ];
        let names = parts
            .iter()
            .flat_map(|(_, counts)| counts)
            .map(|count| count.name.len());
        let width = names.max().unwrap_or(0).max("module".len());
        let mut text = String::new();
        for (title, counts) in &parts {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{title:width$} {:>9} {:>12}", "sites", "bits");
            for Count { name, sites, bits } in counts {
                let _ = writeln!(text, "{name:width$} {sites:>9} {bits:>12}");
            }
        }
        text
    }
}

/// Counts sites and bits by a key.
fn counts<'s, K: Ord>(sites: impl Iterator<Item = (K, &'s Site)>) -> BTreeMap<K, (u64, u64)> {
    let mut counts = BTreeMap::new();
    for (key, site) in sites {
        let (sites, bits) = counts.entry(key).or_insert((0, 0));
        *sites += 1;
        *bits += site.bits();
    }
    counts
}

fn named_count((name, (sites, bits)): (impl ToString, (u64, u64))) -> Count {
    Count {
        name: name.to_string(),
        sites,
        bits,
    }
}

impl TryFrom<Vec<Site>> for Sites {
    type Error = Error;

    fn try_from(sites: Vec<Site>) -> Result<Sites, Error> {
        Sites::new(sites)
    }
}

impl From<Sites> for Vec<Site> {
    fn from(sites: Sites) -> Vec<Site> {
        sites.sites
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sites;

    #[test]
    fn json_round_trips() {
        let text = serde_json::to_string(&sites()).unwrap();
        assert!(text.starts_with(
            r#"[{"name":"sm[0].fetch.pc","module":"sm[0].fetch","kind":"address","storage":"register","number":0,"width":16,"elements":1}"#
        ));
        assert_eq!(serde_json::from_str::<Sites>(&text).unwrap(), sites());
    }

    #[test]
    fn impossible_sites_are_refused() {
        for (list, expected) in [
            (vec![Site::new("a", Storage::Register, 0, 0, 1)], "has no bits"),
            (vec![Site::new("a", Storage::Register, 0, 4, 2)], "several elements"),
            (vec![Site::new("a", Storage::Register, 0, 4, 1); 2], "occurs twice"),
        ] {
            let message = Sites::new(list.clone()).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
            let json = serde_json::to_string(&list).unwrap();
            assert!(serde_json::from_str::<Sites>(&json).is_err());
        }
    }

    #[test]
    fn unknown_pattern_names_near_sites_and_modules() {
        let message = sites().matching("sm[0].fecth").unwrap_err().to_string();
        assert!(
            message.starts_with("no site matches `sm[0].fecth`; did you mean `sm[0].fetch`"),
            "{message}"
        );
        let message = sites().find("sm[0].fetch.pd").unwrap_err().to_string();
        assert!(message.contains("did you mean `sm[0].fetch.pc`"), "{message}");
    }

    #[test]
    fn each_alternative_must_have_a_meaning() {
        for (pattern, expected) in [
            ("", "pattern ``: an empty alternative"),
            ("sm[0],", "pattern `sm[0],`: an empty alternative"),
            ("sm[0],,memory:", "an empty alternative"),
            ("sm[0],!", "an empty alternative"),
            (
                "sm[0], registers:",
                "pattern `sm[0], registers:`: `registers:` is not a kind; \
                 expected register, memory, gate, control, data, address or architectural",
            ),
            (":sm[0]", "`:` is not a kind"),
            (
                "sm[0], sm[0].fecth",
                "no site matches `sm[0].fecth`; did you mean `sm[0].fetch`",
            ),
            (
                "*,!sm[0].fetch.pd",
                "no site matches `!sm[0].fetch.pd`; did you mean `sm[0].fetch.pc`",
            ),
            ("memory:sm[0].fetch", "no site matches `memory:sm[0].fetch`"),
            (
                "sm[0].fetch,!sm[0]",
                "pattern `sm[0].fetch,!sm[0]`: all of its sites are excluded",
            ),
        ] {
            let message = sites().matching(pattern).unwrap_err().to_string();
            assert!(message.contains(expected), "{pattern}: {message}");
        }
    }

    #[test]
    fn exclusions_leave_the_others() {
        let sites = sites();
        let names = |pattern: &str| -> Vec<String> {
            let found = sites.matching(pattern).unwrap();
            found.into_iter().map(|site| site.name.clone()).collect()
        };
        assert_eq!(names("register: , !sm[0].lane, ! *.valid"), ["sm[0].fetch.pc"]);
        assert_eq!(names("!register:"), ["sm[0].register_file.bank[0]"]);
    }

    #[test]
    fn counts_add_up() {
        let sites = sites();
        for counts in [sites.by_kind(), sites.by_module()] {
            assert_eq!(counts.iter().map(|count| count.bits).sum::<u64>(), sites.bits());
            assert_eq!(counts.iter().map(|count| count.sites).sum::<u64>(), sites.len() as u64);
        }
        assert!(
            sites
                .counts_text()
                .ends_with("all                         4         2081\n"),
            "{}",
            sites.counts_text()
        );
        assert!(Sites::default().counts_text().contains("all"));
    }
}
