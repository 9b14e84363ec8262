//! Random samples of the possible faults.

use crate::fault::Fault;
use crate::models::engine::Engine;
use crate::models::law::PowerLaw;
use crate::models::model::Model;
use crate::models::parameters::Parameters;
use crate::sites::list::Sites;
use crate::sites::site::Site;
use crate::text::error::Error;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// The largest number of faults in a sample, limited by the memory that they need.
pub const MOST_FAULTS: u64 = 100_000_000;

/// The models of a sample's faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Models {
    /// A single model.
    Of(Model),
    /// Both stuck-at models, each applied to each bit.
    StuckAt,
}

/// The name of [`Models::StuckAt`].
const STUCK_AT: &str = "stuck-at";

impl Models {
    /// The single models.
    pub fn each(self) -> Vec<Model> {
        match self {
            Models::Of(model) => vec![model],
            Models::StuckAt => vec![Model::StuckAt0, Model::StuckAt1],
        }
    }

    /// The engine of these models.
    pub fn engine(self) -> Engine {
        match self {
            Models::Of(model) => model.engine(),
            Models::StuckAt => Engine::Circuits,
        }
    }

    /// The number of cycles among which a fault's cycle is drawn.
    fn cycles(self, golden: u64) -> u64 {
        match self {
            Models::Of(Model::Flip) => golden,
            _ => 1,
        }
    }
}

impl From<Model> for Models {
    fn from(model: Model) -> Self {
        Models::Of(model)
    }
}

impl fmt::Display for Models {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Models::Of(model) => model.fmt(formatter),
            Models::StuckAt => formatter.pad(STUCK_AT),
        }
    }
}

impl FromStr for Models {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            STUCK_AT => Ok(Models::StuckAt),
            _ => text.parse().map(Models::Of).map_err(|error| match error {
                Error::Name { found, expected, near } => Error::Name {
                    found,
                    near,
                    expected: format!("{STUCK_AT}, {expected}"),
                },
                other => other,
            }),
        }
    }
}

impl TryFrom<String> for Models {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<Models> for String {
    fn from(models: Models) -> Self {
        models.to_string()
    }
}

/// A sample, without its size: the population and the seed.
///
/// The population of flips is each bit of the matching sites in each cycle of the golden run. The population of
/// stuck-at faults is each bit of these sites, from the first cycle to the end. Pins of gates cannot flip. A fault of
/// several bits lies entirely inside the element; narrower sites are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// The pattern of the sites, for [`Sites::matching`].
    pub pattern: String,
    /// The models of the faults.
    pub model: Models,
    /// The number of adjacent bits of each fault.
    pub bits: u32,
    /// The seed of the random numbers.
    pub seed: u64,
    /// True if the list covers the whole population with one fault for each class of equivalent flips, weighted by the
    /// size of the class.
    #[serde(default, skip_serializing_if = "is_false")]
    pub classes: bool,
    /// Further parameters of samples of the golden model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub golden_model: Option<OfGoldenModel>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A sample of faults in instructions. The population is every thread instruction to which the model applies. One is
/// drawn uniformly, with replacement, and then the rest of its fault. The golden model draws them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfGoldenModel {
    /// The number of thread instructions in the population.
    pub thread_instructions: u64,
    /// True for faults that stay to the end, in the unit of the drawn instruction. Other faults affect only this
    /// instruction.
    pub permanent: bool,
    /// The number of faulty threads of the warp.
    pub threads: u32,
    /// The power laws of relative errors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub laws: Vec<PowerLaw>,
}

/// The bits of a population in order: for each site and model, the cumulative number of bits.
struct Places<'s> {
    ends: Vec<(u64, &'s Site, Model)>,
    /// The number of cycles to draw from; 1 if cycles are not drawn.
    cycles: u64,
    bits: u32,
}

/// The number of possible lowest bits in an element for a fault of `bits` bits.
fn starts(site: &Site, bits: u32) -> u64 {
    match bits {
        0 => 0,
        _ => u64::from((site.width + 1).saturating_sub(bits)),
    }
}

/// The number of faults of a model in a site, in a single cycle.
fn faults(site: &Site, model: Model, bits: u32) -> u64 {
    match site.has(model) {
        true => starts(site, bits) * u64::from(site.elements),
        false => 0,
    }
}

impl Sample {
    /// The random number generator: ChaCha with 8 rounds, keyed with the seed in little-endian order and 24 zero bytes.
    pub fn random(&self) -> ChaCha8Rng {
        random(self.seed)
    }

    /// The number of possible faults of one site in a golden run of `cycles`; 0 for a site that does not match, and on
    /// the golden model.
    pub fn population_of(&self, site: &Site, cycles: u64) -> u128 {
        if self.golden_model.is_some() || !crate::sites::pattern::selects(&self.pattern, site) {
            return 0;
        }
        let models = self.model.each().into_iter();
        let bits: u64 = models.map(|model| faults(site, model, self.bits)).sum();
        u128::from(bits) * u128::from(self.model.cycles(cycles))
    }

    /// The number of possible faults in a golden run of `cycles`.
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

    /// An error about this sample.
    pub fn error(&self, wrong: String) -> Error {
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
                // No overflow: the sum is at most twice the bits of all sites.
                end += faults(site, model, self.bits);
                ends.push((end, site, model));
            }
        }
        Ok(Places {
            ends,
            cycles: self.model.cycles(cycles),
            bits: self.bits,
        })
    }

    /// Draws `count` different faults of the circuits, uniformly, numbered from 0 in the order in which they were
    /// drawn. A larger sample begins with the faults of the smaller one, so a campaign can be extended.
    ///
    /// The random numbers come from [`Sample::random`], so they are the same on every machine.
    ///
    /// # Errors
    /// [`Error::NoSite`] if no site matches; [`Error::Sample`] for more faults than possible, or more than
    /// [`MOST_FAULTS`].
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

