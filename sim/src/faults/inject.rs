//! Faults as the circuits know them: by the numbers of registers and memories.

use crate::engines::native::compiled::Held;
use flexgrip_faults::error::Error;
use flexgrip_faults::{Fault, Model, Site, Sites, Storage};
use hdlkit_compiled::{Code, Effect, Target};

/// A fault of the circuits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Injection {
    /// The register, or the word of a memory.
    pub target: Target,
    /// Its bits.
    pub mask: u128,
    /// What happens to them.
    pub effect: Effect,
    /// At the beginning of which cycle.
    pub cycle: u64,
    /// The first cycle in which stuck bits are free.
    pub until: Option<u64>,
}

/// The sites of circuits: every register and memory, by the names of waves and debugger without the top's.
///
/// # Errors
/// Two of them have the same name.
pub fn sites(code: &Code) -> Result<Sites, Error> {
    let own = |name: &str| name.strip_prefix("top.").unwrap_or(name).to_string();
    let registers = (0..).zip(code.flip_flops());
    let registers = registers
        .map(|(number, register)| Site::new(own(&register.name), Storage::Register, number, register.width, 1));
    let memories = (0..).zip(code.memories()).map(|(number, memory)| {
        let width = code.word_widths(number as usize).unwrap_or_default().iter().sum();
        Site::new(own(memory.name), Storage::Memory, number, width, memory.elements)
    });
    Sites::new(registers.chain(memories).collect())
}

impl Injection {
    /// The bits that are held from the beginning of a cycle on.
    pub(super) fn held(&self, cycle: u64) -> Option<Held> {
        let Effect::Stuck(one) = self.effect else { return None };
        let cycles = self.until.map_or(u64::MAX, |until| until.saturating_sub(cycle));
        (cycles > 0).then_some(Held {
            target: self.target,
            mask: self.mask,
            one,
            cycles,
        })
    }

    /// A fault of a campaign; `None` if its site, element or bits are not there, or if its bits are in two words.
    pub fn new(fault: &Fault, sites: &Sites, code: &Code) -> Option<Self> {
        let site = sites.find(&fault.site).ok()?;
        let (target, bit) = match site.storage {
            Storage::Register => (Target::FlipFlop(site.number as usize), fault.bit),
            Storage::Memory => {
                let widths = code.word_widths(site.number as usize)?;
                let mut bit = fault.bit;
                let mut word = 0;
                while bit >= *widths.get(word)? {
                    bit -= widths[word];
                    word += 1;
                }
                if bit + fault.bits > widths[word] {
                    return None;
                }
                let word = fault.element as usize * widths.len() + word;
                let memory = site.number as usize;
                (Target::Memory { memory, word }, bit)
            }
        };
        let ones = u128::MAX.checked_shr(128 - fault.bits).unwrap_or_default();
        Some(Injection {
            target,
            mask: ones << bit,
            effect: match fault.model {
                Model::Flip => Effect::Flip,
                Model::StuckAt0 => Effect::Stuck(false),
                Model::StuckAt1 => Effect::Stuck(true),
            },
            cycle: fault.cycle,
            until: fault.until,
        })
    }
}
