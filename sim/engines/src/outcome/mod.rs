//! The outcome of a run.

pub mod counters;

use crate::check::Checked;
use crate::trace::ending::Ending;
use counters::{total, SmCounters};
use flexgrip_machine::host_map::SmCounter;
use flexgrip_model::Machine;
use std::time::Duration;

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunReport {
    /// The ending of the run.
    pub ending: Ending,
    /// Clock cycles from start to done; `None` for an engine without a clock.
    pub cycles: Option<u64>,
    /// The number of [`RunReport::cycles`] before the snapshot from which the run continued; otherwise 0.
    pub skipped: u64,
    /// Warp instructions executed.
    pub warp_instructions: u64,
    /// Warp instructions, each counted once for every thread that executed it.
    pub thread_instructions: u64,
    /// Branches that split a warp.
    pub divergent_branches: u64,
    /// The counters of each SM; empty for an engine without a clock, and after a stopped run if they were not read.
    pub counters: Vec<SmCounters>,
    /// Global memory after the run, in words from address 0.
    pub global: Vec<u32>,
    /// Time of the run itself, without building, loading and reading back.
    pub wall: Duration,
    /// The checker's findings, if the kernel was checked.
    pub check: Option<Checked>,
}

impl RunReport {
    /// The outcome of this launch and of the launches before it. Counters belong to the last launch.
    #[must_use]
    pub fn after(self, before: &RunReport) -> Self {
        RunReport {
            cycles: before.cycles.zip(self.cycles).map(|(a, b)| a + b),
            warp_instructions: before.warp_instructions + self.warp_instructions,
            thread_instructions: before.thread_instructions + self.thread_instructions,
            divergent_branches: before.divergent_branches + self.divergent_branches,
            wall: before.wall + self.wall,
            ..self
        }
    }

    /// The report of the golden model.
    pub fn of_model(machine: &Machine, ending: Ending, wall: Duration) -> Self {
        let outcome = machine.outcome();
        RunReport {
            ending,
            cycles: None,
            skipped: 0,
            warp_instructions: outcome.warp_instructions,
            thread_instructions: outcome.thread_instructions,
            divergent_branches: outcome.divergent_branches,
            counters: Vec::new(),
            global: machine.global().words().collect(),
            wall,
            check: machine.checker().map(Checked::of),
        }
    }

    /// The report of a machine with a clock, from its SMs' counters.
    pub fn of_machine(
        ending: Ending,
        cycles: u64,
        counters: Vec<SmCounters>,
        global: Vec<u32>,
        wall: Duration,
    ) -> Self {
        RunReport {
            ending,
            cycles: Some(cycles),
            skipped: 0,
            warp_instructions: total(&counters, SmCounter::Issued),
            thread_instructions: total(&counters, SmCounter::ThreadInstructions),
            divergent_branches: total(&counters, SmCounter::DivergentBranches),
            counters,
            global,
            wall,
            check: None,
        }
    }
}
