//! `flexgrip faults plan` and `run`.

use super::results::{open, show, summary};
use super::setup::{MachineOfCampaign, Ready};
use crate::arguments::KernelArguments;
use crate::output::{print, progress_bar};
use clap::{Args, ValueEnum};
use flexgrip_faults::fault::read_list;
use flexgrip_faults::models::law::read_laws;
use flexgrip_faults::report::Options as ReportOptions;
use flexgrip_faults::statistics::Confidence;
use flexgrip_faults::{Campaign, Engine, Model, Models, OfGoldenModel, Plan, Row, Sample, Shard, Sites};
use flexgrip_sim::engines::engine::processors;
use flexgrip_sim::error::Error;
use flexgrip_sim::faults::campaign::{check_verilog, check_whole, run as simulate};
use flexgrip_sim::faults::error::CampaignError;
use flexgrip_sim::faults::instruction::bench::InstructionBench;
use flexgrip_sim::files::error::FileError;
use flexgrip_sim::files::output::note;
use hdlkit::output::grouped;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The faults of a campaign.
#[derive(Args)]
#[command(next_help_heading = "Faults")]
struct Choice {
    /// The fault model. In the circuits: flip inverts a bit once; stuck-at-0, stuck-at-1 or stuck-at (both) hold a bit
    /// from the first cycle to the end; delayed changes a bit one cycle late. In instructions, on the golden model:
    /// flip-destination, flip-source, flip-mask, flip-immediate, flip-word, flip-opcode, flip-register, relative-error;
    /// iat, iaw, iac, wv, ira, ims, imd, ial, ioc, iio [default: flip; with --gates stuck-at]
    #[arg(long, value_name = "MODEL", conflicts_with = "list")]
    model: Option<Models>,
    /// How long faults in instructions last [default: permanent for iat to iio, transient for the others]
    #[arg(long, value_enum, value_name = "DURATION", conflicts_with = "list")]
    duration: Option<Duration>,
    /// Number of threads of the warp with a transient fault in an instruction [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "list", value_parser = clap::value_parser!(u32).range(1..=32))]
    threads: Option<u32>,
    /// Power laws for relative-error: a CSV file with the columns instruction,size,x_min,alpha
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    laws: Option<PathBuf>,
    /// Number of random faults, in circuits drawn without replacement; 0: all possible faults. A number larger than the
    /// campaign's extends it [default: 1000]
    #[arg(long, value_name = "N", conflicts_with = "list")]
    count: Option<u64>,
    /// Simulate all possible flips in these sites, one for each class of equivalent flips, weighted by the size of its
    /// class: the shares have no sampling error. For memories only
    #[arg(long, conflicts_with_all = ["list", "count", "seed"])]
    classes: bool,
    /// Only faults in these sites, patterns as for `faults list` [default: register:, with --gates gate:; all
    /// instructions; with --classes memory:]
    #[arg(long = "where", value_name = "PATTERN", conflicts_with = "list")]
    pattern: Option<String>,
    /// Number of neighbouring bits per fault [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "list", value_parser = clap::value_parser!(u32).range(1..=64))]
    bits: Option<u32>,
    /// Seed of the random sample [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "list")]
    seed: Option<u64>,
    /// A fault list instead of random faults: a faults.csv, possibly edited
    #[arg(long = "faults", value_name = "FILE")]
    list: Option<PathBuf>,
}

/// How long a fault in instructions lasts.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Duration {
    /// One warp instruction
    Transient,
    /// All instructions of the same unit, or as the model defines, to the end of the run
    Permanent,
}

/// Arguments of `plan`.
#[derive(Args)]
pub struct PlanArguments {
    #[command(flatten)]
    kernel: KernelArguments,
    /// Folder for the new campaign [default: build/faults/KERNEL]
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    machine: MachineOfCampaign,
}

/// Arguments of `run`.
#[derive(Args)]
pub struct RunArguments {
    #[command(flatten)]
    plan: PlanArguments,
    /// Simulate only shard I of N, I from 0, into a separate file
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Number of threads [default: one for each processor]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Simulate this many of the faults again, each on a whole machine, and compare the results: in circuits about
    /// fifty a second
    #[arg(long, value_name = "N", default_value_t = 0)]
    check: u64,
    /// Simulate this many of the flips again, each in the circuits' exported Verilog with Verilator, and compare the
    /// results; the Verilog is compiled once, which takes minutes
    #[arg(long, value_name = "N", default_value_t = 0)]
    check_verilog: u64,
}

