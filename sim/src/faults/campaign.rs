//! Campaigns: faults in passes on several threads, and what is kept of them in a folder.

use super::bench::{FaultBench, Setup};
use super::inject::{sites_of, Injection};
use super::instruction::bench::InstructionBench;
use super::pruning::{is_prunable, Class, Pruned};
use super::verdict::Verdict;
use crate::engines::error::RunError;
use crate::engines::native::snapshot::hash;
use crate::engines::sizes::check;
use flexgrip_faults::{Campaign, Engine, Error, Fault, Plan, Row, Sample, Shard, Sites};
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Faults of a pass: many share a golden run, but threads have to share all passes.
const PASS: RangeInclusive<usize> = 250..=4000;
/// How often results are written while a campaign runs, at most.
const KEEP: Duration = Duration::from_secs(2);
/// So many times as long as writing them takes, at least.
const SHARE: u32 = 20;

/// Why a campaign cannot go on.
#[derive(Debug, Error)]
pub enum CampaignError {
    /// A file, a name, a number.
    #[error(transparent)]
    Campaign(#[from] Error),
    /// The kernel cannot be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The campaign is of another kernel, or of other circuits.
    #[error("the campaign was planned with {what} {planned}; this program has {found}: plan it again")]
    Other {
        /// What differs.
        what: &'static str,
        /// As in the plan.
        planned: String,
        /// As found.
        found: String,
    },
    /// A fault in bits that are not there.
    #[error("fault {id} is in no bit of the circuits")]
    NoSuch {
        /// The fault.
        id: u64,
    },
    /// A fault has another verdict on a whole machine: a defect of this program.
    #[error("fault {id}: found {found}, but {whole} on a whole machine: a defect of this program")]
    Unlike {
        /// The fault.
        id: u64,
        /// What the pass has found.
        found: String,
        /// What the whole machine does.
        whole: String,
    },
}

/// What is known of a golden run.
pub struct Facts {
    /// The sites of the circuits.
    pub sites: Sites,
    /// Cycles of the golden run.
    pub cycles: u64,
    /// Cycles after which a run is a hang.
    pub limit: u64,
    /// Hash of the golden run: global memory, cycles, and what the circuits hold in the end.
    pub golden: String,
}

impl Setup<'_> {
    /// Runs the kernel without a fault.
    ///
    /// # Errors
    /// It cannot be run, or goes wrong.
    pub fn facts(&self) -> Result<Facts, CampaignError> {
        let facts = FaultBench::with(self, |bench| Ok(facts(bench)))?;
        Ok(facts?)
    }

    /// The golden model's bench for a campaign.
    ///
    /// # Errors
    /// The kernel cannot be run, goes wrong, or is not that of the plan.
    pub fn instruction_bench(&self, plan: &Plan) -> Result<InstructionBench<'_>, CampaignError> {
        let bench = InstructionBench::new(self)?;
        is_planned(plan, &bench.facts())?;
        Ok(bench)
    }
}

impl Setup<'_> {
    /// Sorts faults by what the golden run says about them: rows of those that need no simulation, and classes of the others.
    fn prune<'f>(&self, plan: &Plan, faults: &'f [Fault]) -> Result<(Vec<Row>, Vec<Class<'f>>), CampaignError> {
        let (lanes, sms) = check("compiled", self.launch, self.options)?;
        let sites = sites_of(lanes, sms, self.gates)?;
        // A golden run that would say nothing of registers.
        if !faults.iter().any(|fault| is_prunable(fault, &sites)) {
            return Ok((vec![], faults.iter().map(Class::of_one).collect()));
        }
        FaultBench::with(self, |bench| {
            Ok((|| {
                let facts = facts(bench)?;
                is_planned(plan, &facts)?;
                let Pruned { known, classes } = bench.prune(faults, &facts.sites)?;
                let rows = known
                    .into_iter()
                    .map(|(fault, verdict)| row(fault, &facts.sites, verdict));
                Ok((rows.collect::<Result<_, _>>()?, classes))
            })())
        })?
    }

    /// All flips of a sample's population, as one fault for each class of those that do the same.
    ///
    /// # Errors
    /// As [`FaultBench::classes`].
    pub fn classes(&self, sample: &Sample) -> Result<Vec<Fault>, CampaignError> {
        FaultBench::with(self, |bench| Ok(bench.classes(sample)))?
    }
}

