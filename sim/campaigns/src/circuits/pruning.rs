//! Pruning: decides flips in memories by the golden run alone, and finds classes of equivalent flips.
//!
//! ```text
//! golden run     write ──────── read ──── read ─────────── write ──────────── end
//!                      └──────┘└────────┘    └───────────┘      └───────────┘
//! flips in between      a class  a class        masked             latent
//! ```
//!
//! A flipped bit of a memory has no effect until the circuits read its element. So all flips of a bit between two uses
//! are equivalent to a flip at the start of the cycle that reads it. A flip that is overwritten is masked, and a flip
//! that is never used is latent. This is exact: reads whose data are not needed count as reads.

use super::bench::FaultBench;
use super::memory_uses::Fate;
use crate::error::CampaignError;
use crate::verdict::{Damage, Verdict};
use flexgrip_faults::campaign::sample::MOST_FAULTS;
use flexgrip_faults::{Fault, Model, Parameters, Sample, Site, Sites, Storage};
use rustc_hash::FxHashMap;

/// A class of faults with the same result.
pub(crate) struct Class<'f> {
    /// The fault that is simulated.
    pub injected: Fault,
    /// All faults of the class, each with its own cycle.
    pub faults: Vec<&'f Fault>,
}

impl<'f> Class<'f> {
    /// A class with a single fault.
    pub fn of_one(fault: &'f Fault) -> Self {
        Class {
            injected: fault.clone(),
            faults: vec![fault],
        }
    }
}

/// Faults, grouped by whether the golden run determines their verdicts.
#[derive(Default)]
pub(crate) struct Pruned<'f> {
    /// Faults with a known verdict.
    pub known: Vec<(&'f Fault, Verdict)>,
    /// The classes of the other faults, in the order of their first fault.
    pub classes: Vec<Class<'f>>,
}

/// True for faults that the golden run may decide.
pub(crate) fn is_prunable(fault: &Fault, sites: &Sites) -> bool {
    let in_memory = |site: &Site| site.storage == Storage::Memory;
    fault.model == Model::Flip && sites.find(&fault.site).is_ok_and(in_memory)
}

impl FaultBench<'_> {
    /// The verdict on a fault, if the golden run decides it.
    fn known(&self, fate: Fate) -> Option<Verdict> {
        let is_same = match fate {
            Fate::Overwritten(_) => true,
            Fate::Unused => false,
            Fate::As(_) => return None,
        };
        let golden = self.golden();
        Some(golden.complete(golden.cycles, Damage::default(), is_same))
    }

    /// Decides faults by the golden run, and groups the others into classes.
    pub(crate) fn prune<'f>(&mut self, faults: &'f [Fault], sites: &Sites) -> Result<Pruned<'f>, CampaignError> {
        let mut pruned = Pruned::default();
        let uses = self.memory_uses()?;
        let mut numbers: FxHashMap<Fault, usize> = FxHashMap::default();
        for fault in faults {
            let injection = self.checked(fault, sites)?;
            let cycle = match uses.fate(&injection) {
                // The host's last access is after the last cycle of the golden run.
                Fate::As(cycle) => cycle.min(self.golden().cycles),
                fate => {
                    pruned.known.extend(self.known(fate).map(|verdict| (fault, verdict)));
                    continue;
                }
            };
            let injected = Fault {
                id: 0,
                weight: 1,
                cycle,
                ..fault.clone()
            };
            let classes = &mut pruned.classes;
            let number = *numbers.entry(injected).or_insert_with_key(|injected| {
                classes.push(Class {
                    injected: injected.clone(),
                    faults: vec![],
                });
                classes.len() - 1
            });
            pruned.classes[number].faults.push(fault);
        }
        Ok(pruned)
    }

    /// All flips of a sample's population, as one fault for each class of equivalent flips. There are three kinds of
    /// classes: the flips of a bit up to the cycle of its next use, represented by the last one; all flips of a site
    /// that are overwritten; and all flips of a site that are never used.
    ///
    /// # Errors
    /// No site matches, a site is not a memory, or there are more than [`MOST_FAULTS`] classes.
    pub fn classes(&mut self, sample: &Sample) -> Result<Vec<Fault>, CampaignError> {
        let sites = self.sites()?;
        let cycles = self.golden().cycles;
        sample.population(&sites, cycles)?;
        let uses = self.memory_uses()?;
        let mut classes: Vec<Fault> = vec![];
        for site in sites.matching(&sample.pattern)? {
            if site.storage != Storage::Memory {
                let wrong = format!(
                    "`{}` is a {}; expected only memories, such as `memory:sm[0]`",
                    site.name, site.storage
                );
                return Err(sample.error(wrong).into());
            }
            let mut decided: [Option<Fault>; 2] = [None, None];
            for fault in places(site, sample.bits) {
                let mut injection = self.checked(&fault, &sites)?;
                while injection.cycle <= cycles {
                    let from = injection.cycle;
                    let (last, kind) = match uses.fate(&injection) {
                        Fate::As(cycle) => (cycle.min(cycles), None),
                        Fate::Overwritten(cycle) => (cycle.min(cycles), Some(0)),
                        Fate::Unused => (cycles, Some(1)),
                    };
                    injection.cycle = last + 1;
                    let class = |cycle| Fault {
                        cycle,
                        weight: last - from + 1,
                        ..fault.clone()
                    };
                    match kind {
                        None => classes.push(class(last)),
                        Some(kind) => match &mut decided[kind] {
                            Some(first) => first.weight += last - from + 1,
                            none => *none = Some(class(from)),
                        },
                    }
                    if classes.len() as u64 > MOST_FAULTS {
                        let wrong = format!("more than {MOST_FAULTS} classes of flips; expected fewer sites");
                        return Err(sample.error(wrong).into());
                    }
                }
            }
            classes.extend(decided.into_iter().flatten());
        }
        for (id, class) in (0..).zip(&mut classes) {
            class.id = id;
        }
        Ok(classes)
    }
}

/// A flip in each possible position in a site, in cycle 1.
fn places(site: &Site, bits: u32) -> impl Iterator<Item = Fault> + '_ {
    let starts = (site.width + 1).saturating_sub(bits);
    let place = move |(element, bit)| Fault {
        id: 0,
        model: Model::Flip,
        site: site.name.clone(),
        element,
        bit,
        bits,
        cycle: 1,
        until: None,
        parameters: Parameters::default(),
        weight: 1,
    };
    let elements = 0..site.elements;
    elements
        .flat_map(move |element| (0..starts).map(move |bit| (element, bit)))
        .map(place)
}