impl PlanArguments {
    /// Refuses all other options for an existing campaign, because its plan fixes them.
    fn refuse_other_options(&self) -> Result<(), Error> {
        let PlanArguments {
            choice,
            machine,
            output,
            ..
        } = self;
        let chosen = [
            ("--output", output.is_some()),
            ("--model", choice.model.is_some()),
            ("--duration", choice.duration.is_some()),
            ("--threads", choice.threads.is_some()),
            ("--laws", choice.laws.is_some()),
            ("--where", choice.pattern.is_some()),
            ("--bits", choice.bits.is_some()),
            ("--seed", choice.seed.is_some()),
            ("--faults", choice.list.is_some()),
            ("--classes", choice.classes),
            ("options of the machine", !machine.is_default()),
        ];
        match chosen.iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(Error::Usage(format!(
                "{}: {name} is fixed by this campaign's plan; expected a kernel, or only the campaign's folder",
                self.kernel.kernel.display()
            ))),
            None => Ok(()),
        }
    }
}

/// Checks that the circuits are the same as in the plan.
fn same_circuits(campaign: &Campaign, ready: &Ready) -> Result<(), Error> {
    if campaign.plan().engine == Engine::GoldenModel {
        return Ok(());
    }
    let (planned, found) = (&campaign.plan().circuits, ready.circuits()?);
    if *planned != found {
        let (what, planned) = ("the circuits", planned.clone());
        return Err(CampaignError::Other { what, planned, found }.into());
    }
    Ok(())
}

/// Extends the campaign to `count` random faults.
fn extended(campaign: Campaign, ready: &Ready, sites: &Sites, count: u64) -> Result<Campaign, Error> {
    let plan = campaign.plan();
    let is_random = |sample: &&Sample| !sample.classes;
    let sample = plan.sample.as_ref().filter(is_random).filter(|_| count >= plan.count);
    let Some(sample) = sample else {
        let message = format!(
            "--count {count}: the campaign has {} faults; expected a larger number, and a campaign of random faults",
            plan.count
        );
        return Err(Error::Usage(message));
    };
    let faults = match plan.engine {
        Engine::Circuits => sample.draw(sites, plan.golden_cycles, count)?,
        Engine::GoldenModel => ready.setup().instruction_bench(plan)?.draw(sample, count)?,
    };
    Ok(campaign.extend(faults)?)
}

/// A file, with its name for messages.
fn read_text(file: &Path) -> Result<(String, String), Error> {
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|error| FileError::whole(file, format!("cannot read it: {error}")))?;
    Ok((file.display().to_string(), text))
}

/// The engine of a fault list: lists for the golden model have one more column.
fn engine_of_list(text: &str) -> Engine {
    let header = text.lines().next().unwrap_or_default();
    match header.split(',').any(|column| column == "parameters") {
        true => Engine::GoldenModel,
        false => Engine::Circuits,
    }
}

impl Choice {
    fn models(&self, has_gates: bool) -> Models {
        let default = if has_gates {
            Models::StuckAt
        } else {
            Models::Of(Model::Flip)
        };
        self.model.unwrap_or(default)
    }

