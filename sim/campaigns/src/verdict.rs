//! The verdict on a fault: the outcome of its run, compared with the golden run.

use super::writers::Owners;
use flexgrip_engines::error::RunError;
use flexgrip_engines::files::expectation::Comparison;
use flexgrip_engines::outcome::RunReport;
use flexgrip_engines::trace::ending::Ending;
use flexgrip_faults::{FirstRecord, Outcome};
use flexgrip_machine::{ErrorKind, KernelError};
use flexgrip_model::differing_blocks;
use std::collections::BTreeMap;

/// The error code of a machine that violates the protocol of its ports.
pub const PROTOCOL: &str = "PROTOCOL";

/// The verdict on a fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The outcome of the run.
    pub outcome: Outcome,
    /// The name of the error with which the machine stopped.
    pub code: Option<String>,
    /// The cycles of the run, if it completed.
    pub cycles: Option<u64>,
    /// The damage to global memory.
    pub damage: Damage,
    /// The first record that differs from the golden run.
    pub first_record: Option<FirstRecord>,
    /// The cycle of the first store that differs from the golden run.
    pub first_store: Option<u64>,
}

/// The differences in the words that a run leaves in global memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Damage {
    /// The number of words that differ.
    pub words: u64,
    /// The number of bits that differ.
    pub bits: u64,
    /// The bit positions that differ in any of these words.
    pub positions: u32,
    /// The number of these words that are 0.
    pub zeros: u64,
    /// The number of these words that are floats and NaNs.
    pub nans: u64,
    /// The threads that had stored them last in the golden run.
    pub owners: Owners,
    /// The largest relative error, |faulty - golden| / |golden|.
    pub relative_error: Option<f64>,
    /// The arrangement of these words.
    pub geometry: Option<&'static str>,
    /// The word addresses of these words, ascending.
    pub places: Vec<u32>,
}

impl Damage {
    /// Sums up words, in ascending order, each given as its address, the golden value and the faulty value. `floats`
    /// are the words that are floats, each with its tolerance in units in the last place; other words are signed
    /// numbers.
    pub fn of(words: impl Iterator<Item = (u32, u32, u32)>, floats: &BTreeMap<u32, u32>) -> Self {
        let mut damage = Damage::default();
        for (place, golden, faulty) in words {
            let float = floats.get(&place);
            let is_near = float.filter(|ulp| **ulp > 0).is_some_and(|&ulp| {
                let comparison = Comparison::Float { ulp, absolute: 0.0 };
                comparison.accepts(golden, faulty)
            });
            if is_near {
                continue;
            }
            damage.words += 1;
            damage.bits += u64::from((golden ^ faulty).count_ones());
            damage.positions |= golden ^ faulty;
            damage.zeros += u64::from(faulty == 0);
            damage.nans += u64::from(float.is_some() && f32::from_bits(faulty).is_nan());
            let number = |word: u32| match float.is_some() {
                true => f32::from_bits(word).into(),
                false => f64::from(word as i32),
            };
            let (golden, faulty) = (number(golden), number(faulty));
            let error = ((faulty - golden) / golden).abs();
            let larger = damage
                .relative_error
                .is_none_or(|largest| error > largest || error.is_nan());
            if larger && !damage.relative_error.is_some_and(f64::is_nan) {
                damage.relative_error = Some(error);
            }
            damage.places.push(place);
        }
        let ends = damage.places.first().zip(damage.places.last());
        damage.geometry = ends.map(|(first, last)| match u64::from(last - first) + 1 {
            1 => "single",
            span if span == damage.words => "row",
            _ if first / 32 == last / 32 => "warp",
            _ => "scattered",
        });
        damage
    }
}

/// A run without a fault.
pub struct Golden {
    /// The report of the run.
    pub report: RunReport,
    /// The cycles from start to done.
    pub cycles: u64,
    /// The cycles from the start of the grid's first cycle to the machine's interrupt.
    pub ended: u64,
    /// The float words; see [`Setup`](super::bench::Setup).
    pub floats: BTreeMap<u32, u32>,
    /// The final state of the circuits.
    pub state: Vec<u64>,
}

impl Golden {
    /// The verdict on a whole run. `ended` is the number of cycles from the grid's first cycle to the machine's
    /// interrupt; `state` is the state of the circuits after the run.
    ///
    /// # Errors
    /// The run could not be made, or was interrupted.
    pub fn judge(&self, run: Result<RunReport, RunError>, ended: u64, state: &[u64]) -> Result<Verdict, RunError> {
        let report = match run {
            Ok(report) => report,
            Err(RunError::Bench(_)) => return Ok(Verdict::detected(PROTOCOL)),
            Err(error) => return Err(error),
        };
        match report.ending {
            Ending::Complete => {}
            Ending::Failed(error) => return Verdict::failed(error),
            Ending::Stopped | Ending::OutOfTime(_) => return Err(RunError::Bench("the run was stopped".into())),
        }
        let damage = Damage::of(differences(&self.report.global, &report.global), &self.floats);
        // The cycles are counted up to the interrupt, because the machine's own counter may be faulty.
        let cycles = (self.cycles + ended).saturating_sub(self.ended);
        Ok(self.complete(cycles, damage, state == self.state))
    }

