//! The log of a compaction: a line for each attempt, with the columns of TestCrush.

use flexgrip_faults::gates::results::write_csv;
use flexgrip_faults::Error;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The decision on an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The instructions stay deleted.
    Proceed,
    /// The instructions are restored.
    Restore,
}

/// An attempt to delete instructions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// The number of the pass, from 1. The first pass deletes runs of instructions without a first detection, later
    /// ones blocks of a fixed size.
    pub pass: usize,
    /// The number of the attempt in its pass, from 1; 0 for a simulation of all faults without a deletion.
    pub block: usize,
    /// The lines of the original text whose instructions were deleted, such as `12-14 17`.
    pub removed: String,
    /// The number of instructions that are left.
    pub left: usize,
    /// True if the text assembles and is a kernel.
    pub compiles: bool,
    /// True if both model and circuits run the kernel to its end, with equal memory.
    pub lsim_ok: Option<bool>,
    /// The test application time in cycles on the circuits.
    pub tat: Option<u64>,
    /// True if the faults were simulated.
    pub fsim_ok: Option<bool>,
    /// The number of detected faults, equivalent ones included. Faults that were not simulated keep their earlier
    /// result.
    pub detected: Option<u64>,
    /// The decision.
    pub verdict: Verdict,
}

/// A line of `log.csv`.
#[derive(Serialize)]
struct Line {
    pass: usize,
    asm_source: String,
    removed_lines: String,
    block_index: usize,
    instructions: usize,
    compiles: &'static str,
    lsim_ok: &'static str,
    tat: Option<u64>,
    fsim_ok: &'static str,
    coverage: String,
    verdict: Verdict,
}

fn answer(is: Option<bool>) -> &'static str {
    match is {
        Some(true) => "yes",
        Some(false) => "no",
        None => "",
    }
}

/// Writes `log.csv`. `faults` is the number of all faults, equivalent ones included.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, log: &[Attempt], source: &str, faults: u64) -> Result<(), Error> {
    let coverage = |detected: u64| format!("{:.4}", 100.0 * detected as f64 / faults.max(1) as f64);
    let line = |attempt: &Attempt| Line {
        pass: attempt.pass,
        asm_source: source.into(),
        removed_lines: attempt.removed.clone(),
        block_index: attempt.block,
        instructions: attempt.left,
        compiles: answer(Some(attempt.compiles)),
        lsim_ok: answer(attempt.lsim_ok),
        tat: attempt.tat,
        fsim_ok: answer(attempt.fsim_ok),
        coverage: attempt.detected.map(coverage).unwrap_or_default(),
        verdict: attempt.verdict,
    };
    let lines: Vec<Line> = log.iter().map(line).collect();
    write_csv(path, &lines)
}

/// Ascending line numbers as text, with ranges: `3-5 9`.
pub fn ranges(lines: impl IntoIterator<Item = usize>) -> String {
    let mut ranges: Vec<(usize, usize)> = vec![];
    for line in lines {
        match ranges.last_mut() {
            Some((_, end)) if line <= *end + 1 => *end = line,
            _ => ranges.push((line, line)),
        }
    }
    let texts = ranges.into_iter().map(|(start, end)| match start == end {
        true => start.to_string(),
        false => format!("{start}-{end}"),
    });
    texts.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn consecutive_lines_form_a_range() {
        assert_eq!(ranges([3, 3, 4, 5, 9]), "3-5 9");
        assert_eq!(ranges([]), "");
    }
}
