//! Rows grouped by unit, module or kind, with the sites from which their faults were drawn.

use crate::campaign::plan::Plan;
use crate::results::outcome::Outcome;
use crate::results::row::Row;
use crate::sites::list::Sites;
use crate::sites::site::Site;
use crate::statistics::{faults, share, Confidence, Interval, Population};
use crate::text::error::Error;
use std::collections::BTreeMap;

/// The rows of one unit, module or kind, or of all.
pub(super) struct Group<'r> {
    /// The unit, module or kind.
    pub(super) name: String,
    /// The number of bits of the sites from which faults were drawn; 0 if the faults are not a sample of the circuits.
    pub(super) bits: u64,
    /// The number of possible faults of these sites.
    possible: u64,
    population: Population,
    rows: Vec<&'r Row>,
}

impl<'r> Group<'r> {
    fn new(name: &str, population: Population) -> Group<'r> {
        Group {
            name: name.to_string(),
            bits: 0,
            possible: 0,
            population,
            rows: Vec::new(),
        }
    }

    /// The number of faults with results.
    pub(super) fn faults(&self) -> u64 {
        faults(self.rows.iter().copied())
    }

    /// The number of faults with this outcome.
    pub(super) fn count(&self, outcome: Outcome) -> u64 {
        faults(self.rows.iter().copied().filter(|row| row.outcome == outcome))
    }

    /// The share of faults whose outcome is a hit; `None` without rows.
    pub(super) fn share(&self, hit: impl Fn(Outcome) -> bool, confidence: Confidence) -> Option<Interval> {
        share(&self.rows, self.population.with(self.possible), hit, confidence)
    }
}

/// Groups rows by a key of their sites, in the order of the keys. In a sample of the circuits, sites without rows also
/// have a group.
///
/// # Errors
/// The errors of [`Plan::population`].
pub(super) fn groups<'r>(
    plan: &Plan,
    rows: &'r [Row],
    sites: &Sites,
    of_row: impl Fn(&Row) -> String,
    of_site: impl Fn(&Site) -> String,
) -> Result<Vec<Group<'r>>, Error> {
    let population = plan.population(sites)?;
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for site in sites.iter() {
        let sample = plan.sample.as_ref();
        let possible = sample.map_or(0, |sample| sample.population_of(site, plan.golden_cycles));
        if possible == 0 {
            continue;
        }
        let name = of_site(site);
        let group = groups
            .entry(name)
            .or_insert_with_key(|name| Group::new(name, population));
        group.bits += site.bits();
        let possible = u64::try_from(possible).unwrap_or(u64::MAX);
        group.possible = group.possible.saturating_add(possible);
    }
    for row in rows {
        let name = of_row(row);
        let group = groups
            .entry(name)
            .or_insert_with_key(|name| Group::new(name, population));
        group.rows.push(row);
    }
    Ok(groups.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::wilson;
    use crate::testing::{full_row, plan, row, sites};

    const P95: Confidence = Confidence::P95;

    fn by_module<'r>(plan: &Plan, rows: &'r [Row]) -> Vec<Group<'r>> {
        groups(
            plan,
            rows,
            &sites(),
            |row| row.module.clone(),
            |site| site.module.clone(),
        )
        .unwrap()
    }

    #[test]
    fn modules_without_rows_have_no_share() {
        let rows = [row(0), row(1)];
        let groups = by_module(&plan(2).0, &rows);
        let found: Vec<_> = groups
            .iter()
            .map(|group| (group.name.as_str(), group.bits, group.faults()))
            .collect();
        assert_eq!(
            found,
            [
                ("sm[0].fetch", 17, 2),
                ("sm[0].lane", 16, 0),
                ("sm[0].register_file", 2048, 0)
            ]
        );
        assert_eq!(groups[1].share(Outcome::is_sdc, P95), None);
        assert_eq!(groups[0].share(Outcome::is_sdc, P95), wilson(0, 2, Some(1_700), P95));
    }

    #[test]
    fn sites_outside_the_sample_are_left_out() {
        let (mut plan, _) = plan(2);
        if let Some(sample) = &mut plan.sample {
            sample.pattern = "sm[0].lane".into();
        }
        let groups = by_module(&plan, &[]);
        assert_eq!(groups.iter().map(|group| group.bits).collect::<Vec<_>>(), [16]);
    }

    #[test]
    fn lists_have_the_modules_that_occur() {
        let plan = Plan {
            sample: None,
            ..plan(2).0
        };
        let rows = [row(0)];
        let groups = by_module(&plan, &rows);
        let found: Vec<_> = groups.iter().map(|group| (group.name.as_str(), group.bits)).collect();
        assert_eq!(found, [("sm[0].fetch", 0)]);
        assert_eq!(groups[0].share(Outcome::is_sdc, P95), wilson(0, 1, None, P95));
    }

    #[test]
    fn unequal_weights_give_a_weighted_share() {
        let rows = [row(0), full_row(1)];
        let group = &by_module(&plan(2).0, &rows)[0];
        let found = group.share(Outcome::is_sdc, P95).unwrap();
        assert!((found.share - 25.0 / 26.0).abs() < 1e-12);
        assert_eq!(
            (group.count(Outcome::Masked), group.count(Outcome::SilentCorruption)),
            (1, 25)
        );
    }
}
