//! A bench for a kernel on the golden model: its golden run, and runs with faults.

use super::code::DecodedProgram;
use super::fault::Injection;
use super::injector::FaultInjector;
use crate::error::CampaignError;
use crate::records::Records;
use crate::replay::Replay;
use crate::setup::{limit, Facts, Setup};
use crate::verdict::{Damage, Verdict};
use crate::writers::Writers;
use flexgrip_engines::error::RunError;
use flexgrip_engines::native::snapshot::hash;
use flexgrip_engines::outcome::RunReport;
use flexgrip_engines::trace::ending::Ending;
use flexgrip_faults::{Error, Fault, Outcome, Sites};
use flexgrip_machine::{ErrorKind, KernelError, Launch, Retire};
use flexgrip_model::{Decoded, Injector, Issue, Issued, Stepped, Warp};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::Instant;

/// The maximum number of snapshots of a golden run; each has a copy of all memories.
const SNAPSHOTS: u64 = 64;
/// The maximum number of warp instructions in a golden run, each of which is stored.
const MOST: u64 = 100_000_000;

/// An executed instruction of the golden run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Executed {
    pub pc: u32,
    /// The lanes that executed it.
    pub lanes: u32,
    pub sm: u16,
    pub slot: u16,
}

/// Records the executed instructions of a golden run.
#[derive(Default)]
struct Notes {
    executed: Vec<Executed>,
}

impl Injector for Notes {
    fn at(&mut self, issued: Issued) {
        // Both are less than 256 in any machine.
        let (sm, slot) = (issued.sm as u16, issued.slot as u16);
        self.executed.push(Executed {
            pc: issued.pc,
            lanes: 0,
            sm,
            slot,
        });
    }

    fn before(&mut self, _: &mut Issue<'_>) -> Option<Result<Decoded, ErrorKind>> {
        None
    }

    fn after(&mut self, _: &mut Warp, _: &mut flexgrip_model::Memory, executed: u32) {
        if let Some(last) = self.executed.last_mut() {
            last.lanes = executed;
        }
    }
}

/// A kernel with its golden run.
pub struct InstructionBench<'a> {
    pub(super) launch: &'a Launch,
    pub(super) code: DecodedProgram,
    pub(super) sites: Sites,
    pub(super) lanes: u32,
    /// The executed instructions of the golden run; the first one has number 1.
    pub(super) executed: Vec<Executed>,
    floats: &'a BTreeMap<u32, u32>,
    limit: u64,
    /// The number of instructions between two snapshots. The first snapshot is the initial state, the last one the
    /// final state.
    distance: u64,
    snapshots: Vec<Stepped>,
    /// The writers of memory in the golden run; recorded when a fault first makes a word wrong.
    writers: OnceLock<Writers>,
}

impl<'a> InstructionBench<'a> {
    /// Runs the kernel without a fault.
    ///
    /// # Errors
    /// The launch does not fit, or fails without a fault.
    pub fn new(setup: &Setup<'a>) -> Result<Self, CampaignError> {
        let Setup {
            launch,
            options,
            factor,
            floats,
            ..
        } = *setup;
        options.refuse_protection("golden model").map_err(CampaignError::from)?;
        let configuration = &options.configuration;
        let of_kernel = |error: KernelError| CampaignError::from(RunError::of_launch(launch, error));
        let start = Stepped::new(launch.clone(), configuration.clone()).map_err(RunError::from)?;
        let mut notes = Notes::default();
        let mut golden = start.clone();
        while golden.next().map_err(of_kernel)?.is_some() {
            golden.advance_injected(1 << 16, &mut notes).map_err(of_kernel)?;
            if notes.executed.len() as u64 > MOST {
                let wrong = format!("the kernel executes more than {MOST} warp instructions, too many for a campaign");
                return Err(RunError::Bench(wrong).into());
            }
        }
        let total = notes.executed.len() as u64;
        let distance = total.div_ceil(SNAPSHOTS).max(1);
        let mut snapshots = vec![start];
        while let Some(last) = snapshots.last().filter(|last| last.next() != Ok(None)) {
            let mut next = last.clone();
            next.advance(distance).map_err(of_kernel)?;
            snapshots.push(next);
        }
        let code = DecodedProgram::new(launch);
        Ok(InstructionBench {
            launch,
            sites: code.sites(configuration.sms)?,
            code,
            lanes: configuration.lanes.count(),
            executed: notes.executed,
            floats,
            limit: limit(total, factor),
            distance,
            snapshots,
            writers: OnceLock::new(),
        })
    }

