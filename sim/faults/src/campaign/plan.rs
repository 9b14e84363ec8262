//! Plans: all the data that makes a campaign repeatable.

use super::sample::Sample;
use crate::fault::{write_list, Fault};
use crate::models::engine::Engine;
use crate::sites::list::Sites;
use crate::statistics::Population;
use crate::text::error::Error;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The version of the plans that this crate reads and writes.
pub const VERSION: u32 = 2;

/// The plan of a campaign, stored as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The version of the format, [`VERSION`].
    pub version: u32,
    /// The engine in which faults are injected; omitted in JSON for the circuits.
    #[serde(default = "circuits", skip_serializing_if = "is_circuits")]
    pub engine: Engine,
    /// The path of the kernel.
    pub kernel: String,
    /// The options with which the kernel runs, opaque to this crate.
    pub options: BTreeMap<String, String>,
    /// The hash of the circuits; empty for the golden model.
    pub circuits: String,
    /// The hash of the golden run's output and records.
    pub golden: String,
    /// The cycles of the golden run; on the golden model, its warp instructions.
    pub golden_cycles: u64,
    /// The number of cycles after which a faulty run counts as a hang.
    pub limit: u64,
    /// The sample that was drawn; `None` for any other list, which allows no statistics of a population.
    pub sample: Option<Sample>,
    /// The number of faults.
    pub count: u64,
    /// SHA-256 of the fault list as CSV, in hexadecimal.
    pub faults: String,
}

fn circuits() -> Engine {
    Engine::Circuits
}

fn is_circuits(engine: &Engine) -> bool {
    *engine == Engine::Circuits
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            version: VERSION,
            engine: Engine::Circuits,
            kernel: String::new(),
            options: BTreeMap::new(),
            circuits: String::new(),
            golden: String::new(),
            golden_cycles: 0,
            limit: 0,
            sample: None,
            count: 0,
            faults: hash(&write_list(&[])),
        }
    }
}

impl Plan {
    /// Sets the count and the hash of the faults.
    pub fn set_faults(&mut self, faults: &[Fault]) {
        self.count = faults.len() as u64;
        self.faults = hash(&write_list(faults));
    }

    /// True if these are the faults given to [`Plan::set_faults`], in the same order.
    pub fn has_faults(&self, faults: &[Fault]) -> bool {
        self.count == faults.len() as u64 && self.faults == hash(&write_list(faults))
    }

    /// The plan as JSON, with a newline at the end.
    ///
    /// # Errors
    /// [`Error::Json`] if it cannot be written as JSON.
    pub fn to_json(&self) -> Result<String, Error> {
        let text = serde_json::to_string_pretty(self);
        text.map(|text| text + "\n").map_err(Error::json("plan"))
    }

    /// Reads a plan. `file` is only used in messages.
    ///
    /// # Errors
    /// [`Error::Contents`] for another version, [`Error::Json`] for malformed JSON or wrong fields.
    pub fn from_json(text: &str, file: &str) -> Result<Plan, Error> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(Error::json(file))?;
        // The version is checked first: errors in the fields of another version would be misleading.
        match value.get("version").map(serde_json::Value::as_u64) {
            Some(version) if version != Some(VERSION.into()) => {
                let found = value.get("version").map(ToString::to_string).unwrap_or_default();
                Err(Error::Contents {
                    file: file.to_string(),
                    wrong: format!("the plan has version {found}; expected {VERSION}"),
                })
            }
            // The list is parsed from the text, not from `value`: only then do errors have a line number.
            _ => serde_json::from_str(text).map_err(Error::json(file)),
        }
    }

    /// The population from which the faults of the plan were drawn.
    ///
    /// # Errors
    /// The errors of [`Sample::population`].
    pub fn population(&self, sites: &Sites) -> Result<Population, Error> {
        let Some(sample) = self.sample.as_ref().filter(|sample| sample.golden_model.is_none()) else {
            return Ok(Population::Unlimited);
        };
        let all = sample.population(sites, self.golden_cycles)?;
        Ok(match sample.classes {
            true => Population::Complete(all),
            false => Population::Finite(all),
        })
    }

    /// The identity of the plan, which each row of the results begins with: the first 16 hexadecimal digits of the
    /// SHA-256 of its JSON. For a sample, the number of faults and their hash are left out, because a sample keeps its
    /// rows when it is extended.
    ///
    /// # Errors
    /// The errors of [`Plan::to_json`].
    pub fn id(&self) -> Result<String, Error> {
        let json = match &self.sample {
            // The sample determines its faults, and a longer sample begins with the same ones.
            Some(_) => Plan {
                count: 0,
                faults: String::new(),
                ..self.clone()
            }
            .to_json()?,
            None => self.to_json()?,
        };
        let mut hash = hash(&json);
        hash.truncate(16);
        Ok(hash)
    }
}

/// The SHA-256 of a text, in hexadecimal.
fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::plan;

    #[test]
    fn json_round_trips() {
        let (plan, _) = plan(4);
        let text = plan.to_json().unwrap();
        assert_eq!(Plan::from_json(&text, "plan.json"), Ok(plan));
    }

    #[test]
    fn hash_is_sha_256() {
        // The first vector of FIPS 180-2.
        assert_eq!(
            hash("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn other_versions_and_fields_are_refused() {
        let text = plan(4).0.to_json().unwrap();
        for (from, to, expected) in [
            (
                "\"version\": 2",
                "\"version\": 1",
                "plan.json: the plan has version 1; expected 2",
            ),
            (
                "\"version\": 2",
                "\"version\": \"x\"",
                "plan.json: the plan has version \"x\"; expected 2",
            ),
            ("\"version\": 2,", "", "plan.json: missing field `version`"),
            (
                "\"kernel\"",
                "\"colonel\"",
                "plan.json: unknown field `colonel`, expected one of",
            ),
            ("}", "", "plan.json: EOF while parsing"),
        ] {
            let message = Plan::from_json(&text.replace(from, to), "plan.json")
                .unwrap_err()
                .to_string();
            assert!(message.starts_with(expected), "{message}");
        }
    }

    #[test]
    fn identity_of_a_list_changes_with_each_fault() {
        let (plan, mut faults) = plan(4);
        let plan = Plan { sample: None, ..plan };
        assert!(plan.has_faults(&faults));
        faults[3].cycle += 1;
        assert!(!plan.has_faults(&faults));
        let mut other = plan.clone();
        other.set_faults(&faults);
        assert_ne!(other.id(), plan.id());
    }

    #[test]
    fn sample_identity_excludes_its_size() {
        let (small, large) = (plan(4).0, plan(40).0);
        assert_eq!(small.id(), large.id());
        let seed = small.sample.clone().map(|sample| crate::Sample { seed: 8, ..sample });
        for other in [
            Plan {
                kernel: "kernels/scan".into(),
                ..small.clone()
            },
            Plan {
                options: BTreeMap::new(),
                ..small.clone()
            },
            Plan {
                circuits: "c2".into(),
                ..small.clone()
            },
            Plan {
                golden: "g2".into(),
                ..small.clone()
            },
            Plan {
                golden_cycles: 101,
                ..small.clone()
            },
            Plan {
                limit: 301,
                ..small.clone()
            },
            Plan {
                sample: seed,
                ..small.clone()
            },
            Plan {
                sample: None,
                ..small.clone()
            },
        ] {
            assert_ne!(other.id(), small.id(), "{other:?}");
        }
    }
}
