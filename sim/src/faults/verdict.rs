//! What a fault has done: the outcome of a run, compared with the golden one.

use crate::engines::error::RunError;
use crate::engines::outcome::RunReport;
use crate::files::expectation::Comparison;
use crate::trace::ending::Ending;
use flexgrip_faults::{FirstRecord, Outcome};
use flexgrip_machine::{ErrorKind, KernelError};
use std::collections::BTreeMap;

/// The name of the error of a machine that breaks the rules of its ports.
pub const PROTOCOL: &str = "PROTOCOL";

/// What a fault has done.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The outcome.
    pub outcome: Outcome,
    /// The error's name, if the machine has stopped with one.
    pub code: Option<String>,
    /// Cycles of the run, if it has completed.
    pub cycles: Option<u64>,
    /// What is wrong in global memory.
    pub damage: Damage,
    /// The first record that differs.
    pub first_record: Option<FirstRecord>,
    /// The cycle of the first store that differs.
    pub first_store: Option<u64>,
}

/// What differs in the words that a run leaves in global memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Damage {
    /// Words that differ.
    pub words: u64,
    /// Bits that differ.
    pub bits: u64,
    /// The largest relative error, |faulty - golden| / |golden|.
    pub relative_error: Option<f64>,
    /// How they lie.
    pub geometry: Option<&'static str>,
    /// The numbers of the words, ascending.
    pub places: Vec<u32>,
}

impl Damage {
    /// Of words with their number, the golden value and the faulty one, in ascending order. `floats`: words that are
    /// floats, each with the distance in units in the last place up to which it is right; others are signed numbers.
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
    /// Its report.
    pub report: RunReport,
    /// Cycles from start to done.
    pub cycles: u64,
    /// Cycles from the first one's beginning to the machine's interrupt.
    pub ended: u64,
    /// As in [`Setup`](super::bench::Setup).
    pub floats: BTreeMap<u32, u32>,
    /// What the circuits hold in the end.
    pub state: Vec<u64>,
}

impl Golden {
    /// The verdict on a whole run. `ended`: cycles from the grid's first one to the machine's interrupt; `state`: what the
    /// circuits hold after the run.
    ///
    /// # Errors
    /// The run could not be made, or somebody has stopped it.
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
        let words = self.report.global.iter().zip(&report.global);
        let words = (0..).zip(words).filter(|(_, (golden, faulty))| golden != faulty);
        let damage = Damage::of(
            words.map(|(place, (golden, faulty))| (place, *golden, *faulty)),
            &self.floats,
        );
        // By the time of the interrupt: the machine's own counter may have the fault.
        let cycles = (self.cycles + ended).saturating_sub(self.ended);
        Ok(self.complete(cycles, damage, state == self.state))
    }

    /// The verdict on a run that has completed. `is_same`: whether the circuits hold the same in the end.
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

    /// The machine has stopped, or broken the rules of its ports.
    pub(super) fn detected(code: &str) -> Self {
        Verdict {
            code: Some(code.into()),
            ..Verdict::new(Outcome::Detected)
        }
    }

    /// The kernel went wrong.
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
    fn damage_is_summed_up() {
        let one = 1f32.to_bits();
        let floats: BTreeMap<u32, u32> = (0..64).map(|place| (place, 0)).collect();
        let of = |words: &[(u32, u32, u32)]| Damage::of(words.iter().copied(), &floats);
        let damage = of(&[(7, one, 1.5f32.to_bits())]);
        assert_eq!((damage.words, damage.bits), (1, 1));
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
        // Floats up to two units away are right, integers never.
        let near: BTreeMap<u32, u32> = [(0, 2), (1, 2)].into();
        let damage = Damage::of(
            [(0, one, one + 2), (1, one, one - 3), (2, one, one + 1)].into_iter(),
            &near,
        );
        assert_eq!((damage.words, damage.geometry), (2, Some("row")));
    }
}
