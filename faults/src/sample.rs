//! Random samples of the faults that are possible.

use crate::error::Error;
use crate::fault::{Fault, Model};
use crate::named::named;
use crate::site::Site;
use crate::sites::Sites;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Most faults of a sample; more of them need more memory than a machine has.
pub const MOST_FAULTS: u64 = 100_000_000;

named! {
    /// The models of a sample's faults.
    Models {
        /// [`Model::Flip`].
        Flip "flip",
        /// [`Model::StuckAt0`].
        StuckAt0 "stuck-at-0",
        /// [`Model::StuckAt1`].
        StuckAt1 "stuck-at-1",
        /// Both of these, for each bit.
        StuckAt "stuck-at",
    }
}

impl Models {
    /// One by one.
    pub fn each(self) -> &'static [Model] {
        match self {
            Models::Flip => &[Model::Flip],
            Models::StuckAt0 => &[Model::StuckAt0],
            Models::StuckAt1 => &[Model::StuckAt1],
            Models::StuckAt => &[Model::StuckAt0, Model::StuckAt1],
        }
    }

    /// Cycles from which one is drawn.
    fn cycles(self, golden: u64) -> u64 {
        match self {
            Models::Flip => golden,
            _ => 1,
        }
    }
}

/// A sample, without its size: the population and the seed.
///
/// The population of flips is each bit of the sites that match, in each cycle of the golden run; of stuck-at faults, each
/// bit of these sites, from the first cycle to the end; pins of gates cannot flip. Faults of several bits have their lowest bit where the others fit
/// into the element; sites with fewer bits are left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// The sites, as in [`Sites::matching`].
    pub pattern: String,
    /// The models of the faults.
    pub model: Models,
    /// Neighbouring bits of each fault.
    pub bits: u32,
    /// The seed: another one draws other faults.
    pub seed: u64,
}

/// The bits of a population in order: for each site and model, the number of bits up to its end.
struct Places<'s> {
    ends: Vec<(u64, &'s Site, Model)>,
    /// 1 if cycles are not drawn.
    cycles: u64,
    bits: u32,
}

/// Lowest bits of an element that leave room for `bits`.
fn starts(site: &Site, bits: u32) -> u64 {
    match bits {
        0 => 0,
        _ => u64::from((site.width + 1).saturating_sub(bits)),
    }
}

/// Faults of a model in a site, without their cycles.
fn faults(site: &Site, model: Model, bits: u32) -> u64 {
    match site.has(model) {
        true => starts(site, bits) * u64::from(site.elements),
        false => 0,
    }
}

impl Sample {
    /// Possible faults of one site in a golden run of `cycles`; 0 for a site that does not match.
    pub fn population_of(&self, site: &Site, cycles: u64) -> u128 {
        if !crate::pattern::selects(&self.pattern, site) {
            return 0;
        }
        let models = self.model.each().iter();
        let bits: u64 = models.map(|model| faults(site, *model, self.bits)).sum();
        u128::from(bits) * u128::from(self.model.cycles(cycles))
    }

    /// Possible faults in a golden run of `cycles`.
    ///
    /// # Errors
    /// [`Error::NoSite`] if no site matches, [`Error::Sample`] for more than 2^64 faults.
    pub fn population(&self, sites: &Sites, cycles: u64) -> Result<u64, Error> {
        self.population_in(&self.places(sites, cycles)?)
    }

    fn population_in(&self, places: &Places) -> Result<u64, Error> {
        let bits = places.ends.last().map_or(0, |(end, ..)| *end);
        bits.checked_mul(places.cycles).ok_or_else(|| {
            self.error(format!(
                "{bits} bits in {} cycles are more than 2^64 faults",
                places.cycles
            ))
        })
    }

    fn error(&self, wrong: String) -> Error {
        Error::Sample {
            pattern: self.pattern.clone(),
            wrong,
        }
    }

