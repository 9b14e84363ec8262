//! The times at which an instruction passed through the circuits.

use flexgrip_machine::Retire;

/// The cycles of an instruction's events, counted as in the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The cycle of issue, to the pipeline or to the operand collector.
    pub issue: u64,
    /// The cycle of the first beat in the read stage. For an instruction that passes through the operand collector, its
    /// operand was gathered by then.
    pub read: u64,
    /// The cycle in which each beat's access to global or local memory was passed to the memory unit; for a wide store,
    /// the first register's.
    pub accesses: [Option<u64>; 4],
    /// The cycles of the first and the last beat at writeback, with or without a write.
    pub writeback: Option<(u64, u64)>,
    /// The cycle in which the warp's next state was determined; for control instructions and markers only.
    pub next: Option<u64>,
}

impl Times {
    /// The times of an instruction that has just been issued.
    pub(super) fn of_issue(cycle: u64) -> Self {
        Times {
            issue: cycle,
            read: cycle,
            accesses: [None; 4],
            writeback: None,
            next: None,
        }
    }

    /// Records a beat at writeback.
    pub(super) fn write(&mut self, cycle: u64) {
        let (first, _) = self.writeback.unwrap_or((cycle, cycle));
        self.writeback = Some((first, cycle));
    }

    /// Records a beat's access.
    pub(super) fn access(&mut self, beat: u32, cycle: u64) {
        if let Some(access) = self.accesses.get_mut(beat as usize) {
            access.get_or_insert(cycle);
        }
    }
}

/// A record with its times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed {
    /// The record of the instruction.
    pub record: Retire,
    /// The cycles of the instruction in the stages.
    pub times: Times,
}
