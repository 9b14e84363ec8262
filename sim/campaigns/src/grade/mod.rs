//! Grades a kernel as a self-test of a unit: the stuck-at faults of its gates that it detects, and the first detecting
//! instruction of each.
//!
//! ```text
//! kernel ─> record (circuits) ─> open: the unit alone ──────────> outputs
//!                                   └─ faults that reach an output ─> closed: the whole machine ─> state, memory
//! ```
//! A fault that never changes an output of the unit in the open loop does not affect its surroundings. The unit's
//! inputs then stay the same, so the fault has no effect in the closed loop either, and is not simulated there.

mod closed;
mod found;
mod open;
mod owners;

use super::gates::record::{record, Recorded};
use super::gates::windows::sm_of;
use super::setup::Setup;
use super::unit::error::UnitError;
use super::unit::pins::GateFaults;
use super::verdict::Verdict;
use flexgrip_engines::engine::Options;
use flexgrip_engines::files::program::instruction_text;
use flexgrip_faults::gates::grade::{First, Grade, GradedFault, Observe, ProgramLine, Status};
use flexgrip_faults::gates::{excited, Golden};
use flexgrip_faults::Outcome;
use flexgrip_isa::{instructions_at, Style};
use flexgrip_machine::Launch;
use found::Found;
use open::Alone;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::Range;

/// Options of a grade.
#[derive(Clone, Debug)]
pub struct How {
    /// The points at which differences are observed.
    pub observe: Observe,
    /// With [`Observe::Memory`], only these bytes of global memory are observed.
    pub memory: Option<Range<u32>>,
    /// True if the simulation of a fault ends at its first difference. If false, all instructions that detect it are
    /// found; only possible at the unit's outputs.
    pub drops: bool,
    /// The number of threads.
    pub jobs: NonZeroUsize,
}

/// A kernel's run without a fault, with the recorded ports of the unit.
pub struct Run<'a> {
    setup: Setup<'a>,
    gates: &'a GateFaults,
    recorded: Recorded,
    golden: Golden<'a>,
}

/// Grades prime faults of the setup's gates, given by their numbers in the fault list.
///
/// # Errors
/// The errors of [`Run::new`] and [`Run::grade`].
pub fn grade(setup: &Setup, faults: &[usize], how: &How) -> Result<Grade, UnitError> {
    Run::new(setup)?.grade(faults, how)
}

impl<'a> Run<'a> {
    /// Runs the kernel.
    ///
    /// # Errors
    /// The kernel cannot be run, or fails; the setup has no gates; or the outputs of the gates differ from the
    /// circuits.
    pub fn new(setup: &Setup<'a>) -> Result<Self, UnitError> {
        let gates = setup.gates.ok_or(UnitError::NoGates)?;
        let options = Options {
            gates: None,
            ..setup.options.clone()
        };
        let recorded = record(setup.launch, &options, gates.unit())?;
        let golden = Golden::new(gates.unit(), &recorded.stimulus)?;
        Ok(Run {
            setup: *setup,
            gates,
            recorded,
            golden,
        })
    }

    /// The cycles from start to done: the test application time.
    pub fn cycles(&self) -> u64 {
        self.golden.cycles() as u64
    }

    /// Global memory at the end.
    pub fn global(&self) -> &[u32] {
        &self.recorded.global
    }

    /// Simulates prime faults, given by their numbers in the unit's fault list.
    ///
    /// # Errors
    /// The kernel cannot be run on the circuits with gates.
    pub fn grade(&self, faults: &[usize], how: &How) -> Result<Grade, UnitError> {
        let alone = Alone {
            gates: self.gates,
            recorded: &self.recorded,
            golden: &self.golden,
            jobs: how.jobs,
        };
        let results = match how.observe {
            Observe::Outputs => alone.grade(faults, how.drops),
            Observe::State | Observe::Memory => in_machine(&self.setup, &alone, faults, how)?,
        };
        let graded = faults.iter().zip(results);
        let graded = graded.map(|(fault, result)| graded_fault(self.gates, &self.golden, *fault, result));
        Ok(Grade {
            observe: how.observe,
            faults: graded.collect(),
            program: program(self.setup.launch, &self.recorded),
            cycles: self.cycles(),
        })
    }
}

