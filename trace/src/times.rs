//! When an instruction passed through the circuits.

use flexgrip_machine::Retire;

/// The cycles in which an instruction's events came, counted as in the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Issued, to the pipeline or to the operand collector.
    pub issue: u64,
    /// Its first beat was in the read stage. For an instruction that passes through the operand collector, its operand
    /// was gathered by then.
    pub read: u64,
    /// Each beat's access to global or local memory was handed to the memory unit: the first register of a wide store.
    pub accesses: [Option<u64>; 4],
    /// The first and the last beat at writeback, whether it wrote or not.
    pub writeback: Option<(u64, u64)>,
    /// Known where the warp goes on; for control instructions and markers only.
    pub next: Option<u64>,
}

impl Times {
    /// Those of an instruction that has just been issued.
    pub(super) fn of_issue(cycle: u64) -> Self {
        Times {
            issue: cycle,
            read: cycle,
            accesses: [None; 4],
            writeback: None,
            next: None,
        }
    }

    /// Notes a beat at writeback.
    pub(super) fn write(&mut self, cycle: u64) {
        let (first, _) = self.writeback.unwrap_or((cycle, cycle));
        self.writeback = Some((first, cycle));
    }

    /// Notes a beat's access.
    pub(super) fn access(&mut self, beat: u32, cycle: u64) {
        if let Some(access) = self.accesses.get_mut(beat as usize) {
            access.get_or_insert(cycle);
        }
    }
}

/// A record with its times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed {
    /// What the instruction did.
    pub record: Retire,
    /// When.
    pub times: Times,
}