    fn places<'s>(&self, sites: &'s Sites, cycles: u64) -> Result<Places<'s>, Error> {
        let mut end = 0;
        let mut ends = Vec::new();
        for site in sites.matching(&self.pattern)? {
            for model in self.model.each() {
                // At most twice the bits of all sites.
                end += faults(site, *model, self.bits);
                ends.push((end, site, *model));
            }
        }
        Ok(Places {
            ends,
            cycles: self.model.cycles(cycles),
            bits: self.bits,
        })
    }

    /// Draws `count` different faults, all equally probable, numbered from 0 in the order in which they were drawn. The
    /// first faults of a larger sample are the smaller sample, so a campaign can be extended.
    ///
    /// The random numbers are those of ChaCha with 8 rounds, whose key is the seed in little-endian order and 24 zero bytes:
    /// the same faults on every machine.
    ///
    /// # Errors
    /// [`Error::NoSite`] if no site matches; [`Error::Sample`] for more faults than there are, or than [`MOST_FAULTS`].
    pub fn draw(&self, sites: &Sites, cycles: u64, count: u64) -> Result<Vec<Fault>, Error> {
        let places = self.places(sites, cycles)?;
        let population = self.population_in(&places)?;
        if count > population {
            let wrong = format!("{count} faults are more than its population in {cycles} cycles, {population}");
            return Err(self.error(wrong));
        }
        if count > MOST_FAULTS {
            return Err(self.error(format!("{count} faults; expected at most {MOST_FAULTS}")));
        }
        let drawn = (0..).zip(drawn(self.seed, population, count));
        Ok(drawn.filter_map(|(id, number)| places.fault(id, number)).collect())
    }
}

/// Different numbers below `population`, all equally probable; `count` is at most that.
pub(crate) fn drawn(seed: u64, population: u64, count: u64) -> impl Iterator<Item = u64> {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut random = ChaCha8Rng::from_seed(key);
    // A Fisher-Yates shuffle of all numbers below the population, of which only the exchanged ones are held.
    let mut exchanged: HashMap<u64, u64> = HashMap::new();
    (0..count).map(move |id| {
        let at = id + below(&mut random, population - id);
        let drawn = exchanged.get(&at).copied().unwrap_or(at);
        let first = exchanged.remove(&id).unwrap_or(id);
        exchanged.insert(at, first);
        drawn
    })
}

impl Places<'_> {
    /// The fault with this number in the population; `None` outside.
    fn fault(&self, id: u64, number: u64) -> Option<Fault> {
        let (bit, cycle) = (number / self.cycles, number % self.cycles);
        let at = self.ends.partition_point(|(end, ..)| *end <= bit);
        let (_, site, model) = self.ends.get(at)?;
        let before = at.checked_sub(1).map_or(0, |before| self.ends[before].0);
        let starts = starts(site, self.bits);
        // Both are below counts that are u32.
        let element = u32::try_from((bit - before) / starts).ok()?;
        let lowest = u32::try_from((bit - before) % starts).ok()?;
        Some(Fault {
            id,
            model: *model,
            site: site.name.clone(),
            element,
            bit: lowest,
            bits: self.bits,
            cycle: cycle + 1,
            until: None,
        })
    }
}

