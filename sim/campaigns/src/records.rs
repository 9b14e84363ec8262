//! Finds the first record in which a whole faulty machine differs, by comparing the instructions of each warp
//! independently of their timing.

use super::writers::Writers;
use flexgrip_engines::files::program::instruction_text;
use flexgrip_faults::FirstRecord;
use flexgrip_machine::{Placement, Retire};
use rustc_hash::FxHashMap;

/// A warp: the number of its block, and its index there.
type Warp = (u32, u32);

fn warp_of(record: &Retire) -> Warp {
    (record.block, record.warp_in_block)
}

/// The records of a golden run.
#[derive(Default)]
pub struct Records {
    /// All records, in the order of the run.
    all: Vec<Retire>,
    /// For each warp, the indices of its records, in the order of its instructions.
    by_warp: FxHashMap<Warp, Vec<usize>>,
    writers: Writers,
}

impl Records {
    /// Adds the next record of the run.
    pub fn push(&mut self, record: Retire) {
        self.by_warp.entry(warp_of(&record)).or_default().push(self.all.len());
        self.writers.note(&record);
        self.all.push(record);
    }

    /// All records, in the order of the run.
    pub fn all(&self) -> &[Retire] {
        &self.all
    }

    /// The threads that stored the words of global memory.
    pub fn writers(&self) -> &Writers {
        &self.writers
    }

    /// Compares with a run that equals the golden run up to the start of a cycle.
    pub fn compare(&self, cycle: u64) -> Comparison<'_> {
        Comparison {
            golden: self,
            cycle,
            seen: FxHashMap::default(),
        }
    }
}

/// Finds the corresponding golden record for each record of a run.
pub struct Comparison<'a> {
    golden: &'a Records,
    /// The first cycle in which the run may differ.
    cycle: u64,
    /// For each warp with a record in the run, the index of its next golden record.
    seen: FxHashMap<Warp, usize>,
}

impl<'a> Comparison<'a> {
    /// The golden run's record at the same position in the same warp; `None` if the warp has ended before in the golden
    /// run. To be called once for each record of the run, in order.
    pub fn golden(&mut self, record: &Retire) -> Option<&'a Retire> {
        let places = self.golden.by_warp.get(&warp_of(record)).map_or(&[][..], Vec::as_slice);
        let seen = self.seen.entry(warp_of(record)).or_insert_with(|| {
            // The warp's first record belongs to an instruction in flight, issued as in the golden run, or to a later
            // one.
            let first = record.issue_cycle.unwrap_or_default().min(self.cycle);
            places.partition_point(|place| self.golden.all[*place].issue_cycle.is_some_and(|issued| issued < first))
        });
        let place = places.get(*seen);
        *seen += 1;
        place.map(|place| &self.golden.all[*place])
    }

    /// True if a record equals the golden run's in all effects that a program can see.
    pub fn is_same(golden: Option<&Retire>, record: &Retire) -> bool {
        golden.is_some_and(|golden| golden.difference(record, Placement::Ignore).is_none())
    }

    /// The number of golden records that have not been requested.
    pub fn missing(&self) -> usize {
        let left = self.golden.by_warp.iter().map(|(warp, places)| {
            let seen = self.seen.get(warp).copied().unwrap_or_default();
            places.len().saturating_sub(seen)
        });
        left.sum()
    }

    /// A differing record in the form of a row, with the golden run's instruction at this position of the warp, if
    /// there is one.
    pub fn first(golden: Option<&Retire>, record: &Retire) -> FirstRecord {
        let at = golden.unwrap_or(record);
        let lane = golden.and_then(|golden| golden.difference(record, Placement::Ignore)?.lane);
        FirstRecord {
            cycle: record.retire_cycle.unwrap_or_default(),
            sm: at.sm,
            warp: at.warp,
            pc: at.pc.into(),
            instruction: instruction_text(at.word),
            thread: lane.map(u32::from),
        }
    }
}
