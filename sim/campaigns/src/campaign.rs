//! Runs campaigns: faults in passes on several threads, with the results saved to the campaign's folder.

use super::circuits::bench::FaultBench;
use super::circuits::pruning::{is_prunable, Class, Pruned};
use super::circuits::sites::sites_of;
use super::error::CampaignError;
use super::instruction::bench::InstructionBench;
use super::setup::{Facts, Setup};
use super::verdict::Verdict;
use super::verilog;
use flexgrip_engines::circuits::sizes::check;
use flexgrip_engines::native::snapshot::hash;
use flexgrip_faults::{Campaign, Engine, Error, Fault, Plan, Row, Sample, Shard, Sites};
use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The number of faults of a pass: large enough to share the cost of a golden run, small enough to give all threads
/// work.
const PASS: RangeInclusive<usize> = 250..=4000;
/// The minimum time between two writes of the results while a campaign runs.
const KEEP: Duration = Duration::from_secs(2);
/// The minimum time between two writes, as a multiple of the time that writing takes.
const SHARE: u32 = 20;

impl Setup<'_> {
    /// Runs the kernel without a fault.
    ///
    /// # Errors
    /// The kernel cannot be run, or fails.
    pub fn facts(&self) -> Result<Facts, CampaignError> {
        let facts = FaultBench::with(self, |bench| Ok(facts(bench)))?;
        Ok(facts?)
    }

    /// The golden model's bench for a campaign.
    ///
    /// # Errors
    /// The kernel cannot be run, fails, or is not the kernel of the plan.
    pub fn instruction_bench(&self, plan: &Plan) -> Result<InstructionBench<'_>, CampaignError> {
        let bench = InstructionBench::new(self)?;
        is_planned(plan, &bench.facts())?;
        Ok(bench)
    }
}

impl Setup<'_> {
    /// Decides faults by the golden run alone where possible. Returns the rows of these faults,
    /// and classes of the others.
    fn prune<'f>(&self, plan: &Plan, faults: &'f [Fault]) -> Result<(Vec<Row>, Vec<Class<'f>>), CampaignError> {
        let parameters = check("compiled", self.launch, self.options)?;
        let sites = sites_of(parameters, self.gates)?;
        // Saves a golden run, because pruning only applies to memories.
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

    /// All flips of a sample's population: one fault for each class of equivalent flips.
    ///
    /// # Errors
    /// The errors of [`FaultBench::classes`].
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
/// The fault's site does not exist.
pub fn row(fault: &Fault, sites: &Sites, verdict: Verdict) -> Result<Row, Error> {
    Ok(Row {
        code: verdict.code,
        cycles: verdict.cycles,
        corrupted_words: verdict.damage.words,
        corrupted_bits: verdict.damage.bits,
        bit_positions: verdict.damage.positions,
        zero_words: verdict.damage.zeros,
        nan_words: verdict.damage.nans,
        corrupted_threads: verdict.damage.owners.threads,
        corrupted_warps: verdict.damage.owners.warps,
        corrupted_blocks: verdict.damage.owners.blocks,
        relative_error: verdict.damage.relative_error,
        geometry: verdict.damage.geometry.map(str::to_string),
        first_record: verdict.first_record,
        first_store: verdict.first_store,
        ..Row::new(fault.clone(), sites, verdict.outcome)?
    })
}

/// Simulates the faults of a campaign, or of a shard, that have no row yet, on `jobs` threads. Saves the rows to the
/// campaign's folder, from time to time and at the end. `progress` is called with the number of rows so far. Returns
/// all rows, and the number of new ones.
///
/// # Errors
/// The campaign belongs to another kernel or to other circuits, a fault or file is wrong, or the kernel cannot be run.
pub fn run(
    setup: &Setup,
    campaign: &Campaign,
    shard: Option<Shard>,
    jobs: NonZeroUsize,
    mut progress: impl FnMut(&[Row]),
) -> Result<(Vec<Row>, usize), CampaignError> {
    let mut rows = campaign.known(shard)?;
    let left: Vec<Fault> = campaign.remaining(shard, &rows).into_iter().cloned().collect();
    // On the golden model, all threads share one golden run.
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
                    // The receiver is only closed after an earlier error.
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
    // The rows so far are saved even after an error.
    campaign.sort(&mut rows);
    campaign.write_results(shard, &rows)?;
    result?;
    progress(&rows);
    Ok((rows, left.len()))
}

/// The passes that remain to be simulated.
type Passes<'a> = VecDeque<&'a [Class<'a>]>;

/// Runs a thread of a campaign on the golden model.
fn work_on_model(
    bench: &InstructionBench,
    passes: &Mutex<Passes>,
    sender: &Sender<Result<Row, CampaignError>>,
) -> Result<(), CampaignError> {
    let next = || passes.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    while let Some(classes) = next() {
        for fault in classes.iter().flat_map(|class| &class.faults) {
            let row = row(fault, bench.sites(), bench.run(fault)?)?;
            // The receiver is closed after an error of another thread.
            if sender.send(Ok(row)).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Runs a thread of a campaign on the circuits.
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
                    // The receiver is closed after an error of another thread.
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

/// Checks that the facts of the golden run equal the plan's.
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

/// Simulates the faults of some rows again, each on a separate whole machine, and compares the results.
///
/// # Errors
/// [`CampaignError::Unlike`] for the first row that differs; the errors of [`run`].
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
            alike(found, &whole, WHOLE)?;
            progress(number);
        }
        return Ok(());
    }
    FaultBench::with(setup, |bench| Ok(check_rows(bench, rows, &mut progress)))?
}

/// Simulates the flips of some rows again, each in the circuits' exported Verilog, and compares; `golden`: cycles of
/// the plan's golden run.
///
/// # Errors
/// The errors of [`check_whole`] and of [`verilog::run`].
pub fn check_verilog(setup: &Setup, golden: u64, rows: &[&Row], jobs: NonZeroUsize) -> Result<(), CampaignError> {
    let parameters = check("verilator", setup.launch, setup.options)?;
    let sites = sites_of(parameters, None)?;
    let faults: Vec<&Fault> = rows.iter().map(|row| &row.fault).collect();
    let verdicts = verilog::run(setup, golden, &sites, &faults, jobs)?;
    for (found, verdict) in rows.iter().zip(verdicts) {
        alike(found, &row(&found.fault, &sites, verdict)?, "in Verilator")?;
    }
    Ok(())
}

fn check_rows(bench: &mut FaultBench, rows: &[&Row], progress: &mut dyn FnMut(u64)) -> Result<(), CampaignError> {
    let sites = bench.sites()?;
    for (number, found) in (1..).zip(rows) {
        let injection = bench.checked(&found.fault, &sites)?;
        let mut whole = row(&found.fault, &sites, bench.run_whole(&injection)?)?;
        // Only passes detect unexcited faults.
        if found.outcome == flexgrip_faults::Outcome::NotExcited && whole.outcome == flexgrip_faults::Outcome::Masked {
            whole.outcome = found.outcome;
        }
        alike(found, &whole, WHOLE)?;
        progress(number);
    }
    Ok(())
}

const WHOLE: &str = "on a whole machine";

/// Checks that the row of a fault equals the row of another simulation of it, except for the first differences.
fn alike(found: &Row, other: &Row, place: &'static str) -> Result<(), CampaignError> {
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
    match about(found) == about(other) {
        true => Ok(()),
        false => Err(CampaignError::Unlike {
            id: found.fault.id,
            found: about(found),
            other: about(other),
            place,
        }),
    }
}
