//! The outcome of many runs: a table for people, and JSON for programs.

use crate::output::{coloured, print_bytes, GREEN, RED};
use flexgrip_sim::error::Error;
use flexgrip_sim::files::output::note;
use flexgrip_sim::report::Summary;
use hdlkit::output::{counted, grouped};
use serde::Serialize;
use std::time::Duration;

/// One run in the report.
#[derive(Serialize)]
pub(super) struct Row {
    pub run: String,
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// A run's outcome.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Outcome {
    Ran(Box<Summary>),
    /// The run could not be started or completed.
    Refused {
        #[serde(rename = "match")]
        matches: bool,
        error: String,
    },
}

impl Row {
    fn success(&self) -> bool {
        matches!(&self.outcome, Outcome::Ran(summary) if summary.success())
    }

    fn cycles(&self) -> Option<u64> {
        match &self.outcome {
            Outcome::Ran(summary) => summary.cycles,
            Outcome::Refused { .. } => None,
        }
    }

    /// Prints the output of `printf`, below the line.
    pub fn show_printed(&self) -> Result<(), Error> {
        let Outcome::Ran(summary) = &self.outcome else {
            return Ok(());
        };
        let Some(printed) = &summary.printed else {
            return Ok(());
        };
        print_bytes(&printed.lines())?;
        if let Some(lost) = printed.lost() {
            note(lost);
        }
        Ok(())
    }

    /// The line in the table; `width` is the width of the column of names.
    pub fn line(&self, width: usize, terminal: bool) -> String {
        let (cycles, instructions, verdict) = match &self.outcome {
            Outcome::Refused { error, .. } => (None, None, format!("error: {error}")),
            Outcome::Ran(summary) => (summary.cycles, Some(summary.warp_instructions), verdict(summary)),
        };
        let number = |number: Option<u64>| number.map_or_else(|| "-".into(), grouped);
        let colour = if self.success() { GREEN } else { RED };
        format!(
            "{:width$}  {:>13}  {:>17}  {}\n",
            self.run,
            number(cycles),
            number(instructions),
            coloured(&verdict.replace('\n', "\n    "), colour, terminal)
        )
    }
}

/// The verdict in one line. Differing words are only in the JSON, and in the output of a single run.
fn verdict(summary: &Summary) -> String {
    let whole = summary.verdict();
    let line = match (&summary.error, &summary.comparison) {
        (Some(_), _) => Some(whole.as_str()),
        (None, Some(_)) => whole.lines().last(),
        (None, None) => whole.lines().next(),
    };
    line.unwrap_or_default().trim_end().into()
}

/// The whole batch. Its serialisation is what `--json` prints.
#[derive(Serialize)]
pub(super) struct Report {
    runs: Vec<Row>,
    /// Number of failed runs.
    pub failed: usize,
    /// Sum over all runs; `null` if the engine does not count cycles.
    cycles: Option<u64>,
    /// Number of runs at the same time.
    jobs: usize,
    /// Time from the start of the first run to the end of the last, including loading, compiling and writing.
    wall_seconds: f64,
}

impl Report {
    pub fn new(runs: Vec<Row>, jobs: usize, wall: Duration) -> Self {
        let counted: Vec<u64> = runs.iter().filter_map(Row::cycles).collect();
        Report {
            failed: runs.iter().filter(|run| !run.success()).count(),
            cycles: (!counted.is_empty()).then(|| counted.iter().sum()),
            jobs,
            wall_seconds: wall.as_secs_f64(),
            runs,
        }
    }

    pub fn text(&self) -> String {
        let all = counted(self.runs.len() as u64, "run");
        let mut text = match self.failed {
            0 => format!("{all}, no failure"),
            failed => format!("{all}, {}", counted(failed as u64, "failure")),
        };
        if let Some(cycles) = self.cycles {
            let rate = (cycles as f64 / self.wall_seconds) as u64;
            text += &format!("; {} cycles, {} cycles/s", grouped(cycles), grouped(rate));
        }
        text + &format!(", {} at once, in {:.1} s\n", self.jobs, self.wall_seconds)
    }
}
