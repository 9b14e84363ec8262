//! Replays a single fault next to the golden run.

use super::bench::{limit, Setup};
use super::campaign::CampaignError;
use super::inject::{sites, Injection};
use super::records::{Comparison, Records};
use crate::debug::target::Edit;
use crate::engines::engine::Options;
use crate::engines::error::RunError;
use crate::engines::native::compiled::{run_once, CompiledMachine};
use crate::engines::native::snapshot::Snapshot;
use crate::engines::outcome::RunReport;
use crate::files::program::instruction_text;
use crate::timeline::file::TimelineFile;
use crate::waves::file::WaveFile;
use flexgrip_faults::Fault;
use flexgrip_machine::{Launch, Placement, Retire};
use hdlkit_compiled::{Effect, MachineCode, Target};
use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;

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

/// The files to write for a run.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The wave file.
    pub wave: Option<PathBuf>,
    /// A timeline of the instructions that are in flight in the first cycle, or are issued later.
    pub timeline: Option<TimelineFile>,
}

/// Runs the kernel with and without a fault, both from the cycle of the fault. `files` are the files of the golden and
/// of the faulty run.
///
/// # Errors
/// The fault is not a fault of this kernel, or the kernel cannot be run.
pub fn replay(setup: &Setup, fault: &Fault, files: [Files; 2]) -> Result<Replay, CampaignError> {
    let Setup {
        launch,
        options,
        factor,
        gates,
        ..
    } = *setup;
    let made = CompiledMachine::with(launch, options, |machine| {
        Ok((machine.snapshot(Injection::first_cycle(fault))?, machine.code()))
    });
    let (from, code) = made?;
    let sites = sites(&code, gates)?;
    let mut golden = Records::default();
    let [golden_files, files] = files;
    let golden_report = run(options, launch, &from, None, golden_files, &mut |record| {
        golden.push(record)
    })?;
    let cycles = golden_report.cycles.unwrap_or_default();
    fault.check(&sites, cycles)?;
    let injection = Injection::new(fault, &sites, &code, gates).ok_or(CampaignError::NoSuch { id: fault.id })?;
    let mut faulty = vec![];
    let options = Options {
        max_cycles: limit(cycles, factor),
        ..options.clone()
    };
    let end = run(&options, launch, &from, Some(&injection), files, &mut |record| {
        faulty.push(record)
    });
    Ok(Replay { golden, faulty, end })
}

/// The changes with which a debugger of the circuits reproduces a fault, in the cycle of the fault.
///
/// # Errors
/// The fault is not a flip, or not a fault of this kernel.
pub fn changes(setup: &Setup, fault: &Fault) -> Result<Vec<Edit>, CampaignError> {
    let made = CompiledMachine::with(setup.launch, setup.options, |machine| Ok(machine.code()));
    let code = made?;
    let sites = sites(&code, setup.gates)?;
    let injection = Injection::new(fault, &sites, &code, setup.gates);
    let injection = injection.filter(|injection| injection.effect == Effect::Flip);
    let injection = injection.ok_or(CampaignError::NoSuch { id: fault.id })?;
    let mut changes = vec![];
    for (target, mask) in &injection.targets {
        let name = match *target {
            Target::FlipFlop(number) => code.flip_flops().nth(number).map(|register| register.name),
            Target::Memory { memory, word } => code.memories().nth(memory).map(|memory| {
                let (element, word) = (word / memory.stride, word % memory.stride);
                format!("{}[{element}][{word}]", memory.name)
            }),
        };
        let name = name.ok_or(CampaignError::NoSuch { id: fault.id })?;
        let bits = (0..u128::BITS).filter(|bit| mask >> bit & 1 != 0);
        changes.extend(bits.map(|bit| Edit::Flip {
            name: name.clone(),
            bit,
        }));
    }
    Ok(changes)
}

fn run(
    options: &Options,
    launch: &Launch,
    from: &Snapshot,
    injection: Option<&Injection>,
    files: Files,
    see: &mut (dyn FnMut(Retire) + Send),
) -> Result<RunReport, RunError> {
    let options = Options {
        wave: files.wave.map(WaveFile::new).transpose()?,
        timeline: files.timeline,
        ..options.clone()
    };
    let flip = |machine: &mut MachineCode| {
        if let Some(injection) = injection {
            injection.flip(machine);
        }
    };
    let held = injection.and_then(|injection| injection.held(injection.cycle, vec![]));
    let mut observer = |record: &Retire| {
        see(record.clone());
        ControlFlow::Continue(())
    };
    run_once(launch, &options, from, flip, held, Some(&mut observer))
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
