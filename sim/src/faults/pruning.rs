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
use super::campaign::CampaignError;
use super::inject::Injection;
use super::verdict::{Damage, Verdict};
use flexgrip_faults::campaign::sample::MOST_FAULTS;
use flexgrip_faults::{Fault, Model, Parameters, Sample, Site, Sites, Storage};
use hdlkit_compiled::{Code, Effect, MemoryUse, Target};
use rustc_hash::FxHashMap;

/// Consecutive cycles with the same use of an element of a memory.
#[derive(Clone, Copy, Debug)]
struct Use {
    first: u64,
    last: u64,
    /// The written bits; see [`MemoryUse`].
    written: Option<u64>,
}

/// The golden run's uses of its memories, from the first cycle to the host's last access.
pub struct MemoryUses {
    /// The uses by memory and element, in the order of time.
    uses: FxHashMap<(usize, usize), Vec<Use>>,
    /// The number of words in an element, by memory.
    strides: Vec<usize>,
}

/// The effect of a fault, as far as the golden run determines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The bits are overwritten in this cycle, before they are read.
    Overwritten(u64),
    /// The bits are never used again.
    Unused,
    /// The fault has the same effect as at the start of this cycle.
    As(u64),
}

impl MemoryUses {
    /// Creates an empty record.
    pub(super) fn new(code: &Code) -> Self {
        MemoryUses {
            uses: FxHashMap::default(),
            strides: code.memories().map(|memory| memory.stride).collect(),
        }
    }

    /// Adds a use in a cycle; cycles must be in ascending order.
    pub(super) fn push(&mut self, cycle: u64, used: &MemoryUse) {
        let uses = self.uses.entry((used.memory, used.element)).or_default();
        match uses.last_mut() {
            Some(last) if last.written == used.written && cycle <= last.last + 1 => last.last = cycle,
            _ => uses.push(Use {
                first: cycle,
                last: cycle,
                written: used.written,
            }),
        }
    }

    /// The fate of a fault.
    pub fn fate(&self, injection: &Injection) -> Fate {
        let from = injection.cycle;
        let Some((Target::Memory { memory, word }, _)) = injection.targets.first() else {
            return Fate::As(from);
        };
        if injection.effect != Effect::Flip {
            return Fate::As(from);
        }
        let uses = self.uses.get(&(*memory, word / self.strides[*memory]));
        let uses = uses.map_or(&[][..], Vec::as_slice);
        let next = uses.partition_point(|used| used.last < from);
        for used in &uses[next..] {
            let mut masks = injection.targets.iter().map(|(_, mask)| mask);
            match used.written.map(u128::from) {
                Some(written) if masks.all(|mask| mask & !written == 0) => {
                    return Fate::Overwritten(from.max(used.first));
                }
                Some(written) if injection.targets.iter().all(|(_, mask)| mask & written == 0) => {}
                // The bits are read, or only some of them are overwritten.
                _ => return Fate::As(from.max(used.first)),
            }
        }
        Fate::Unused
    }
}

/// A class of faults with the same result.
pub(super) struct Class<'f> {
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
pub(super) struct Pruned<'f> {
    /// Faults with a known verdict.
    pub known: Vec<(&'f Fault, Verdict)>,
    /// The classes of the other faults, in the order of their first fault.
    pub classes: Vec<Class<'f>>,
}

/// True for faults that the golden run may decide.
pub(super) fn is_prunable(fault: &Fault, sites: &Sites) -> bool {
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
    pub(super) fn prune<'f>(&mut self, faults: &'f [Fault], sites: &Sites) -> Result<Pruned<'f>, CampaignError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_uses_of_different_kinds_are_distinguished() {
        let mut uses = MemoryUses {
            uses: FxHashMap::default(),
            strides: vec![1],
        };
        for (cycle, written) in [(5, Some(0xff)), (6, None), (7, None), (8, Some(0x0f))] {
            let (memory, element) = (0, 3);
            uses.push(
                cycle,
                &MemoryUse {
                    memory,
                    element,
                    written,
                },
            );
        }
        let fate = |cycle, mask| {
            uses.fate(&Injection {
                targets: vec![(Target::Memory { memory: 0, word: 3 }, mask)],
                effect: Effect::Flip,
                cycle,
                until: None,
            })
        };
        assert_eq!(fate(4, 1), Fate::Overwritten(5));
        assert_eq!(fate(6, 1), Fate::As(6));
        assert_eq!(fate(7, 1), Fate::As(7));
        assert_eq!(fate(8, 1), Fate::Overwritten(8));
        // Only one of the two bits is overwritten.
        assert_eq!(fate(8, 0x18), Fate::As(8));
        assert_eq!(fate(8, 0x10), Fate::Unused);
        assert_eq!(fate(9, 1), Fate::Unused);
    }
}