    /// The sample that these options describe. `has_gates`: a block is simulated as gates.
    fn sample(&self, has_gates: bool) -> Result<Sample, Error> {
        let models = self.models(has_gates);
        let usage = |message: &str| Err(Error::Usage(format!("--model {models}: {message}")));
        if self.classes && models != Models::Of(Model::Flip) {
            return usage("--classes is for flips: only their classes follow from the golden run");
        }
        let golden_model = match models {
            Models::StuckAt | Models::Of(Model::Flip | Model::StuckAt0 | Model::StuckAt1 | Model::Delayed) => {
                if self.duration.is_some() || self.threads.is_some() || self.laws.is_some() {
                    return usage("--duration, --threads and --laws are for faults in instructions");
                }
                None
            }
            Models::Of(model) => {
                let permanent = self
                    .duration
                    .map_or(model.is_permanent(), |duration| duration == Duration::Permanent);
                let threads = self.threads.unwrap_or(1);
                if permanent && threads > 1 {
                    return usage("--threads is for transient faults");
                }
                if !permanent && matches!(model, Model::Iat | Model::Iaw) {
                    return usage("threads get their index when their warp begins, so this fault is permanent");
                }
                if self.bits.is_some_and(|bits| bits > 1) && !model.has_bits() {
                    return usage("--bits is for models that change bits");
                }
                let laws = match (model, &self.laws) {
                    (Model::RelativeError, Some(file)) => {
                        let (name, text) = read_text(file)?;
                        read_laws(&text, &name)?
                    }
                    (Model::RelativeError, None) => {
                        return usage("expected --laws FILE with power laws; baselines/relative-errors.csv has some");
                    }
                    (_, Some(_)) => return usage("--laws is for relative-error"),
                    (_, None) => Vec::new(),
                };
                Some(OfGoldenModel {
                    thread_instructions: 0,
                    permanent,
                    threads,
                    laws,
                })
            }
        };
        let all = match (&golden_model, has_gates) {
            (Some(_), _) => "*",
            (None, true) => "gate:",
            (None, false) if self.classes => "memory:",
            (None, false) => "register:",
        };
        Ok(Sample {
            pattern: self.pattern.clone().unwrap_or_else(|| all.into()),
            model: models,
            bits: self.bits.unwrap_or(1),
            seed: self.seed.unwrap_or(1),
            classes: self.classes,
            golden_model,
        })
    }
}

/// Plans a campaign.
pub fn plan(arguments: &PlanArguments) -> Result<bool, Error> {
    let (folder, campaign) = planned(arguments)?;
    print(&format!(
        "{} faults in {}\n",
        grouped(campaign.plan().count),
        folder.display()
    ))?;
    Ok(true)
}

fn planned(arguments: &PlanArguments) -> Result<(PathBuf, Campaign), Error> {
    let PlanArguments {
        kernel,
        choice,
        machine,
        output,
    } = arguments;
    let ready = machine.load(kernel)?;
    let list = choice.list.as_deref().map(read_text).transpose()?;
    let engine = match &list {
        Some((_, text)) => engine_of_list(text),
        None => choice.models(ready.setup().gates.is_some()).engine(),
    };
    let setup = ready.setup();
    let has_gates = setup.gates.is_some();
    let bench = match engine {
        Engine::Circuits => None,
        Engine::GoldenModel => Some(InstructionBench::new(&setup)?),
    };
    let facts = match &bench {
        None => setup.facts()?,
        Some(bench) => bench.facts(),
    };
    let (sample, faults) = match (&list, &bench) {
        (Some((file, text)), _) => (None, read_list(text, file, &facts.sites, facts.cycles)?),
        (None, None) => {
            let sample = choice.sample(has_gates)?;
            let faults = match choice.count.unwrap_or(1000) {
                _ if sample.classes => setup.classes(&sample)?,
                0 => {
                    let all = sample.population(&facts.sites, facts.cycles)?;
                    sample.draw(&facts.sites, facts.cycles, all)?
                }
                count => sample.draw(&facts.sites, facts.cycles, count)?,
            };
            (Some(sample), faults)
        }
        (None, Some(bench)) => {
            let sample = bench.complete(choice.sample(has_gates)?)?;
            let faults = bench.draw(&sample, choice.count.unwrap_or(1000))?;
            (Some(sample), faults)
        }
    };
    let mut plan = Plan {
        kernel: kernel.kernel.display().to_string(),
        options: machine.planned(kernel),
        engine,
        circuits: match engine {
            Engine::Circuits => ready.circuits()?,
            Engine::GoldenModel => String::new(),
        },
        golden: facts.golden,
        golden_cycles: facts.cycles,
        limit: facts.limit,
        sample,
        ..Plan::default()
    };
    plan.set_faults(&faults);
    let folder = output
        .clone()
        .unwrap_or_else(|| Path::new("build/faults").join(ready.name()));
    let campaign = Campaign::create(&folder, plan, faults)?;
    Ok((folder, campaign))
}