    /// The sites: all instructions and multiprocessors.
    pub fn sites(&self) -> &Sites {
        &self.sites
    }

    /// Facts about the golden run.
    pub fn facts(&self) -> Facts {
        let cycles = self.executed.len() as u64;
        let program = self.launch.program.iter().flat_map(|word| word.to_le_bytes());
        let global = self.end().machine().global().bytes().iter().copied();
        let bytes: Vec<u8> = cycles.to_le_bytes().into_iter().chain(program).chain(global).collect();
        Facts {
            sites: self.sites.clone(),
            cycles,
            limit: self.limit,
            golden: hash(bytes),
        }
    }

    fn end(&self) -> &Stepped {
        // There is at least the snapshot of the initial state.
        &self.snapshots[self.snapshots.len() - 1]
    }

    /// The latest snapshot before the instruction with this number.
    fn before(&self, number: u64) -> &Stepped {
        let at = number.saturating_sub(1) / self.distance;
        &self.snapshots[(at as usize).min(self.snapshots.len() - 1)]
    }

    /// The injection of a fault, with the parameters of its model.
    ///
    /// # Errors
    /// The fault is not a fault of this kernel.
    pub(super) fn injection(&self, fault: &Fault) -> Result<Injection, Error> {
        fault.check(&self.sites, self.executed.len() as u64)?;
        let injection = Injection::new(fault, &self.sites, &self.code)?;
        let executed = self.executed.get(fault.cycle as usize - 1);
        match (injection.pc, executed) {
            (Some(pc), Some(executed)) if executed.pc != pc => Err(Error::Fault {
                id: fault.id,
                column: "cycle",
                wrong: format!("{}, which is the instruction at {:#06x}", fault.cycle, executed.pc),
                expected: format!("the number of an instruction at {pc:#06x}"),
            }),
            _ => Ok(injection),
        }
    }

    /// Runs the kernel with a fault, from the latest snapshot before it.
    ///
    /// # Errors
    /// The fault is not a fault of this kernel.
    pub fn run(&self, fault: &Fault) -> Result<Verdict, CampaignError> {
        let injection = self.injection(fault)?;
        let mut faulty = self.before(injection.watched_from()).clone();
        let mut injector = FaultInjector::new(&injection, &self.code, self.launch);
        let is_over = injection.until != u64::MAX;
        let ended = self.to_end(&mut faulty, &injection, &mut injector, is_over);
        self.judge(&faulty, ended, injector)
    }

    /// Runs the kernel with a fault from its start to its end, without shortcuts. The verdict must equal the verdict of
    /// [`InstructionBench::run`].
    ///
    /// # Errors
    /// The errors of [`InstructionBench::run`].
    pub fn run_whole(&self, fault: &Fault) -> Result<Verdict, CampaignError> {
        let injection = self.injection(fault)?;
        let mut faulty = self.snapshots[0].clone();
        let mut injector = FaultInjector::new(&injection, &self.code, self.launch);
        let ended = faulty.advance_injected(self.limit, &mut injector).map(|()| false);
        self.judge(&faulty, ended, injector)
    }

    /// Runs to the end or the limit. Returns true as soon as the state equals the golden run's again.
    fn to_end(
        &self,
        faulty: &mut Stepped,
        injection: &Injection,
        injector: &mut FaultInjector,
        is_over: bool,
    ) -> Result<bool, KernelError> {
        faulty.advance((injection.watched_from() - 1).saturating_sub(done(faulty)))?;
        let until = injection.until.min(self.limit + 1);
        faulty.advance_injected(until.saturating_sub(1).saturating_sub(done(faulty)), injector)?;
        // The distance between compared snapshots grows, because a run that recovers mostly recovers soon.
        let mut next = done(faulty) / self.distance + 1;
        let mut step = 1;
        while is_over && faulty.next()?.is_some() {
            let Some(snapshot) = self.snapshots.get(next as usize) else {
                break;
            };
            let number = done(snapshot);
            faulty.advance(number.saturating_sub(done(faulty)))?;
            if faulty.is_same(snapshot) {
                return Ok(true);
            }
            (next, step) = (next + step, 2 * step);
        }
        faulty.advance(self.limit.saturating_sub(done(faulty)))?;
        Ok(false)
    }

