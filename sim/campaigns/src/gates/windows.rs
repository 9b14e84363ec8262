//! Finds the cycles in which an instruction is in a unit.

use super::record::Recorded;
use flexgrip_engines::files::program::instruction_text;
use flexgrip_faults::gates::results::WindowRow;
use flexgrip_machine::Retire;

/// The cycles, from 0, both ends included, in which each instruction of a warp was in the unit at `path`, in the order
/// of issue:
///
/// - in `scheduler.decode`: while it was in the scheduler's stage s2;
/// - in `fetch`: from the cycle after the warp's previous instruction left s1, to the cycle in which it left s1 itself;
/// - in the rest of `scheduler`: from its first cycle in s1 to its issue;
/// - in another block of an SM: from its issue to its last effect.
///
/// Without a warp, and outside the SMs: a single window over the whole run.
pub fn windows(recorded: &Recorded, path: &str, warp: Option<u32>) -> Vec<WindowRow> {
    let last = recorded.stages.len().saturating_sub(1);
    let (Some(warp), Some(sm)) = (warp, sm_of(path)) else {
        return vec![WindowRow {
            window: 0,
            warp: None,
            pc: None,
            instruction: String::new(),
            first_cycle: 0,
            last_cycle: last,
            detected: 0,
        }];
    };
    let mut records: Vec<(&Retire, usize)> = recorded
        .records
        .iter()
        .filter(|record| record.sm == sm && record.warp == warp)
        .filter_map(|record| Some((record, (record.issue_cycle?.checked_sub(1)?) as usize)))
        .collect();
    records.sort_by_key(|(_, issue)| *issue);
    let in_stage = |stage: usize, before: usize| {
        let is_there = |cycle: &usize| {
            recorded
                .stages
                .get(*cycle)
                .is_some_and(|stages| stages[stage] == Some(warp))
        };
        let end = (0..=before).rev().find(is_there)?;
        let start = (0..=end)
            .rev()
            .find(|cycle| !is_there(cycle))
            .map_or(0, |cycle| cycle + 1);
        Some((start, end))
    };
    let mut left = None;
    let mut windows = vec![];
    for (record, issue) in records {
        let s2 = in_stage(1, issue);
        let s1 = s2.and_then(|(start, _)| in_stage(0, start));
        let before = left.map_or(0, |left: usize| left + 1);
        let window = match block_of(path) {
            Some("decode") => s2,
            Some("fetch") => s1.map(|(_, end)| (before.min(end), end)),
            Some("scheduler") => s1.map(|(start, _)| (start, issue)),
            _ => Some((
                issue,
                record
                    .retire_cycle
                    .map_or(issue, |cycle| (cycle as usize).saturating_sub(1)),
            )),
        };
        left = s1.map(|(_, end)| end).or(left);
        let Some((first_cycle, last_cycle)) = window else {
            continue;
        };
        windows.push(WindowRow {
            window: windows.len(),
            warp: Some(warp),
            pc: Some(record.pc),
            instruction: instruction_text(record.word),
            first_cycle,
            last_cycle: last_cycle.min(last),
            detected: 0,
        });
    }
    windows
}

/// The number of the SM that contains a path.
pub(crate) fn sm_of(path: &str) -> Option<u32> {
    path.strip_prefix("sm[")?.split_once(']')?.0.parse().ok()
}

/// The unit of the front end that contains a path.
fn block_of(path: &str) -> Option<&'static str> {
    let parts: Vec<&str> = path.split('.').collect();
    match parts[..] {
        [_, "fetch", ..] => Some("fetch"),
        [_, "scheduler", "decode", ..] => Some("decode"),
        [_, "scheduler", ..] => Some("scheduler"),
        _ => None,
    }
}
