//! A bench for a kernel with faults: the golden run, passes, and simulations of whole machines.

use super::injection::Injection;
use super::memory_uses::MemoryUses;
use super::pass::{Pass, Spread};
use super::sites::sites;
use crate::error::CampaignError;
use crate::records::{Comparison, Records};
use crate::setup::{limit, Setup};
use crate::unit::pins::GateFaults;
use crate::verdict::{Golden, Verdict};
use crate::writers::Owners;
use flexgrip_engines::engine::Observer;
use flexgrip_engines::error::RunError;
use flexgrip_engines::native::compiled::CompiledMachine;
use flexgrip_engines::native::core::NativeCore;
use flexgrip_engines::native::snapshot::Snapshot;
use flexgrip_engines::outcome::RunReport;
use flexgrip_engines::trace::ending::Ending;
use flexgrip_faults::{Fault, FirstRecord, Sites};
use flexgrip_machine::{Launch, Retire};
use hdlkit_compiled::{Code, Concurrent, MachineCode};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A kernel on the circuits, with its golden run, for injecting faults.
pub struct FaultBench<'a> {
    machine: &'a mut CompiledMachine,
    core: NativeCore<Concurrent>,
    start: Snapshot,
    golden: Golden,
    /// The records of the golden run, made on demand: a plan needs none, and they take much memory.
    records: Option<Records>,
    launch: &'a Launch,
    gates: Option<&'a GateFaults>,
}

impl FaultBench<'_> {
    /// Runs `work` with a bench for a kernel, on a new thread.
    ///
    /// # Errors
    /// The launch does not fit, or fails without a fault; there is no machine code for this processor; or an error of
    /// `work`.
    pub fn with<T: Send>(
        setup: &Setup,
        work: impl FnOnce(&mut FaultBench) -> Result<T, RunError> + Send,
    ) -> Result<T, RunError> {
        let Setup {
            launch,
            options,
            factor,
            floats,
            gates,
        } = *setup;
        CompiledMachine::with(launch, options, |machine| {
            let start = machine.snapshot(1)?;
            let report = machine.run(&start, |_| (), None, None)?;
            if let Ending::Failed(error) = report.ending {
                return Err(RunError::of_launch(launch, error));
            }
            let cycles = report.cycles.unwrap_or_default();
            let golden = Golden {
                report,
                cycles,
                ended: machine.ended().unwrap_or_default(),
                floats: floats.clone(),
                state: machine.state()?,
            };
            machine.set_limit(limit(cycles, factor));
            let concurrent = Concurrent::new(machine.code(), machine.ports().guards())
                .ok_or_else(|| RunError::Bench("these circuits have blocks that are called".into()))?;
            work(&mut FaultBench {
                core: machine.beside(concurrent),
                machine,
                start,
                golden,
                records: None,
                launch,
                gates,
            })
        })
    }

    /// The golden run.
    pub fn golden(&self) -> &Golden {
        &self.golden
    }

    /// The number of cycles after which a run counts as a hang.
    pub fn limit(&self) -> u64 {
        self.machine.limit()
    }

    /// The sites of the circuits.
    ///
    /// # Errors
    /// The errors of [`sites`].
    pub fn sites(&self) -> Result<Sites, flexgrip_faults::Error> {
        sites(&self.machine.code(), self.gates)
    }

    /// The injection of a campaign's fault; `None` if its site, element or bits do not exist.
    pub fn injection(&self, fault: &Fault, sites: &Sites) -> Option<Injection> {
        Injection::new(fault, sites, &self.machine.code(), self.gates)
    }

    /// The injection of a campaign's fault, or an error if its bits do not exist.
    pub(crate) fn checked(&self, fault: &Fault, sites: &Sites) -> Result<Injection, CampaignError> {
        fault.check(sites, self.golden().cycles)?;
        self.injection(fault, sites)
            .ok_or(CampaignError::NoSuch { id: fault.id })
    }

    /// The machine code of the circuits.
    pub fn code(&self) -> Arc<Code> {
        self.machine.code()
    }

    /// Simulates faults in a single pass. Calls `verdict` with the index of each fault and its verdict, in any order.
    ///
    /// # Errors
    /// A fault is in a bit that does not exist, or in a cycle outside the golden run; or an error of `verdict`.
    pub fn run(
        &mut self,
        injections: &[Injection],
        mut verdict: impl FnMut(usize, Verdict) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        if let Some(index) = injections
            .iter()
            .position(|one| !(1..=self.golden.cycles).contains(&one.cycle))
        {
            let cycles = self.golden.cycles;
            return Err(RunError::Bench(format!("fault {index} is not in cycles 1 to {cycles}")));
        }
        let FaultBench {
            machine,
            core,
            start,
            golden,
            records,
            launch,
            ..
        } = self;
        let whole = RefCell::new((machine, records));
        let verdict = RefCell::new(&mut verdict);
        let mut known = |index, mut known: Verdict, is_drifted| {
            {
                let (machine, records) = &mut *whole.borrow_mut();
                known.damage.owners = owners(machine, start, records, &known.damage.places)?;
            }
            if is_drifted && known.first_record.is_none() {
                let (machine, records) = &mut *whole.borrow_mut();
                known.first_record = observed(machine, start, records, &injections[index], Until::FirstRecord)?.1;
            }
            (verdict.borrow_mut())(index, known)
        };
        let mut spread = |spread: Spread| {
            let injection = &injections[spread.index];
            let (machine, records) = &mut *whole.borrow_mut();
            let (report, first_record) = match spread.first_record {
                None => observed(machine, start, records, injection, Until::End)?,
                known => (None, known),
            };
            let (run, from) = match report {
                Some(report) => (Ok(report), injection.cycle),
                None => {
                    let held = injection.held(spread.cycle, spread.late);
                    let run = machine.run(&spread.from, |_| (), held, None);
                    (run, spread.cycle)
                }
            };
            let mut judged = golden.judge(run, golden.ended(from, machine), &machine.state()?)?;
            judged.damage.owners = owners(machine, start, records, &judged.damage.places)?;
            let judged = Verdict {
                first_record,
                first_store: spread.first_store,
                ..judged
            };
            (verdict.borrow_mut())(spread.index, judged)
        };
        Pass::new(core, (launch, start), golden, injections, &mut known, &mut spread)?.run()
    }

    /// Runs the kernel without a fault, and records the uses of its memories.
    ///
    /// # Errors
    /// The run differs from the golden run: a defect of this program.
    pub fn memory_uses(&mut self) -> Result<MemoryUses, RunError> {
        let mut uses = MemoryUses::new(&self.code());
        let FaultBench {
            core,
            start,
            golden,
            launch,
            ..
        } = self;
        let (mut verdicts, mut spread) = (|_, _, _| Ok(()), |_| Ok(()));
        let pass = Pass::new(core, (launch, start), golden, &[], &mut verdicts, &mut spread)?;
        pass.noting(&mut uses).run()?;
        Ok(uses)
    }

    /// Simulates a fault on a separate whole machine, from the cycle of the fault, without first record and first
    /// store. The verdict must equal the verdict of [`FaultBench::run`].
    ///
    /// # Errors
    /// The fault is in a cycle outside the golden run.
    pub fn run_whole(&mut self, injection: &Injection) -> Result<Verdict, RunError> {
        let run = run_fault(self.machine, &self.start, injection, None)?;
        let ended = self.golden.ended(injection.cycle, self.machine);
        let mut verdict = self.golden.judge(run, ended, &self.machine.state()?)?;
        let words = &verdict.damage.places;
        verdict.damage.owners = owners(self.machine, &self.start, &mut self.records, words)?;
        Ok(verdict)
    }
}

