//! The golden run's uses of its memories, and the fates of flips that follow from them.

use super::injection::Injection;
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
