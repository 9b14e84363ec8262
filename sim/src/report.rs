//! The outcome of a run: as text for people, and as JSON for programs.

use crate::opencl::compare::Comparison;
use crate::opencl::printed::Output;
use crate::performance::accesses::InstructionAccesses;
use crate::performance::counters::table;
use flexgrip_engines::check::Findings;
use flexgrip_engines::error::RunError;
use flexgrip_engines::files::expectation::{initial_global, Mismatch};
use flexgrip_engines::files::launch::Kernel;
use flexgrip_engines::outcome::counters::SmCounters;
use flexgrip_engines::outcome::RunReport;
use flexgrip_engines::trace::ending::Ending;
use hdlkit::output::grouped;
use serde::Serialize;
use std::fmt;

/// Maximum number of mismatches listed in a report; their total is always given.
pub const LISTED_MISMATCHES: usize = 100;
/// Maximum number of mismatches listed in the text.
const SHOWN_MISMATCHES: usize = 10;

/// The outcome of a run. Its serialisation is what `--json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the kernel.
    pub kernel: String,
    /// Name of the engine.
    pub engine: &'static str,
    /// Scalar processors of an SM.
    pub lanes: u32,
    /// Streaming multiprocessors.
    pub sms: u32,
    /// Clock cycles; `null` for an engine without a clock.
    pub cycles: Option<u64>,
    /// Warp instructions executed.
    pub warp_instructions: u64,
    /// Warp instructions, each counted once for every thread that executed it.
    pub thread_instructions: u64,
    /// Branches that split a warp.
    pub divergent_branches: u64,
    /// The counters of each SM, see `docs/counters.md`; empty without cycles.
    pub counters: Vec<SmCounters>,
    /// Warp instructions per cycle; `null` without cycles.
    pub ipc: Option<f64>,
    /// Seconds taken by the run itself.
    pub wall_seconds: f64,
    /// Simulated cycles per second, without skipped cycles; `null` without cycles.
    pub cycles_per_second: Option<f64>,
    /// True if memory matches the expectations in the kernel's folder; `null` if there are none. A kernel that failed
    /// does not match.
    #[serde(rename = "match")]
    pub matches: Option<bool>,
    /// The first [`LISTED_MISMATCHES`] words that differ from the expected ones.
    pub mismatches: Vec<Mismatch>,
    /// The total number of mismatches.
    pub mismatch_count: usize,
    /// The kernel's error; `null` if there is none.
    pub error: Option<String>,
    /// The comparison of an OpenCL kernel's buffers with another implementation's; `null` without one.
    pub comparison: Option<Comparison>,
    /// The checker's findings; `null` without `--check`.
    pub check: Option<Findings>,
    /// Memory transactions by instruction; `null` without `--accesses`.
    pub accesses: Option<Vec<InstructionAccesses>>,
    /// The output of `printf`; left out for a kernel that does not call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed: Option<Output>,
}

/// The quotient `a / b`; `None` if it is not finite.
fn per(a: f64, b: f64) -> Option<f64> {
    Some(a / b).filter(|quotient| quotient.is_finite())
}

impl Summary {
    /// The summary of a run of `kernel` on `engine`, with `lanes` and `sms`.
    pub fn new(kernel: &Kernel, engine: &'static str, lanes: u32, sms: u32, report: &RunReport) -> Self {
        let mut mismatches = Vec::new();
        let error = match &report.ending {
            Ending::Failed(error) => Some(RunError::of_kernel(kernel, *error).to_string()),
            Ending::OutOfTime(late) => Some(late.to_string()),
            Ending::Stopped => Some("stopped before its end".into()),
            Ending::Complete => None,
        };
        if error.is_none() {
            let initial = initial_global(&kernel.launch, report.global.len());
            for expectation in &kernel.expectations {
                mismatches.extend(expectation.mismatches(&initial, &report.global));
            }
        }
        let matches = match &error {
            Some(_) => Some(false),
            None if kernel.expectations.is_empty() => None,
            None => Some(mismatches.is_empty()),
        };
        let mismatch_count = mismatches.len();
        mismatches.truncate(LISTED_MISMATCHES);
        let wall_seconds = report.wall.as_secs_f64();
        let cycles = report.cycles.map(|cycles| cycles as f64);
        Summary {
            kernel: kernel.launch.name.clone(),
            engine,
            lanes,
            sms,
            cycles: report.cycles,
            warp_instructions: report.warp_instructions,
            thread_instructions: report.thread_instructions,
            divergent_branches: report.divergent_branches,
            counters: report.counters.clone(),
            ipc: cycles.and_then(|cycles| per(report.warp_instructions as f64, cycles)),
            wall_seconds,
            cycles_per_second: report
                .cycles
                .and_then(|cycles| per(cycles.saturating_sub(report.skipped) as f64, wall_seconds)),
            matches,
            mismatches,
            mismatch_count,
            error,
            comparison: None,
            check: None,
            accesses: None,
            printed: None,
        }
    }

