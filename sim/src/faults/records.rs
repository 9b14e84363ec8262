//! The first record in which a whole faulty machine differs: of the instructions of each warp, whenever they run.

use crate::files::program::instruction_text;
use flexgrip_faults::FirstRecord;
use flexgrip_machine::{Placement, Retire};
use rustc_hash::FxHashMap;

/// A warp: its block, and its index there.
type Warp = (u32, u32);

fn warp_of(record: &Retire) -> Warp {
    (record.block, record.warp_in_block)
}

/// The records of a golden run.
#[derive(Default)]
pub struct Records {
    /// In the order of the run.
    all: Vec<Retire>,
    /// The places of each warp's, in the order of its instructions.
    by_warp: FxHashMap<Warp, Vec<usize>>,
}

impl Records {
    /// Takes the next record of the run.
    pub fn push(&mut self, record: Retire) {
        self.by_warp.entry(warp_of(&record)).or_default().push(self.all.len());
        self.all.push(record);
    }

    /// All of them, in the order of the run.
    pub fn all(&self) -> &[Retire] {
        &self.all
    }

    /// A comparison with a run from the beginning of a cycle on, which is the golden one until then.
    pub fn compare(&self, cycle: u64) -> Comparison<'_> {
        Comparison {
            golden: self,
            cycle,
            seen: FxHashMap::default(),
        }
    }
}

/// Finds for each record of a run that of the golden one.
pub struct Comparison<'a> {
    golden: &'a Records,
    /// The cycle from whose beginning on the run may differ.
    cycle: u64,
    /// For each warp that has had a record in the run, the place of its next one.
    seen: FxHashMap<Warp, usize>,
}

impl<'a> Comparison<'a> {
    /// The golden run's record at the same place in the same warp; `None` if that has ended by then. Each record of the run is
    /// to be asked for once.
    pub fn golden(&mut self, record: &Retire) -> Option<&'a Retire> {
        let places = self.golden.by_warp.get(&warp_of(record)).map_or(&[][..], Vec::as_slice);
        let seen = self.seen.entry(warp_of(record)).or_insert_with(|| {
            // The warp's first record is of an instruction that was under way, and issued as in the golden run, or issues later.
            let first = record.issue_cycle.unwrap_or_default().min(self.cycle);
            places.partition_point(|place| self.golden.all[*place].issue_cycle.is_some_and(|issued| issued < first))
        });
        let place = places.get(*seen);
        *seen += 1;
        place.map(|place| &self.golden.all[*place])
    }

    /// The golden run's record if this one is the same, as far as a program can tell.
    pub fn is_same(golden: Option<&Retire>, record: &Retire) -> bool {
        golden.is_some_and(|golden| golden.difference(record, Placement::Ignore).is_none())
    }

    /// Records of the golden run that have not been asked for.
    pub fn missing(&self) -> usize {
        let left = self.golden.by_warp.iter().map(|(warp, places)| {
            let seen = self.seen.get(warp).copied().unwrap_or_default();
            places.len().saturating_sub(seen)
        });
        left.sum()
    }

    /// A record that differs, for a row: the golden run's instruction, if its warp has one there.
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