/// Runs a whole machine with a fault, from the cycle of the fault. The inner result is the end of this run.
fn run_fault(
    machine: &mut CompiledMachine,
    start: &Snapshot,
    injection: &Injection,
    observer: Option<&mut Observer>,
) -> Result<Result<RunReport, RunError>, RunError> {
    let from = match injection.cycle {
        1 => Cow::Borrowed(start),
        cycle => Cow::Owned(machine.snapshot_from(start, cycle, observer.is_some())?),
    };
    let flip = |machine: &mut MachineCode| injection.flip(machine);
    let held = injection.held(injection.cycle, vec![]);
    Ok(machine.run(&from, flip, held, observer))
}

/// The threads, warps and blocks that stored the wrong words in the golden run.
fn owners(
    machine: &mut CompiledMachine,
    start: &Snapshot,
    records: &mut Option<Records>,
    words: &[u32],
) -> Result<Owners, RunError> {
    if words.is_empty() {
        return Ok(Owners::default());
    }
    Ok(known_records(machine, start, records)?.writers().owners(words))
}

/// Returns the records of the golden run. The first call makes them.
fn known_records<'r>(
    machine: &mut CompiledMachine,
    start: &Snapshot,
    records: &'r mut Option<Records>,
) -> Result<&'r Records, RunError> {
    Ok(match records {
        Some(known) => known,
        none => none.insert(recorded(machine, start)?),
    })
}

/// Records the golden run.
fn recorded(machine: &mut CompiledMachine, start: &Snapshot) -> Result<Records, RunError> {
    let mut records = Records::default();
    let mut observer = |record: &Retire| {
        records.push(record.clone());
        ControlFlow::Continue(())
    };
    machine.run(start, |_| (), None, Some(&mut observer))?;
    Ok(records)
}

/// The end of an observed run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// The first record that differs.
    FirstRecord,
    /// The end of the run.
    End,
}

/// Runs a whole machine with a fault, from the cycle of the fault, and observes its records. Returns the report and the
/// first record that differs. The report is `None` for a machine that violates the protocol of its ports or records,
/// because observing it may change how it ends.
fn observed(
    machine: &mut CompiledMachine,
    start: &Snapshot,
    records: &mut Option<Records>,
    injection: &Injection,
    until: Until,
) -> Result<(Option<RunReport>, Option<FirstRecord>), RunError> {
    let records = known_records(machine, start, records)?;
    let mut comparison = records.compare(injection.cycle);
    let mut found = None;
    let mut observer = |record: &Retire| {
        if found.is_none() {
            let golden = comparison.golden(record);
            if !Comparison::is_same(golden, record) {
                found = Some(Comparison::first(golden, record));
            }
        }
        match found.is_some() && until == Until::FirstRecord {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    match run_fault(machine, start, injection, Some(&mut observer))? {
        Ok(report) => Ok((Some(report), found)),
        Err(RunError::Bench(_) | RunError::Trace(_)) => Ok((None, found)),
        Err(error) => Err(error),
    }
}

impl Golden {
    /// The cycles from the first cycle of the grid to the interrupt of a machine that started at cycle `from`.
    fn ended(&self, from: u64, machine: &CompiledMachine) -> u64 {
        match from - 1 > self.ended {
            // The machine started after the end of the grid.
            true => self.ended,
            false => from - 1 + machine.ended().unwrap_or_default(),
        }
    }
}
