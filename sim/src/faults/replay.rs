//! One fault again, beside the golden run.

use super::bench::{limit, Setup};
use super::campaign::CampaignError;
use super::inject::{sites, Injection};
use super::records::{Comparison, Records};
use crate::engines::engine::Options;
use crate::engines::error::RunError;
use crate::engines::native::compiled::{run_once, CompiledMachine};
use crate::engines::native::snapshot::Snapshot;
use crate::engines::outcome::RunReport;
use crate::files::program::instruction_text;
use crate::waves::file::WaveFile;
use flexgrip_faults::Fault;
use flexgrip_machine::{Launch, Placement, Retire};
use hdlkit_compiled::MachineCode;
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;

/// Both runs from the fault on.
pub struct Replay {
    /// The golden run's records.
    pub golden: Records,
    /// The faulty one's.
    pub faulty: Vec<Retire>,
    /// How the faulty run has ended; an error if the machine breaks the rules of its ports, or of its records.
    pub end: Result<RunReport, RunError>,
}

/// A record of the faulty run that differs.
pub struct Differing<'a> {
    /// The golden run's; `None` if its warp has ended by then.
    pub golden: Option<&'a Retire>,
    /// The faulty one's.
    pub faulty: &'a Retire,
}

/// Runs the kernel with a fault and without, both from the fault's cycle on; `waves`: of the golden run and the faulty one.
///
/// # Errors
/// The fault is not of this kernel, or the kernel cannot be run.
pub fn replay(setup: &Setup, fault: &Fault, waves: [Option<&Path>; 2]) -> Result<Replay, CampaignError> {
    let Setup {
        launch,
        options,
        factor,
        gates,
        ..
    } = *setup;
    let made = CompiledMachine::with(launch, options, |machine| {
        Ok((machine.snapshot(fault.cycle)?, machine.code()))
    });
    let (from, code) = made?;
    let sites = sites(&code, gates)?;
    let mut golden = Records::default();
    let golden_report = run(options, launch, &from, None, waves[0], &mut |record| {
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
    let end = run(&options, launch, &from, Some(&injection), waves[1], &mut |record| {
        faulty.push(record)
    });
    Ok(Replay { golden, faulty, end })
}

fn run(
    options: &Options,
    launch: &Launch,
    from: &Snapshot,
    injection: Option<&Injection>,
    wave: Option<&Path>,
    see: &mut (dyn FnMut(Retire) + Send),
) -> Result<RunReport, RunError> {
    let wave = wave.map(WaveFile::new).transpose()?;
    let options = Options {
        wave,
        ..options.clone()
    };
    let flip = |machine: &mut MachineCode| {
        if let Some(injection) = injection {
            injection.flip(machine);
        }
    };
    let held = injection.and_then(|injection| injection.held(injection.cycle));
    let mut observer = |record: &Retire| {
        see(record.clone());
        ControlFlow::Continue(())
    };
    run_once(launch, &options, from, flip, held, Some(&mut observer))
}

impl Replay {
    /// The records that differ, in the order of the faulty run, each with that of the same warp at the same place in its
    /// instructions; and how many of the golden run's the faulty one does not come to.
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
            return write!(f, "\n  only the faulty machine comes here");
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