fn random(seed: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}

/// Different numbers below `population`, drawn uniformly; `count` is at most `population`.
pub(crate) fn drawn(seed: u64, population: u64, count: u64) -> impl Iterator<Item = u64> {
    let mut random = random(seed);
    // A Fisher-Yates shuffle of all numbers below the population that only stores the exchanged ones.
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
    /// The fault with this number in the population; `None` if it is too large.
    fn fault(&self, id: u64, number: u64) -> Option<Fault> {
        let (bit, cycle) = (number / self.cycles, number % self.cycles);
        let at = self.ends.partition_point(|(end, ..)| *end <= bit);
        let (_, site, model) = self.ends.get(at)?;
        let before = at.checked_sub(1).map_or(0, |before| self.ends[before].0);
        let starts = starts(site, self.bits);
        // Both are less than counts of type u32.
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
            parameters: Parameters::default(),
            weight: 1,
        })
    }
}

/// A uniform random number below `n`, which is not 0.
pub fn below(random: &mut ChaCha8Rng, n: u64) -> u64 {
    // Without rejection, the incomplete last multiple of n would favour small remainders.
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

    fn sample(pattern: &str, model: impl Into<Models>, bits: u32) -> Sample {
        Sample {
            pattern: pattern.into(),
            model: model.into(),
            bits,
            seed: 1,
            golden_model: None,
            classes: false,
        }
    }

    #[test]
    fn each_bit_has_two_stuck_at_faults() {
        let both = sample("*", Models::StuckAt, 1);
        assert_eq!(both.population(&sites(), 100), Ok(4_162));
        let faults = both.draw(&sites(), 100, 4_162).unwrap();
        let ones = faults.iter().filter(|fault| fault.model == Model::StuckAt1);
        assert_eq!(ones.count(), 2_081);
        for name in ["stuck-at", "stuck-at-1", "flip"] {
            assert_eq!(name.parse::<Models>().unwrap().to_string(), name);
        }
        let error = "stuck".parse::<Models>().unwrap_err().to_string();
        assert!(error.contains("expected stuck-at, flip, stuck-at-0,"), "{error}");
    }

    #[test]
    fn pins_are_stuck_only_at_listed_values() {
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
        for (models, count) in [(Model::StuckAt0, 2), (Model::StuckAt1, 2), (Model::Flip, 0)] {
            assert_eq!(sample("*", models, 1).population(&sites, 100), Ok(count), "{models}");
        }
    }

    #[test]
    fn population_counts_bits_and_cycles() {
        for (pattern, model, bits, expected) in [
            ("*", Model::Flip, 1, 208_100),
            ("*", Model::StuckAt0, 1, 2_081),
            // 15 + 0 + 15 + 31 x 64: the valid bit has no adjacent bit.
            ("*", Model::StuckAt1, 2, 2_014),
            ("sm[0].fetch", Model::Flip, 1, 1_700),
            ("sm[0].fetch", Model::Flip, 17, 0),
            ("sm[0].fetch", Model::Flip, 0, 0),
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
        for (model, bits, count) in [(Model::Flip, 1, 5_100), (Model::StuckAt0, 3, 14)] {
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
        let error = sample("sm[0].fetch", Model::StuckAt0, 1)
            .draw(&sites(), 100, 18)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "sample of `sm[0].fetch`: 18 faults are more than its population in 100 cycles, 17"
        );
        let error = sample("*", Model::Flip, 1).draw(&sites(), u64::MAX, 1).unwrap_err();
        assert!(error.to_string().ends_with("are more than 2^64 faults"), "{error}");
        let error = sample("*", Model::Flip, 1)
            .draw(&sites(), 1 << 40, 1 << 40)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "sample of `*`: 1099511627776 faults; expected at most 100000000"
        );
        assert!(sample("*", Model::Flip, 1).draw(&sites(), 0, 1).is_err());
    }

    #[test]
    fn larger_sample_begins_with_the_smaller() {
        let sample = sample("*", Model::Flip, 1);
        let (small, large) = (sample.draw(&sites(), 50, 100), sample.draw(&sites(), 50, 1_000));
        assert_eq!(small.unwrap(), large.unwrap()[..100]);
    }

    #[test]
    fn draws_are_uniform() {
        let faults = sample("*", Model::Flip, 1).draw(&sites(), 1_000, 20_810).unwrap();
        let in_fetch = faults
            .iter()
            .filter(|fault| fault.site.starts_with("sm[0].fetch"))
            .count();
        let early = faults.iter().filter(|fault| fault.cycle <= 250).count();
        // Expected 170 and 5,202, with standard deviations of 13 and 62.
        assert!((130..210).contains(&in_fetch), "{in_fetch}");
        assert!((5_000..5_400).contains(&early), "{early}");
    }

    /// Pins the recorded faults of a seed: if they change, published campaigns cannot be reproduced.
    #[test]
    fn seed_draws_the_recorded_faults() {
        let faults = sample("*", Model::Flip, 1).draw(&sites(), 100, 3).unwrap();
        assert_eq!(crate::fault::write_list(&faults), include_str!("recorded.csv"));
    }
}
