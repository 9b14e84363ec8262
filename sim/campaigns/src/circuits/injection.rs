//! Faults as injected into the circuits: by the numbers of registers and memories.

use crate::unit::pins::GateFaults;
use flexgrip_engines::native::compiled::{change, Held, Holds};
use flexgrip_faults::{Fault, Model, Sites, Storage};
use hdlkit_compiled::{Code, Effect, MachineCode, Target};

/// A fault of the circuits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injection {
    /// A register, or the words of an element of a memory, each with a mask of the faulty bits.
    pub targets: Vec<(Target, u128)>,
    /// The effect on these bits.
    pub effect: Effect,
    /// The cycle at the start of which the fault is injected.
    pub cycle: u64,
    /// The first cycle in which stuck bits are released; `None` if they stay stuck.
    pub until: Option<u64>,
}

impl Injection {
    /// The bits that are forced from the start of a cycle onward. `late`: for each target, the bits whose change the
    /// previous edge has delayed; none in the first cycle of the fault.
    pub(super) fn held(&self, cycle: u64, late: Vec<u128>) -> Option<Held> {
        let how = match self.effect {
            Effect::Flip => return None,
            Effect::Stuck(true) => Holds::One,
            Effect::Stuck(false) => Holds::Zero,
            Effect::Delayed => Holds::Late(late),
        };
        let cycles = self.until.map_or(u64::MAX, |until| until.saturating_sub(cycle));
        (cycles > 0).then(|| Held {
            targets: self.targets.clone(),
            how,
            cycles,
        })
    }

    /// The cycle at the beginning of which a fault is injected. The first edge that a delayed bit may miss is the one
    /// that begins the fault's first cycle, so it is injected in the cycle before.
    pub(super) fn first_cycle(fault: &Fault) -> u64 {
        match fault.model {
            Model::Delayed => fault.cycle.saturating_sub(1).max(1),
            _ => fault.cycle,
        }
    }

    /// Inverts the bits, before the machine's first cycle.
    pub(super) fn flip(&self, machine: &mut MachineCode) {
        if self.effect == Effect::Flip {
            self.targets
                .iter()
                .for_each(|(target, mask)| change(machine, *target, |value| value ^ mask));
        }
    }

    /// The injection of a campaign's fault; `None` if its site, element or bits do not exist.
    pub fn new(fault: &Fault, sites: &Sites, code: &Code, gates: Option<&GateFaults>) -> Option<Self> {
        let site = sites.find(&fault.site).ok()?;
        let number = site.number as usize;
        // Consecutive words, with the width of each.
        let words: Vec<(Target, u32)> = match site.storage {
            Storage::Register => vec![(Target::FlipFlop(number), site.width)],
            Storage::Gate => {
                return Some(Injection {
                    targets: vec![gates?.switch(site.number, fault.model, code)?],
                    // Sets the switch of the fault.
                    effect: Effect::Stuck(true),
                    cycle: fault.cycle,
                    until: fault.until,
                });
            }
            Storage::Instruction | Storage::Multiprocessor => return None,
            Storage::Memory => {
                let widths = code.word_widths(number)?;
                let first = fault.element as usize * widths.len();
                let word = |(word, width)| (Target::Memory { memory: number, word }, width);
                (first..).zip(widths).map(word).collect()
            }
        };
        let mut targets = vec![];
        let (from, to) = (fault.bit, fault.bit + fault.bits);
        let mut start = 0;
        for (target, width) in words {
            let (low, high) = (from.max(start), to.min(start + width));
            if low < high {
                let ones = u128::MAX >> (128 - (high - low));
                targets.push((target, ones << (low - start)));
            }
            start += width;
        }
        let is_there = fault.bits > 0 && to <= start && fault.element < site.elements;
        is_there.then_some(Injection {
            targets,
            effect: match fault.model {
                Model::Flip => Effect::Flip,
                Model::StuckAt0 => Effect::Stuck(false),
                Model::StuckAt1 => Effect::Stuck(true),
                Model::Delayed => Effect::Delayed,
                _ => return None,
            },
            cycle: Self::first_cycle(fault),
            until: fault.until,
        })
    }
}