    /// Marks the run as failed, for a reason outside the machine.
    pub fn refuse(&mut self, error: String) {
        self.matches = Some(false);
        self.error = Some(error);
    }

    /// True if the exit code is 0: no expectation, comparison or check has failed.
    pub fn success(&self) -> bool {
        self.matches != Some(false)
            && self.comparison.as_ref().is_none_or(|comparison| comparison.within)
            && self.check.as_ref().is_none_or(|check| check.errors == 0)
    }
}

impl fmt::Display for Summary {
    /// The outcome without the verdict, which is its last line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kernel             {}", self.kernel)?;
        match self.cycles {
            None => writeln!(f, "engine             {}", self.engine)?,
            Some(_) => writeln!(
                f,
                "engine             {}, {} lanes, {} SM",
                self.engine, self.lanes, self.sms
            )?,
        }
        if let Some(cycles) = self.cycles {
            writeln!(f, "cycles             {}", grouped(cycles))?;
        }
        writeln!(f, "warp instructions  {}", grouped(self.warp_instructions))?;
        if let Some(ipc) = self.ipc {
            writeln!(f, "IPC                {ipc:.3}")?;
        }
        match self.cycles_per_second {
            Some(rate) => writeln!(f, "simulated          {} cycles/s", grouped(rate as u64)),
            None => match per(self.warp_instructions as f64, self.wall_seconds) {
                Some(rate) => writeln!(f, "simulated          {} warp instructions/s", grouped(rate as u64)),
                None => Ok(()),
            },
        }
    }
}

impl Summary {
    /// The counters as a table; for an engine without counters, only the divergent branches.
    pub fn stats(&self) -> String {
        if self.counters.is_empty() {
            format!("divergent branches {}\n", grouped(self.divergent_branches))
        } else {
            format!("\n{}\n", table(&self.counters))
        }
    }

    /// The last line of the text, followed by the first mismatches.
    pub fn verdict(&self) -> String {
        match (&self.error, self.matches) {
            (Some(error), _) => format!("error: {error}"),
            (None, _) if self.check.as_ref().is_some_and(|check| check.errors > 0) => {
                "the kernel has errors, see above".into()
            }
            (None, None) if self.comparison.is_some() => {
                self.comparison.as_ref().map(ToString::to_string).unwrap_or_default()
            }
            (None, None) if self.check.is_some() => "the checker found no error".into(),
            (None, None) => "nothing to check: the kernel has no expectations".into(),
            (None, Some(true)) => "result matches".into(),
            (None, Some(false)) => {
                let words = if self.mismatch_count == 1 {
                    "word is"
                } else {
                    "words are"
                };
                let mut text = format!("result does not match: {} {words} not as expected", self.mismatch_count);
                for Mismatch {
                    space,
                    address,
                    expected,
                    got,
                } in self.mismatches.iter().take(SHOWN_MISMATCHES)
                {
                    text.push_str(&format!(
                        "\n  {space} {address:#07x}: expected {expected:08x}, got {got:08x}"
                    ));
                }
                if self.mismatch_count > SHOWN_MISMATCHES {
                    text.push_str(&format!("\n  and {} more", self.mismatch_count - SHOWN_MISMATCHES));
                }
                text
            }
        }
    }
}