/// A number below `n`, which is not 0, all equally probable.
fn below(random: &mut ChaCha8Rng, n: u64) -> u64 {
    // Numbers of the incomplete last multiple of n would prefer small remainders.
    let complete = u64::MAX - u64::MAX % n;
    loop {
        let number = random.next_u64();
        if number < complete {
            return number % n;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sites;
    use std::collections::HashSet;

    fn sample(pattern: &str, model: Models, bits: u32) -> Sample {
        Sample {
            pattern: pattern.into(),
            model,
            bits,
            seed: 1,
        }
    }

    #[test]
    fn pins_of_gates_are_stuck_where_they_stand_for_others() {
        let pins = [[true, true], [false, true], [false, false], [true, false]];
        let pins = (0..)
            .zip(pins)
            .map(|(number, stuck)| Site::pin("sm[0].fetch", format!("sm[0].fetch.and_{number}.A"), number, stuck));
        let sites = Sites::new(pins.collect()).unwrap();
        let all = sample("gate:", Models::StuckAt, 1);
        assert_eq!(all.population(&sites, 100), Ok(4));
        let mut faults: Vec<(String, Model)> = all
            .draw(&sites, 100, 4)
            .unwrap()
            .into_iter()
            .map(|fault| (fault.site, fault.model))
            .collect();
        faults.sort_by_key(|(site, model)| (site.clone(), *model));
        let expected = [
            (0, Model::StuckAt0),
            (0, Model::StuckAt1),
            (1, Model::StuckAt1),
            (3, Model::StuckAt0),
        ];
        assert_eq!(
            faults,
            expected.map(|(number, model)| (format!("sm[0].fetch.and_{number}.A"), model))
        );
        for (models, count) in [(Models::StuckAt0, 2), (Models::StuckAt1, 2), (Models::Flip, 0)] {
            assert_eq!(sample("*", models, 1).population(&sites, 100), Ok(count), "{models}");
        }
    }

    #[test]
    fn population_counts_bits_and_cycles() {
        for (pattern, model, bits, expected) in [
            ("*", Models::Flip, 1, 208_100),
            ("*", Models::StuckAt0, 1, 2_081),
            ("*", Models::StuckAt, 1, 4_162),
            // 15 + 0 + 15 + 31 x 64: the valid bit has no neighbour.
            ("*", Models::StuckAt1, 2, 2_014),
            ("sm[0].fetch", Models::Flip, 1, 1_700),
            ("sm[0].fetch", Models::Flip, 17, 0),
            ("sm[0].fetch", Models::Flip, 0, 0),
        ] {
            let sample = sample(pattern, model, bits);
            let sites = sites();
            assert_eq!(sample.population(&sites, 100), Ok(expected), "{pattern} {model} {bits}");
            let sum: u128 = sites.iter().map(|site| sample.population_of(site, 100)).sum();
            assert_eq!(sum, expected.into());
        }
    }

    #[test]
    fn whole_population_is_drawn_once() {
        for (model, bits, count) in [(Models::Flip, 1, 5_100), (Models::StuckAt0, 3, 14)] {
            let faults = sample("sm[0].fetch", model, bits).draw(&sites(), 300, count).unwrap();
            let places: HashSet<_> = faults
                .iter()
                .map(|fault| (&fault.site, fault.bit, fault.cycle))
                .collect();
            assert_eq!(places.len() as u64, count);
            for (fault, id) in faults.iter().zip(0..) {
                assert_eq!(fault.id, id);
                assert_eq!(fault.check(&sites(), 300), Ok(()));
            }
        }
    }

    #[test]
    fn too_many_faults_name_the_population() {
        let error = sample("sm[0].fetch", Models::StuckAt0, 1)
            .draw(&sites(), 100, 18)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "sample of `sm[0].fetch`: 18 faults are more than its population in 100 cycles, 17"
        );
        let error = sample("*", Models::Flip, 1).draw(&sites(), u64::MAX, 1).unwrap_err();
        assert!(error.to_string().ends_with("are more than 2^64 faults"), "{error}");
        let error = sample("*", Models::Flip, 1)
            .draw(&sites(), 1 << 40, 1 << 40)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "sample of `*`: 1099511627776 faults; expected at most 100000000"
        );
        assert!(sample("*", Models::Flip, 1).draw(&sites(), 0, 1).is_err());
    }

    #[test]
    fn larger_sample_begins_with_the_smaller() {
        let sample = sample("*", Models::Flip, 1);
        let (small, large) = (sample.draw(&sites(), 50, 100), sample.draw(&sites(), 50, 1_000));
        assert_eq!(small.unwrap(), large.unwrap()[..100]);
    }

    #[test]
    fn draws_are_uniform() {
        let faults = sample("*", Models::Flip, 1).draw(&sites(), 1_000, 20_810).unwrap();
        let in_fetch = faults
            .iter()
            .filter(|fault| fault.site.starts_with("sm[0].fetch"))
            .count();
        let early = faults.iter().filter(|fault| fault.cycle <= 250).count();
        // Expected 170 and 5,202, with standard deviations of 13 and 62.
        assert!((130..210).contains(&in_fetch), "{in_fetch}");
        assert!((5_000..5_400).contains(&early), "{early}");
    }

    /// Recorded: other faults would make published campaigns irreproducible.
    #[test]
    fn seed_draws_the_recorded_faults() {
        let faults = sample("*", Models::Flip, 1).draw(&sites(), 100, 3).unwrap();
        assert_eq!(crate::fault::write_list(&faults), include_str!("recorded.csv"));
    }
}