    fn judge(
        &self,
        faulty: &Stepped,
        ended: Result<bool, KernelError>,
        injector: FaultInjector,
    ) -> Result<Verdict, CampaignError> {
        let first_record = injector.first;
        let golden = self.executed.len() as u64;
        let verdict = match ended {
            Err(error) => Verdict::failed(error)?,
            Ok(true) => Verdict {
                cycles: Some(golden),
                ..Verdict::new(Outcome::Masked)
            },
            Ok(false) if faulty.next() != Ok(None) => Verdict::new(Outcome::Hang),
            Ok(false) => {
                let damage = self.damage(faulty)?;
                let cycles = faulty.machine().outcome().warp_instructions;
                let outcome = match damage.words {
                    0 if cycles != golden => Outcome::MaskedOtherCycles,
                    0 => Outcome::Masked,
                    _ => Outcome::SilentCorruption,
                };
                Verdict {
                    cycles: Some(cycles),
                    damage,
                    ..Verdict::new(outcome)
                }
            }
        };
        let outcome = match (verdict.outcome, &first_record) {
            (Outcome::Masked, None) => Outcome::NotExcited,
            (outcome, _) => outcome,
        };
        Ok(Verdict {
            outcome,
            first_record,
            ..verdict
        })
    }

    /// The damage to global memory.
    fn damage(&self, faulty: &Stepped) -> Result<Damage, CampaignError> {
        let mut damage = Damage::of(self.end().differing_words(faulty).into_iter(), self.floats);
        if !damage.places.is_empty() {
            damage.owners = self.writers()?.owners(&damage.places);
        }
        Ok(damage)
    }

    /// The threads that stored the words of global memory in the golden run.
    fn writers(&self) -> Result<&Writers, CampaignError> {
        if let Some(known) = self.writers.get() {
            return Ok(known);
        }
        let of_kernel = |error: KernelError| CampaignError::from(RunError::of_launch(self.launch, error));
        let mut writers = Writers::default();
        let mut run = self.snapshots[0].clone();
        while let Some(record) = run.step().map_err(of_kernel)? {
            writers.note(&record);
        }
        Ok(self.writers.get_or_init(|| writers))
    }

    /// The golden run's records of the instructions with these numbers, in ascending order.
    pub(super) fn records(&self, numbers: impl Iterator<Item = u64>) -> Result<Vec<Retire>, CampaignError> {
        let mut records: Vec<Retire> = Vec::new();
        let mut run = self.snapshots[0].clone();
        let mut last = 0;
        for number in numbers {
            if number == last {
                records.extend(records.last().cloned());
                continue;
            }
            let from = self.before(number);
            if from.machine().outcome().warp_instructions > run.machine().outcome().warp_instructions {
                run = from.clone();
            }
            let of_kernel = |error: KernelError| CampaignError::from(RunError::of_launch(self.launch, error));
            run.advance(number - 1 - run.machine().outcome().warp_instructions)
                .map_err(of_kernel)?;
            records.extend(run.step().map_err(of_kernel)?);
            last = number;
        }
        Ok(records)
    }

    /// Repeats the golden run and the run with a fault, both from the fault onward. A record contains the values that
    /// the instruction wrote before the fault changed them.
    ///
    /// # Errors
    /// The fault is not a fault of this kernel.
    pub fn replay(&self, fault: &Fault) -> Result<Replay, CampaignError> {
        let injection = self.injection(fault)?;
        let mut right = self.before(injection.watched_from()).clone();
        let of_kernel = |error: KernelError| CampaignError::from(RunError::of_launch(self.launch, error));
        right
            .advance(injection.watched_from() - 1 - done(&right))
            .map_err(of_kernel)?;
        let mut wrong = right.clone();
        let mut injector = FaultInjector::new(&injection, &self.code, self.launch);
        let (mut golden, mut faulty) = (Records::default(), Vec::new());
        while let Some(record) = right.step().map_err(of_kernel)? {
            golden.push(record);
        }
        let start = Instant::now();
        let ending = loop {
            let is_over = done(&wrong) >= self.limit;
            if let Some(error) = is_over.then(|| wrong.endless(self.limit)).flatten() {
                break Ending::Failed(error);
            }
            match wrong.step_injected(&mut injector) {
                Ok(Some(record)) => faulty.push(record),
                Ok(None) => break Ending::Complete,
                Err(error) => break Ending::Failed(error),
            }
        };
        let report = RunReport::of_model(wrong.machine(), ending, start.elapsed());
        Ok(Replay {
            golden,
            faulty,
            end: Ok(report),
        })
    }
}

/// The number of warp instructions that a run has executed.
fn done(run: &Stepped) -> u64 {
    run.machine().outcome().warp_instructions
}
