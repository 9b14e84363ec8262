//! Grading a kernel as a self-test: which of a unit's stuck-at faults it detects, and which of its instructions does so first.
//!
//! [`GradedFault`] is the result of one prime fault, [`Grade`] that of all, [`Summary`] has the coverage.

mod files;
mod summary;

use super::list::Untestable;
use crate::named::named;
use crate::outcome::Outcome;
use serde::Serialize;
use std::collections::BTreeMap;

pub use summary::{Coverage, Number, Summary};

named! {
    /// Where differences are looked for.
    Observe {
        /// At the unit's outputs, while it has an instruction; the unit alone, with recorded inputs (open loop).
        Outputs "outputs",
        /// In what instructions do to registers, condition codes, masks and memory; the unit in the whole machine (closed loop).
        State "state",
        /// In global memory at the end; the unit in the whole machine (closed loop).
        Memory "memory",
    }
}

named! {
    /// What has become of a fault.
    Status {
        /// A difference was observed.
        Detected "detected",
        /// The machine has stopped with an error code, and nothing else was observed.
        Stopped "stopped",
        /// The run did not end, and nothing else was observed: detected only by a watchdog.
        Hang "hang",
        /// The pin had the other value, but no difference was observed.
        NotObserved "not-observed",
        /// The pin has this value in every cycle of the run anyway.
        NotExcited "not-excited",
        /// No run detects it.
        Untestable "untestable",
    }
}

impl Status {
    /// The usual abbreviation of fault simulators.
    pub fn code(self) -> &'static str {
        match self {
            Status::Detected => "DD",
            Status::Stopped => "DE",
            Status::Hang => "HG",
            Status::NotObserved => "NO",
            Status::NotExcited => "NC",
            Status::Untestable => "UT",
        }
    }

    /// True for a detected fault; a hang is one only with a watchdog.
    pub fn is_detected(self, has_watchdog: bool) -> bool {
        match self {
            Status::Detected | Status::Stopped => true,
            Status::Hang => has_watchdog,
            Status::NotObserved | Status::NotExcited | Status::Untestable => false,
        }
    }
}

/// The first difference that a fault makes where it is observed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct First {
    /// The cycle, from 1 as in traces.
    pub cycle: u64,
    /// The instruction's SM.
    pub sm: Option<u32>,
    /// The slot of its warp.
    pub warp: Option<u32>,
    /// Its byte address.
    pub pc: Option<u32>,
    /// Its text.
    pub instruction: String,
    /// The physical lane.
    pub lane: Option<u32>,
    /// The thread of the warp, 0 to 31.
    pub thread: Option<u32>,
    /// In the open loop, the first output bit that differs, in the order of the ports.
    pub output: String,
}

/// The result of a prime fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GradedFault {
    /// Its number in the list of all faults of the unit.
    pub id: usize,
    /// The pin.
    pub site: String,
    /// Its value, 0 or 1.
    pub stuck_at: u8,
    /// Faults that are equivalent, with this one.
    pub equivalent: usize,
    /// What has become of it.
    pub status: Status,
    /// Why no run detects it.
    pub untestable: Option<Untestable>,
    /// The first difference of a detected fault; `None` if the machine has stopped before any was seen.
    pub first: Option<First>,
    /// In the closed loop, the outcome of the run; `None` if it was not simulated, because the unit's outputs never differ.
    pub outcome: Option<Outcome>,
    /// The error code of the machine.
    pub code: Option<String>,
    /// Without dropping, the addresses of all instructions that detect it, ascending; `None` with dropping.
    pub instructions: Option<Vec<u32>>,
}

/// An instruction of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramLine {
    /// Its text.
    pub text: String,
    /// Warp instructions that were executed.
    pub executions: u64,
}

/// All faults of a unit, with a kernel as their test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grade {
    /// Where differences were looked for.
    pub observe: Observe,
    /// The faults, by their number.
    pub faults: Vec<GradedFault>,
    /// The program by byte address.
    pub program: BTreeMap<u32, ProgramLine>,
    /// Cycles of the run without a fault: the test application time.
    pub cycles: u64,
}

/// A line of `instructions.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InstructionRow {
    /// The byte address, as `0x0048`; empty for detections without an instruction.
    pub pc: String,
    /// The text.
    pub instruction: String,
    /// Warp instructions that were executed.
    pub executions: u64,
    /// Prime faults that this instruction is the first to detect.
    pub new_prime: usize,
    /// The same with equivalent ones.
    pub new: usize,
    /// Without dropping, all prime faults that it detects.
    pub all_prime: Option<usize>,
    /// The same with equivalent ones.
    pub all: Option<usize>,
    /// Detected by this instruction or one above, as a share of all faults with equivalent ones, from 0 to 1.
    pub coverage: f64,
}

impl Grade {
    /// The instructions in the order of their addresses, and what each detects. Detections that belong to no instruction are in
    /// the last line, if there are any.
    pub fn instructions(&self) -> Vec<InstructionRow> {
        let has_all = self.faults.iter().any(|fault| fault.instructions.is_some());
        let mut of_pc: BTreeMap<Option<u32>, [usize; 4]> = BTreeMap::new();
        for fault in &self.faults {
            if fault.status.is_detected(false) {
                let pc = fault.first.as_ref().and_then(|first| first.pc);
                let counts = of_pc.entry(pc).or_default();
                counts[0] += 1;
                counts[1] += fault.equivalent;
            }
            for pc in fault.instructions.iter().flatten() {
                let counts = of_pc.entry(Some(*pc)).or_default();
                counts[2] += 1;
                counts[3] += fault.equivalent;
            }
        }
        let total: usize = self.faults.iter().map(|fault| fault.equivalent).sum();
        let lines = self.program.iter().map(|(pc, line)| (Some(*pc), line.clone()));
        let without = of_pc.contains_key(&None).then(|| (None, ProgramLine::default()));
        let mut sum = 0;
        let row = |(pc, line): (Option<u32>, ProgramLine)| {
            let [new_prime, new, all_prime, all] = of_pc.get(&pc).copied().unwrap_or_default();
            sum += new;
            InstructionRow {
                pc: pc.map(hexadecimal).unwrap_or_default(),
                instruction: line.text,
                executions: line.executions,
                new_prime,
                new,
                all_prime: has_all.then_some(all_prime),
                all: has_all.then_some(all),
                coverage: share(sum, total),
            }
        };
        lines.chain(without).map(row).collect()
    }

    /// The share of all faults, with equivalent ones, whose first difference is in or before a cycle: a step for each cycle with
    /// a new one.
    pub fn curve(&self) -> Vec<(u64, f64)> {
        let total: usize = self.faults.iter().map(|fault| fault.equivalent).sum();
        let mut of_cycle: BTreeMap<u64, usize> = BTreeMap::new();
        for fault in &self.faults {
            if let Some(first) = &fault.first {
                *of_cycle.entry(first.cycle).or_default() += fault.equivalent;
            }
        }
        let mut sum = 0;
        let step = |(cycle, new)| {
            sum += new;
            (cycle, share(sum, total))
        };
        of_cycle.into_iter().map(step).collect()
    }
}

/// A byte address in tables.
fn hexadecimal(pc: u32) -> String {
    format!("{pc:#06x}")
}

fn share(part: usize, of: usize) -> f64 {
    part as f64 / of.max(1) as f64
}

#[cfg(test)]
mod tests;
