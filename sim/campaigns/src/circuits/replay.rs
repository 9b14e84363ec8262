//! Replays a single fault next to the golden run.

use super::injection::Injection;
use super::sites::sites;
use crate::error::CampaignError;
use crate::records::Records;
use crate::replay::Replay;
use crate::setup::{limit, Setup};
use flexgrip_engines::engine::Options;
use flexgrip_engines::error::RunError;
use flexgrip_engines::native::compiled::{run_once, CompiledMachine};
use flexgrip_engines::native::snapshot::Snapshot;
use flexgrip_engines::outcome::RunReport;
use flexgrip_engines::waves::file::WaveFile;
use flexgrip_faults::Fault;
use flexgrip_machine::{Launch, Retire};
use flexgrip_trace::timeline::file::TimelineFile;
use hdlkit_compiled::{Effect, MachineCode, Target};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// The files to write for a run.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The file for the waves, .vcd or .fst.
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

/// The bits that a fault inverts, in its cycle: each the path of a flip-flop, or of a memory with an index, and the
/// index of the bit.
///
/// # Errors
/// The fault is not a flip, or not a fault of this kernel.
pub fn flipped(setup: &Setup, fault: &Fault) -> Result<Vec<(String, u32)>, CampaignError> {
    let made = CompiledMachine::with(setup.launch, setup.options, |machine| Ok(machine.code()));
    let code = made?;
    let sites = sites(&code, setup.gates)?;
    let injection = Injection::new(fault, &sites, &code, setup.gates);
    let injection = injection.filter(|injection| injection.effect == Effect::Flip);
    let injection = injection.ok_or(CampaignError::NoSuch { id: fault.id })?;
    let mut flipped = vec![];
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
        flipped.extend(bits.map(|bit| (name.clone(), bit)));
    }
    Ok(flipped)
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