/// Simulates the closed loop for the faults that reach an output of the unit.
fn in_machine(setup: &Setup, alone: &Alone, faults: &[usize], how: &How) -> Result<Vec<Found>, UnitError> {
    // Units outside the SMs also affect the host's accesses before and after the grid.
    let reaching: Vec<usize> = match sm_of(&alone.gates.unit().path) {
        Some(_) => alone.reaching(faults),
        None => alone.testable(faults).collect(),
    };
    let verdicts = closed::verdicts(setup, alone.gates, &reaching, how.jobs)?;
    let mut verdicts: BTreeMap<usize, Verdict> = reaching.into_iter().zip(verdicts).collect();
    let lanes = setup.options.configuration.lanes.count();
    let found = |fault: &usize| match verdicts.remove(fault) {
        None => Found::default(),
        Some(verdict) => found_in_machine(verdict, how, lanes),
    };
    Ok(faults.iter().map(found).collect())
}

fn found_in_machine(verdict: Verdict, how: &How, lanes: u32) -> Found {
    let is_observed = match (&how.observe, &how.memory) {
        (Observe::Memory, None) => verdict.outcome.is_sdc(),
        (Observe::Memory, Some(bytes)) => {
            let words = bytes.start / 4..bytes.end.div_ceil(4);
            verdict.damage.places.iter().any(|place| words.contains(place))
        }
        _ => verdict.first_record.is_some() || verdict.first_store.is_some() || verdict.outcome.is_sdc(),
    };
    let status = match verdict.outcome {
        _ if is_observed => Status::Detected,
        Outcome::Detected => Status::Stopped,
        Outcome::Hang => Status::Hang,
        _ => Status::NotObserved,
    };
    let record = verdict.first_record.as_ref();
    let cycle = record.map(|record| record.cycle);
    let earliest = cycle.into_iter().chain(verdict.first_store).min();
    // Without a record or store, the wrong memory at the end is the only difference.
    let cycle = earliest.or(verdict.cycles.filter(|_| is_observed));
    let first = cycle.filter(|_| status.is_detected(false)).map(|cycle| First {
        cycle,
        sm: record.map(|record| record.sm),
        warp: record.map(|record| record.warp),
        pc: record.map(|record| record.pc as u32),
        instruction: record.map(|record| record.instruction.clone()).unwrap_or_default(),
        lane: record.and_then(|record| record.thread).map(|thread| thread % lanes),
        thread: record.and_then(|record| record.thread),
        output: String::new(),
    });
    Found {
        first,
        instructions: None,
        verdict: Some(verdict),
        status: Some(status),
    }
}

fn graded_fault(gates: &GateFaults, golden: &Golden, fault: usize, found: Found) -> GradedFault {
    let list = gates.list();
    let stuck = list.fault(fault);
    let untestable = list.untestable(fault);
    let status = match (untestable, found.status) {
        (Some(_), _) => Status::Untestable,
        (None, Some(status)) => status,
        (None, None) if excited(golden, list, fault).is_none() => Status::NotExcited,
        (None, None) => Status::NotObserved,
    };
    GradedFault {
        id: fault,
        site: stuck.pin.name(gates.unit()),
        stuck_at: stuck.value.into(),
        equivalent: gates.equivalent(fault),
        status,
        untestable,
        first: found.first,
        outcome: found.verdict.as_ref().map(|verdict| verdict.outcome),
        code: found.verdict.and_then(|verdict| verdict.code),
        instructions: found.instructions,
    }
}

/// The program, with the number of executions of each instruction.
fn program(launch: &Launch, recorded: &Recorded) -> BTreeMap<u32, ProgramLine> {
    let listed = instructions_at(&launch.program, launch.capability).map(|listed| {
        let line = ProgramLine {
            text: listed.statement(Style::Plain),
            executions: 0,
        };
        (listed.address as u32, line)
    });
    let mut program: BTreeMap<u32, ProgramLine> = listed.collect();
    for record in &recorded.records {
        let line = program.entry(record.pc).or_default();
        if line.executions == 0 {
            // Misaligned code is not in the listing.
            line.text = instruction_text(record.word);
        }
        line.executions += 1;
    }
    program
}
