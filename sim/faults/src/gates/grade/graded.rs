//! Graded faults, and the instructions that detect them.

use crate::gates::list::Untestable;
use crate::results::outcome::Outcome;
use crate::text::named::named;
use serde::Serialize;
use std::collections::BTreeMap;

named! {
    /// The points at which differences are observed.
    Observe {
        /// At the unit's outputs, while it holds an instruction; only the unit is simulated, with recorded inputs (open
        /// loop).
        Outputs "outputs",
        /// In registers, condition codes, masks and memory, as instructions change them; the whole machine is simulated
        /// (closed loop).
        State "state",
        /// In global memory at the end; the whole machine is simulated (closed loop).
        Memory "memory",
    }
}

named! {
    /// The status of a fault.
    Status {
        /// A difference was observed.
        Detected "detected",
        /// The machine stopped with an error code, and no other difference was observed.
        Stopped "stopped",
        /// The run did not end, and no other difference was observed: only a watchdog detects this fault.
        Hang "hang",
        /// The pin had the other value, but no difference was observed.
        NotObserved "not-observed",
        /// The pin has the stuck-at value in every cycle of the run without a fault.
        NotExcited "not-excited",
        /// No test can detect the fault.
        Untestable "untestable",
    }
}

impl Status {
    /// The usual abbreviation in fault simulators.
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

    /// True for a detected fault; a hang is only detected with a watchdog.
    pub fn is_detected(self, has_watchdog: bool) -> bool {
        match self {
            Status::Detected | Status::Stopped => true,
            Status::Hang => has_watchdog,
            Status::NotObserved | Status::NotExcited | Status::Untestable => false,
        }
    }
}

/// The first observed difference of a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct First {
    /// The cycle, from 1, as in traces.
    pub cycle: u64,
    /// The instruction's SM.
    pub sm: Option<u32>,
    /// The slot of the warp in its SM.
    pub warp: Option<u32>,
    /// The byte address of the instruction.
    pub pc: Option<u32>,
    /// The text of the instruction.
    pub instruction: String,
    /// The physical lane.
    pub lane: Option<u32>,
    /// The thread of the warp, 0 to 31.
    pub thread: Option<u32>,
    /// In the open loop, the first output bit that differs, in the order of the ports.
    pub output: String,
}

/// The grade of a prime fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GradedFault {
    /// The number of the fault in the list of all faults of the unit.
    pub id: usize,
    /// The pin.
    pub site: String,
    /// The stuck-at value, 0 or 1.
    pub stuck_at: u8,
    /// The number of equivalent faults, this one included.
    pub equivalent: usize,
    /// The status of the fault.
    pub status: Status,
    /// The reason why no test can detect it.
    pub untestable: Option<Untestable>,
    /// The first difference of a detected fault; `None` if the machine stopped before one was observed.
    pub first: Option<First>,
    /// In the closed loop, the outcome of the run; `None` for a fault that was not simulated, because the unit's
    /// outputs never differ.
    pub outcome: Option<Outcome>,
    /// The error code with which the machine stopped.
    pub code: Option<String>,
    /// Without dropping: the addresses of all instructions that detect the fault, ascending. `None` with dropping.
    pub instructions: Option<Vec<u32>>,
}

/// An instruction of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramLine {
    /// The text of the instruction.
    pub text: String,
    /// The number of executed warp instructions.
    pub executions: u64,
}

/// The grade of a kernel: all faults of a unit, tested by this kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grade {
    /// The points at which differences were observed.
    pub observe: Observe,
    /// The faults, by ascending number.
    pub faults: Vec<GradedFault>,
    /// The program by byte address.
    pub program: BTreeMap<u32, ProgramLine>,
    /// The cycles of the run without a fault: the test application time.
    pub cycles: u64,
}

/// A line of `instructions.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InstructionRow {
    /// The byte address, such as `0x0048`; empty for detections without an instruction.
    pub pc: String,
    /// The text of the instruction.
    pub instruction: String,
    /// The number of executed warp instructions.
    pub executions: u64,
    /// The number of prime faults that this instruction is the first to detect.
    pub new_prime: usize,
    /// Like `new_prime`, with equivalent faults counted.
    pub new: usize,
    /// Without dropping: the number of all prime faults that it detects.
    pub all_prime: Option<usize>,
    /// Like `all_prime`, with equivalent faults counted.
    pub all: Option<usize>,
    /// The share of faults, equivalent ones included, that are detected by this instruction or one above it, from 0 to
    /// 1.
    pub coverage: f64,
}

impl Grade {
    /// The instructions in the order of their addresses, with the faults that each detects. Detections without an
    /// instruction are in an additional last line.
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

    /// The share of all faults, equivalent ones included, with a first difference up to a cycle: one step for each
    /// cycle with a new detection.
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

/// A byte address as text for tables.
pub(super) fn hexadecimal(pc: u32) -> String {
    format!("{pc:#06x}")
}

/// A part of a whole; 0 if the whole is 0.
pub(super) fn share(part: usize, of: usize) -> f64 {
    part as f64 / of.max(1) as f64
}
