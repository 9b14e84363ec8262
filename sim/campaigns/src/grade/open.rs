//! Open loop: the unit alone, with the inputs of the run without a fault.

use super::found::Found;
use super::owners::Owners;
use crate::gates::record::Recorded;
use crate::gates::windows::sm_of;
use crate::unit::pins::GateFaults;
use flexgrip_faults::gates::grade::{First, Status};
use flexgrip_faults::gates::results::WindowRow;
use flexgrip_faults::gates::{simulate, Detection, Golden, Options, Window};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;

/// A unit with the recorded run.
pub(super) struct Alone<'a> {
    pub gates: &'a GateFaults,
    pub recorded: &'a Recorded,
    pub golden: &'a Golden<'a>,
    pub jobs: NonZeroUsize,
}

impl Alone<'_> {
    /// The faults that are not untestable.
    pub fn testable<'f>(&'f self, faults: &'f [usize]) -> impl Iterator<Item = usize> + 'f {
        let is_testable = |fault: &usize| self.gates.list().untestable(*fault).is_none();
        faults.iter().copied().filter(is_testable)
    }

    fn simulate(&self, faults: &[usize], windows: &[Window], drops: bool) -> Vec<Vec<Detection<()>>> {
        let options = Options {
            windows,
            drops,
            jobs: self.jobs,
        };
        simulate(self.golden, self.gates.list(), faults, options, |_, _| ())
    }

    /// The faults that change an output of the unit in any cycle.
    pub fn reaching(&self, faults: &[usize]) -> Vec<usize> {
        let testable: Vec<usize> = self.testable(faults).collect();
        let whole = [(0, self.golden.cycles().saturating_sub(1))];
        let found = self.simulate(&testable, &whole, true);
        let found = testable.into_iter().zip(found);
        found
            .filter(|(_, detections)| !detections.is_empty())
            .map(|(fault, _)| fault)
            .collect()
    }

    /// Grades faults by differences at the unit's outputs while it holds an instruction.
    pub fn grade(&self, faults: &[usize], drops: bool) -> Vec<Found> {
        let owners = Owners::new(self.recorded, &self.gates.unit().path);
        let windows = match drops {
            true => owners.busy(),
            false => owners.each().into_iter().map(|(window, _)| window).collect(),
        };
        let testable: Vec<usize> = self.testable(faults).collect();
        let mut found = self.simulate(&testable, &windows, drops).into_iter();
        let of_fault = |fault: &usize| match self.gates.list().untestable(*fault) {
            Some(_) => Found::default(),
            None => self.found(&owners, found.next().unwrap_or_default(), drops),
        };
        faults.iter().map(of_fault).collect()
    }

    fn found(&self, owners: &Owners, detections: Vec<Detection<()>>, drops: bool) -> Found {
        let first = detections.iter().min_by_key(|detection| detection.cycle);
        let first = first.map(|detection| self.first(owners.of(detection.cycle), detection));
        let pcs = || {
            let windows = detections.iter().filter_map(|detection| owners.of(detection.cycle));
            let pcs: BTreeSet<u32> = windows.filter_map(|window| window.pc).collect();
            pcs.into_iter().collect()
        };
        Found {
            status: first.is_some().then_some(Status::Detected),
            first,
            instructions: (!drops).then(pcs),
            verdict: None,
        }
    }

    fn first(&self, window: Option<&WindowRow>, detection: &Detection<()>) -> First {
        let unit = self.gates.unit();
        let mut names = unit.outputs.iter().flat_map(|port| &port.names);
        let output = names.nth(detection.first as usize).cloned().unwrap_or_default();
        First {
            cycle: detection.cycle as u64 + 1,
            sm: sm_of(&unit.path),
            warp: window.and_then(|window| window.warp),
            pc: window.and_then(|window| window.pc),
            instruction: window.map(|window| window.instruction.clone()).unwrap_or_default(),
            lane: lane_of(&output),
            thread: None,
            output,
        }
    }
}

/// The number of an output's lane, from its path: `sm[0].execute.lane[3].sum`.
fn lane_of(output: &str) -> Option<u32> {
    let (before, rest) = output.split_once("lane[")?;
    let is_whole = before.is_empty() || before.ends_with('.');
    rest.split_once(']')?.0.parse().ok().filter(|_| is_whole)
}

#[cfg(test)]
mod tests {
    use super::lane_of;

    #[test]
    fn lane_is_in_the_path() {
        assert_eq!(lane_of("sm[0].execute.lane[13].sum[2]"), Some(13));
        assert_eq!(lane_of("sm[0].execute.airplane[3].sum"), None);
        assert_eq!(lane_of("sm[0].scheduler.lanes[0]"), None);
    }
}
