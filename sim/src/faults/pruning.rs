//! Pruning: what the golden run alone says about flips in memories, and which of them are one class.
//!
//! ```text
//! golden run     write ──────── read ──── read ─────────── write ──────────── end
//!                      └──────┘└────────┘    └───────────┘      └───────────┘
//! flips in between      a class  a class        masked             latent
//! ```
//!
//! A flipped bit of a memory changes nothing until the circuits read its element. So all flips of a bit between two uses do the
//! same as one at the beginning of the cycle that reads it; a flip that is overwritten is masked, and one that nothing uses any
//! more is latent. This is exact: reads whose data nothing needs count as reads.

use super::bench::FaultBench;
use super::campaign::CampaignError;
use super::inject::Injection;
use super::verdict::{Damage, Verdict};
use flexgrip_faults::sample::MOST_FAULTS;
use flexgrip_faults::{Fault, Model, Parameters, Sample, Site, Sites, Storage};
use hdlkit_compiled::{Code, Effect, MemoryUse, Target};
use rustc_hash::FxHashMap;

/// Cycles with the same use of an element of a memory, one after the other.
#[derive(Clone, Copy, Debug)]
struct Use {
    first: u64,
    last: u64,
    /// As in [`MemoryUse`].
    written: Option<u64>,
}

/// How the golden run uses its memories, from the first cycle to the host's last look at the machine.
pub struct MemoryUses {
    /// By memory and element, in the order of time.
    uses: FxHashMap<(usize, usize), Vec<Use>>,
    /// Words of an element, by memory.
    strides: Vec<usize>,
}

/// What the golden run says about a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Its bits are overwritten in this cycle, before anything reads them.
    Overwritten(u64),
    /// Nothing uses its bits any more.
    Unused,
    /// It does what the same fault at the beginning of this cycle does.
    As(u64),
}

impl MemoryUses {
    /// None yet.
    pub(super) fn new(code: &Code) -> Self {
        MemoryUses {
            uses: FxHashMap::default(),
            strides: code.memories().map(|memory| memory.stride).collect(),
        }
    }

    /// Takes a use in a cycle; cycles in ascending order.
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

    /// What becomes of a fault.
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
                // Read, or overwritten in part.
                _ => return Fate::As(from.max(used.first)),
            }
        }
        Fate::Unused
    }
}

/// Faults with one result.
pub(super) struct Class<'f> {
    /// The fault that is simulated.
    pub injected: Fault,
    /// Those that do the same, each with its own cycle.
    pub faults: Vec<&'f Fault>,
}

impl<'f> Class<'f> {
    /// One of a fault alone.
    pub fn of_one(fault: &'f Fault) -> Self {
        Class {
            injected: fault.clone(),
            faults: vec![fault],
        }
    }
}

/// What the golden run makes of some faults.
#[derive(Default)]
pub(super) struct Pruned<'f> {
    /// Faults whose verdict is known.
    pub known: Vec<(&'f Fault, Verdict)>,
    /// The others, in the order of each one's first fault.
    pub classes: Vec<Class<'f>>,
}

/// True for faults about which the golden run may say something.
pub(super) fn is_prunable(fault: &Fault, sites: &Sites) -> bool {
    let in_memory = |site: &Site| site.storage == Storage::Memory;
    fault.model == Model::Flip && sites.find(&fault.site).is_ok_and(in_memory)
}

impl FaultBench<'_> {
    /// The verdict on a fault that the golden run decides.
    fn known(&self, fate: Fate) -> Option<Verdict> {
        let is_same = match fate {
            Fate::Overwritten(_) => true,
            Fate::Unused => false,
            Fate::As(_) => return None,
        };
        let golden = self.golden();
        Some(golden.complete(golden.cycles, Damage::default(), is_same))
    }

    /// Sorts faults by what the golden run says about them.
    pub(super) fn prune<'f>(&mut self, faults: &'f [Fault], sites: &Sites) -> Result<Pruned<'f>, CampaignError> {
        let mut pruned = Pruned::default();
        let uses = self.memory_uses()?;
        let mut numbers: FxHashMap<Fault, usize> = FxHashMap::default();
        for fault in faults {
            let injection = self.checked(fault, sites)?;
            let cycle = match uses.fate(&injection) {
                // The host's last look at the machine is after the golden run's last cycle.
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

    /// All flips of a sample's population, as one fault for each class of those that do the same: the flips of a bit up to the
    /// cycle that uses it next, of which the last one is in the list, and all flips of a site that are overwritten, or that
    /// nothing uses any more.
    ///
    /// # Errors
    /// No site matches, one is not a memory, or there are more than [`MOST_FAULTS`] classes.
    pub fn classes(&mut self, sample: &Sample) -> Result<Vec<Fault>, CampaignError> {
        let sites = self.sites()?;
        let cycles = self.golden().cycles;
        sample.population(&sites, cycles)?;
        let uses = self.memory_uses()?;
        let mut classes: Vec<Fault> = vec![];
        for site in sites.matching(&sample.pattern)? {
            if site.storage != Storage::Memory {
                let wrong = format!(
                    "`{}` is a {}; expected memories alone, as in `memory:sm[0]`",
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

/// A flip in each place of a site, in cycle 1.
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
