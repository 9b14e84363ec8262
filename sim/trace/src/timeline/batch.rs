//! Batches of a run's steps for the thread that writes a timeline, since sending single steps would be too slow.

use crate::coalescing::Access;
use crate::times::Times;
use flexgrip_machine::Retire;

/// A step of a run.
#[derive(Clone, Copy, Debug)]
pub(super) enum TimelineStep {
    /// A warp starts on an SM.
    Launched { sm: u32, time: u64 },
    /// The next of [`Batch::briefs`].
    Record,
    /// All further records belong to instructions issued at this time or later.
    Passed(u64),
}

/// The part of a record that a timeline needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Brief {
    pub sm: u32,
    pub warp: u32,
    pub block: u32,
    pub warp_in_block: u32,
    pub pc: u32,
    pub word: u64,
    pub active: u32,
    pub executed: u32,
    /// True if the warp has ended with it.
    pub ends: bool,
    pub retired: Option<u64>,
    /// The times, for an engine with a clock.
    pub times: Option<Times>,
    /// The number of its accesses in [`Batch::accesses`], after the accesses of the records before it.
    pub accesses: usize,
}

/// The steps, in order.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub steps: Vec<TimelineStep>,
    pub briefs: Vec<Brief>,
    pub accesses: Vec<Access>,
    /// True for the last batch: the run has ended, and the file is completed.
    pub last: bool,
}

impl Batch {
    /// Adds a record.
    pub(super) fn record(&mut self, record: &Retire, times: Option<&Times>) {
        let before = self.accesses.len();
        self.accesses.extend(Access::of(record));
        self.steps.push(TimelineStep::Record);
        self.briefs.push(Brief {
            sm: record.sm,
            warp: record.warp,
            block: record.block,
            warp_in_block: record.warp_in_block,
            pc: record.pc,
            word: record.word,
            active: record.active,
            executed: record.executed,
            ends: record.next.pc.is_none(),
            retired: record.retire_cycle,
            times: times.copied(),
            accesses: self.accesses.len() - before,
        });
    }

    /// Empties the batch for reuse.
    pub(super) fn clear(&mut self) {
        self.steps.clear();
        self.briefs.clear();
        self.accesses.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flexgrip_machine::{MemoryEffect, MemorySpace};

    #[test]
    fn accesses_to_shared_memory_are_left_out() {
        let effect = |space, lane| MemoryEffect {
            space,
            store: true,
            lane,
            address: 4 * u32::from(lane),
            bytes: 4,
            data: 1,
        };
        let record = Retire {
            warp: 3,
            memory: vec![
                effect(MemorySpace::Shared, 0),
                effect(MemorySpace::Local, 1),
                effect(MemorySpace::Global, 2),
            ],
            ..Retire::default()
        };
        let mut batch = Batch::default();
        batch.record(&record, None);
        batch.record(&record, None);
        let accesses: Vec<_> = batch
            .accesses
            .iter()
            .map(|access| (access.lane, access.local))
            .collect();
        assert_eq!(accesses, [(1, true), (2, false)].repeat(2));
        assert_eq!(
            batch.briefs.iter().map(|brief| brief.accesses).collect::<Vec<_>>(),
            [2, 2]
        );
        assert!(batch.briefs[0].ends && batch.briefs[0].warp == 3);
        batch.clear();
        assert!(batch.steps.is_empty() && batch.accesses.is_empty());
    }
}
