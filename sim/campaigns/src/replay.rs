//! The records of a faulty run next to the golden run's.

use super::records::{Comparison, Records};
use flexgrip_engines::error::RunError;
use flexgrip_engines::files::program::instruction_text;
use flexgrip_engines::outcome::RunReport;
use flexgrip_machine::{Placement, Retire};
use std::fmt;

/// Both runs, from the fault onward.
pub struct Replay {
    /// The records of the golden run.
    pub golden: Records,
    /// The records of the faulty run.
    pub faulty: Vec<Retire>,
    /// The end of the faulty run; an error if the machine violates the protocol of its ports or records.
    pub end: Result<RunReport, RunError>,
}

/// A record of the faulty run that differs.
pub struct Differing<'a> {
    /// The golden run's record; `None` if its warp has ended before.
    pub golden: Option<&'a Retire>,
    /// The faulty run's record.
    pub faulty: &'a Retire,
}

impl Replay {
    /// The records that differ, in the order of the faulty run, each with the record of the same warp at the same
    /// position in the golden run; and the number of golden records that the faulty run does not reach.
    pub fn differing(&self) -> (Vec<Differing<'_>>, usize) {
        let mut comparison = self.golden.compare(0);
        let mut differing = vec![];
        for faulty in &self.faulty {
            let golden = comparison.golden(faulty);
            if !Comparison::is_same(golden, faulty) {
                differing.push(Differing { golden, faulty });
            }
        }
        (differing, comparison.missing())
    }
}

impl fmt::Display for Differing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Retire {
            block,
            warp_in_block,
            pc,
            word,
            issue_cycle,
            ..
        } = self.golden.unwrap_or(self.faulty);
        let cycle = issue_cycle.unwrap_or_default();
        let instruction = instruction_text(*word);
        write!(
            f,
            "cycle {cycle}, block {block}, warp {warp_in_block}, PC {pc:#06x}  {instruction}"
        )?;
        let Some(golden) = self.golden else {
            return write!(f, "\n  only the faulty machine executes this");
        };
        match golden.difference(self.faulty, Placement::Ignore) {
            Some(difference) => {
                let lane = difference
                    .lane
                    .map_or(String::new(), |lane| format!(" of thread {lane}"));
                write!(f, "\n  {}{lane}\n    golden  {}", difference.field, difference.this)?;
                write!(f, "\n    faulty  {}", difference.other)
            }
            None => Ok(()),
        }
    }
}