fn facts(bench: &FaultBench) -> Result<Facts, Error> {
    let golden = bench.golden();
    let global = golden.report.global.iter().flat_map(|word| word.to_le_bytes());
    let state = golden.state.iter().flat_map(|word| word.to_le_bytes());
    let bytes = golden.cycles.to_le_bytes().into_iter().chain(global).chain(state);
    Ok(Facts {
        sites: bench.sites()?,
        cycles: golden.cycles,
        limit: bench.limit(),
        golden: hash(bytes.collect::<Vec<u8>>()),
    })
}

/// The row of a fault with its verdict.
///
/// # Errors
/// There is no site of the fault's name.
pub fn row(fault: &Fault, sites: &Sites, verdict: Verdict) -> Result<Row, Error> {
    Ok(Row {
        code: verdict.code,
        cycles: verdict.cycles,
        corrupted_words: verdict.damage.words,
        corrupted_bits: verdict.damage.bits,
        relative_error: verdict.damage.relative_error,
        geometry: verdict.damage.geometry.map(str::to_string),
        first_record: verdict.first_record,
        first_store: verdict.first_store,
        ..Row::new(fault.clone(), sites, verdict.outcome)?
    })
}

/// Simulates the faults of a campaign, or of a shard, that have no row yet, on `jobs` threads, and keeps the rows in its
/// folder: now and then, and in the end. `progress` is called with the rows that there are. Returns all of them, and how many
/// are new.
///
/// # Errors
/// The campaign is of something else, a fault or file is wrong, or the kernel cannot be run.
pub fn run(
    setup: &Setup,
    campaign: &Campaign,
    shard: Option<Shard>,
    jobs: NonZeroUsize,
    mut progress: impl FnMut(&[Row]),
) -> Result<(Vec<Row>, usize), CampaignError> {
    let mut rows = campaign.known(shard)?;
    let left: Vec<Fault> = campaign.remaining(shard, &rows).into_iter().cloned().collect();
    // On the golden model all threads share a golden run.
    let instructions = match campaign.plan().engine {
        Engine::GoldenModel if !left.is_empty() => Some(setup.instruction_bench(campaign.plan())?),
        _ => None,
    };
    let (known, classes) = match campaign.plan().engine {
        Engine::Circuits if !left.is_empty() => setup.prune(campaign.plan(), &left)?,
        _ => (vec![], left.iter().map(Class::of_one).collect()),
    };
    rows.extend(known);
    let (least, most) = PASS.into_inner();
    let size = (classes.len() / (4 * jobs.get())).clamp(least, most);
    let passes = Mutex::new(classes.chunks(size).collect::<Passes>());
    let (sender, receiver) = mpsc::channel();
    let result = thread::scope(|scope| {
        for _ in 0..jobs.get() {
            let (sender, passes, instructions) = (sender.clone(), &passes, instructions.as_ref());
            scope.spawn(move || {
                let done = match instructions {
                    Some(bench) => work_on_model(bench, passes, &sender),
                    None => work(setup, campaign.plan(), passes, &sender),
                };
                if let Err(error) = done {
                    passes.lock().unwrap_or_else(PoisonError::into_inner).clear();
                    // Nobody is left to hear it only if there was an error before.
                    let _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);
        let (mut kept, mut pause) = (Instant::now(), KEEP);
        for row in receiver {
            rows.push(row?);
            if rows.len() % 64 == 0 {
                progress(&rows);
            }
            if kept.elapsed() > pause {
                let clock = Instant::now();
                campaign.write_results(shard, &rows)?;
                pause = KEEP.max(clock.elapsed() * SHARE);
                kept = Instant::now();
            }
        }
        Ok::<(), CampaignError>(())
    });
    // What is known is kept, whatever went wrong.
    campaign.sort(&mut rows);
    campaign.write_results(shard, &rows)?;
    result?;
    progress(&rows);
    Ok((rows, left.len()))
}

/// What is left to simulate.
type Passes<'a> = VecDeque<&'a [Class<'a>]>;

/// One thread of a campaign on the golden model.
fn work_on_model(
    bench: &InstructionBench,
    passes: &Mutex<Passes>,
    sender: &Sender<Result<Row, CampaignError>>,
) -> Result<(), CampaignError> {
    let next = || passes.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    while let Some(classes) = next() {
        for fault in classes.iter().flat_map(|class| &class.faults) {
            let row = row(fault, bench.sites(), bench.run(fault)?)?;
            // Nobody hears it after an error of another thread.
            if sender.send(Ok(row)).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// One thread.
fn work(
    setup: &Setup,
    plan: &Plan,
    passes: &Mutex<Passes>,
    sender: &Sender<Result<Row, CampaignError>>,
) -> Result<(), CampaignError> {
    let next = || passes.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let Some(first) = next() else { return Ok(()) };
    FaultBench::with(setup, |bench| Ok(passes_of(bench, plan, first, next, sender)))?
}

fn passes_of<'a>(
    bench: &mut FaultBench,
    plan: &Plan,
    first: &'a [Class<'a>],
    mut next: impl FnMut() -> Option<&'a [Class<'a>]>,
    sender: &Sender<Result<Row, CampaignError>>,
) -> Result<(), CampaignError> {
    let facts = facts(bench)?;
    is_planned(plan, &facts)?;
    let mut pass = Some(first);
    while let Some(classes) = pass {
        let injections = classes.iter().map(|class| bench.checked(&class.injected, &facts.sites));
        let injections = injections.collect::<Result<Vec<_>, _>>()?;
        let mut wrong = None;
        bench.run(&injections, |index, verdict| {
            for fault in &classes[index].faults {
                match row(fault, &facts.sites, verdict.clone()) {
                    // Nobody hears it after an error of another thread.
                    Ok(row) => drop(sender.send(Ok(row))),
                    Err(error) => wrong = Some(error),
                }
            }
            Ok(())
        })?;
        if let Some(error) = wrong {
            return Err(error.into());
        }
        pass = next();
    }
    Ok(())
}

/// The golden run has to be that of the plan.
fn is_planned(plan: &Plan, facts: &Facts) -> Result<(), CampaignError> {
    same("the golden run", &plan.golden, &facts.golden)?;
    same("the limit of cycles", &plan.limit.to_string(), &facts.limit.to_string())
}

fn same(what: &'static str, planned: &str, found: &str) -> Result<(), CampaignError> {
    if planned == found {
        return Ok(());
    }
    Err(CampaignError::Other {
        what,
        planned: planned.into(),
        found: found.into(),
    })
}

impl FaultBench<'_> {
    /// A fault of a campaign, checked.
    pub(super) fn checked(&self, fault: &Fault, sites: &Sites) -> Result<Injection, CampaignError> {
        fault.check(sites, self.golden().cycles)?;
        self.injection(fault, sites)
            .ok_or(CampaignError::NoSuch { id: fault.id })
    }
}

/// Simulates the faults of some rows again, each on a whole machine of its own, and compares.
///
/// # Errors
/// [`CampaignError::Unlike`] for the first one that differs, and as [`run`].
pub fn check_whole(
    setup: &Setup,
    plan: &Plan,
    rows: &[&Row],
    mut progress: impl FnMut(u64) + Send,
) -> Result<(), CampaignError> {
    if plan.engine == Engine::GoldenModel {
        let bench = setup.instruction_bench(plan)?;
        for (number, found) in (1..).zip(rows) {
            let whole = row(&found.fault, bench.sites(), bench.run_whole(&found.fault)?)?;
            alike(found, &whole)?;
            progress(number);
        }
        return Ok(());
    }
    FaultBench::with(setup, |bench| Ok(check_rows(bench, rows, &mut progress)))?
}

fn check_rows(bench: &mut FaultBench, rows: &[&Row], progress: &mut dyn FnMut(u64)) -> Result<(), CampaignError> {
    let sites = bench.sites()?;
    for (number, found) in (1..).zip(rows) {
        let injection = bench.checked(&found.fault, &sites)?;
        let mut whole = row(&found.fault, &sites, bench.run_whole(&injection)?)?;
        // Which only a pass can tell, and finds on its way.
        if found.outcome == flexgrip_faults::Outcome::NotExcited && whole.outcome == flexgrip_faults::Outcome::Masked {
            whole.outcome = found.outcome;
        }
        alike(found, &whole)?;
        progress(number);
    }
    Ok(())
}

/// The row of a fault, and that of its whole machine, have to say the same.
fn alike(found: &Row, whole: &Row) -> Result<(), CampaignError> {
    let about = |row: &Row| {
        let code = row.code.as_deref().unwrap_or_default();
        let cycles = row
            .cycles
            .map_or_else(String::new, |cycles| format!(", {cycles} cycles"));
        let damage = (row.corrupted_words, row.corrupted_bits);
        format!(
            "{} {code}{cycles}, {} words and {} bits wrong",
            row.outcome, damage.0, damage.1
        )
    };
    match about(found) == about(whole) {
        true => Ok(()),
        false => Err(CampaignError::Unlike {
            id: found.fault.id,
            found: about(found),
            whole: about(whole),
        }),
    }
}