    /// The verdict on a completed run. `is_same` is true if the final state of the circuits equals the golden run's.
    pub(super) fn complete(&self, cycles: u64, damage: Damage, is_same: bool) -> Verdict {
        let outcome = match damage.words {
            0 if cycles != self.cycles => Outcome::MaskedOtherCycles,
            0 if !is_same => Outcome::Latent,
            0 => Outcome::Masked,
            _ => Outcome::SilentCorruption,
        };
        Verdict {
            cycles: Some(cycles),
            damage,
            ..Verdict::new(outcome)
        }
    }
}

/// The words that differ in two memories: the index, the word of `golden` and the word of `faulty`.
fn differences<'a>(golden: &'a [u32], faulty: &'a [u32]) -> impl Iterator<Item = (u32, u32, u32)> + 'a {
    const BLOCK: usize = 1024;
    differing_blocks(golden, faulty, BLOCK).flat_map(|first| {
        let words = golden[first..].iter().zip(&faulty[first..]).take(BLOCK);
        let words = (first as u32..)
            .zip(words)
            .filter(|(_, (golden, faulty))| golden != faulty);
        words.map(|(place, (golden, faulty))| (place, *golden, *faulty))
    })
}

impl Verdict {
    pub(super) fn new(outcome: Outcome) -> Self {
        Verdict {
            outcome,
            code: None,
            cycles: None,
            damage: Damage::default(),
            first_record: None,
            first_store: None,
        }
    }

    /// The verdict on a machine that stopped with an error code or violated the protocol of its ports.
    pub(super) fn detected(code: &str) -> Self {
        Verdict {
            code: Some(code.into()),
            ..Verdict::new(Outcome::Detected)
        }
    }

    /// The verdict on a run in which the kernel failed.
    pub(super) fn failed(error: KernelError) -> Result<Self, RunError> {
        match (error.kind, error.kind.name()) {
            (ErrorKind::Endless { .. }, _) => Ok(Verdict::new(Outcome::Hang)),
            (_, Some(name)) => Ok(Verdict::detected(name)),
            (_, None) => Err(RunError::Kernel(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_memories_are_found_in_every_block() {
        let golden: Vec<u32> = (0..5000).collect();
        let mut faulty = golden.clone();
        let places = [0, 1023, 1024, 3000, 4096, 4999];
        for place in places {
            faulty[place as usize] = 7000;
        }
        let expected: Vec<_> = places.iter().map(|&place| (place, place, 7000)).collect();
        assert_eq!(differences(&golden, &faulty).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn damage_is_summed_up() {
        let one = 1f32.to_bits();
        let floats: BTreeMap<u32, u32> = (0..64).map(|place| (place, 0)).collect();
        let of = |words: &[(u32, u32, u32)]| Damage::of(words.iter().copied(), &floats);
        let damage = of(&[(7, one, 1.5f32.to_bits())]);
        assert_eq!((damage.words, damage.bits, damage.positions), (1, 1, 1 << 22));
        let special = of(&[(0, one, 0), (1, one, f32::NAN.to_bits()), (70, 1, f32::NAN.to_bits())]);
        // The last one is an integer.
        assert_eq!(
            (special.zeros, special.nans, special.positions),
            (1, 1, 0x7fc0_0001 | one)
        );
        assert_eq!((damage.relative_error, damage.geometry), (Some(0.5), Some("single")));
        assert_eq!(of(&[(7, one, 0), (8, one, 0)]).geometry, Some("row"));
        assert_eq!(of(&[(0, one, 0), (31, one, 0)]).geometry, Some("warp"));
        assert_eq!(of(&[(31, one, 0), (33, one, 0)]).geometry, Some("scattered"));
        assert_eq!(of(&[]), Damage::default());
        let nan = of(&[(0, one, f32::NAN.to_bits()), (1, one, 0)]).relative_error;
        assert!(nan.is_some_and(f64::is_nan));
        let infinite = of(&[(0, 0, one)]).relative_error;
        assert_eq!(infinite, Some(f64::INFINITY));
        let whole = Damage::of([(0, 4, -4i32 as u32)].into_iter(), &BTreeMap::new()).relative_error;
        assert_eq!(whole, Some(2.0));
        // Floats within two units in the last place are right; integers must be equal.
        let near: BTreeMap<u32, u32> = [(0, 2), (1, 2)].into();
        let damage = Damage::of(
            [(0, one, one + 2), (1, one, one - 3), (2, one, one + 1)].into_iter(),
            &near,
        );
        assert_eq!((damage.words, damage.geometry), (2, Some("row")));
    }
}