/// Runs a campaign.
pub fn run(arguments: &RunArguments) -> Result<bool, Error> {
    let given = &arguments.plan.kernel.kernel;
    let is_planned = given.join("plan.json").exists();
    let folder = match is_planned {
        true => {
            arguments.plan.refuse_other_options()?;
            given.clone()
        }
        false => planned(&arguments.plan)?.0,
    };
    let (mut campaign, sites) = open(&folder)?;
    let ready = Ready::of_plan(campaign.plan())?;
    same_circuits(&campaign, &ready)?;
    if let Some(count) = arguments.plan.choice.count.filter(|_| is_planned) {
        campaign = extended(campaign, &ready, &sites, count)?;
    }
    if arguments.check_verilog > 0 {
        comparable_in_verilog(&campaign, &ready)?;
    }
    let shard = arguments.shard;
    let jobs = arguments.jobs.unwrap_or_else(processors);
    let own = |id| shard.is_none_or(|shard| shard.contains(id));
    let total = campaign.faults().iter().filter(|fault| own(fault.id)).count() as u64;
    // Hidden unless on a terminal.
    let bar = progress_bar(total, "faults");
    let clock = Instant::now();
    let (rows, new) = simulate(&ready.setup(), &campaign, shard, jobs, |rows| {
        bar.set_position(rows.len() as u64)
    })?;
    bar.finish_and_clear();
    let seconds = clock.elapsed().as_secs_f64();
    if new > 0 {
        let rate = grouped((new as f64 / seconds) as u64);
        let threads = if jobs.get() == 1 { "thread" } else { "threads" };
        note(format!(
            "{} faults in {seconds:.1} s, {rate} a second on {jobs} {threads}",
            grouped(new as u64)
        ));
    }
    check(arguments.check, &ready, campaign.plan(), &rows)?;
    check_in_verilog(arguments.check_verilog, &ready, campaign.plan(), &rows, jobs)?;
    if shard.is_none() {
        return show(&folder, &campaign, &rows, &sites, ReportOptions::default());
    }
    print(&summary(&campaign, &rows, &sites, Confidence::P95)?)?;
    Ok(true)
}

/// Simulates some of the faults again, on whole machines.
fn check(count: u64, ready: &Ready, plan: &Plan, rows: &[Row]) -> Result<(), Error> {
    if count == 0 || rows.is_empty() {
        return Ok(());
    }
    let rows = some(rows, count);
    let bar = progress_bar(rows.len() as u64, "whole machines");
    check_whole(&ready.setup(), plan, &rows, |done| bar.set_position(done))?;
    bar.finish_and_clear();
    print(&format!(
        "{} of them have the same outcome on a whole machine\n",
        grouped(rows.len() as u64)
    ))?;
    Ok(())
}

/// Refuses a campaign that cannot be compared with Verilator, before it runs.
fn comparable_in_verilog(campaign: &Campaign, ready: &Ready) -> Result<(), Error> {
    let other = campaign.faults().iter().find(|fault| fault.model != Model::Flip);
    let wrong = match other {
        Some(fault) => format!("the campaign has faults of the model {}; expected flips", fault.model),
        None if ready.setup().floats.values().any(|ulps| *ulps > 0) => {
            "words are compared in all bits; expected a campaign without --tolerance".into()
        }
        None => return Ok(()),
    };
    Err(Error::Usage(format!("--check-verilog: {wrong}")))
}

/// Simulates some of the flips again, in Verilator.
fn check_in_verilog(count: u64, ready: &Ready, plan: &Plan, rows: &[Row], jobs: NonZeroUsize) -> Result<(), Error> {
    if count == 0 || rows.is_empty() {
        return Ok(());
    }
    let setup = ready.setup();
    let rows = some(rows, count);
    check_verilog(&setup, plan.golden_cycles, &rows, jobs)?;
    print(&format!(
        "{} of them have the same outcome in Verilator\n",
        grouped(rows.len() as u64)
    ))?;
    Ok(())
}

/// Returns at most `count` rows at even distances in the list, whose order is random.
fn some(rows: &[Row], count: u64) -> Vec<&Row> {
    let count = (count as usize).min(rows.len());
    (0..count).map(|index| &rows[index * rows.len() / count]).collect()
}
