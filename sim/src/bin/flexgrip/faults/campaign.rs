//! `flexgrip faults plan` and `run`.

use super::results::{open, summary, write};
use super::setup::{MachineOfCampaign, Ready};
use crate::arguments::KernelArguments;
use crate::output::print;
use clap::Args;
use flexgrip_export::verilog::circuit_hash;
use flexgrip_faults::fault::read_list;
use flexgrip_faults::report::Options as ReportOptions;
use flexgrip_faults::{Campaign, Model, Plan, Row, Sample, Shard};
use flexgrip_machine::sizes::Sms;
use flexgrip_sim::engines::engine::processors;
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::error::Error;
use flexgrip_sim::faults::campaign::{check_whole, run as simulate};
use flexgrip_sim::files::error::FileError;
use flexgrip_sim::files::output::note;
use flexgrip_sim::numbers::grouped;
use indicatif::{ProgressBar, ProgressStyle};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Which faults.
#[derive(Args)]
#[command(next_help_heading = "Faults")]
struct Choice {
    /// What happens to a bit: flip, once; stuck-at-0 or stuck-at-1, from the first cycle to the end
    #[arg(long, default_value_t = Model::Flip)]
    model: Model,
    /// Random faults, without replacement; 0: all that are possible [default: 1000]
    #[arg(long, value_name = "N", conflicts_with = "list")]
    count: Option<u64>,
    /// In these sites, as for `faults list` [default: register:]
    #[arg(long = "where", value_name = "PATTERN", conflicts_with = "list")]
    pattern: Option<String>,
    /// Neighbouring bits of each fault
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=64))]
    bits: u32,
    /// Seed of the choice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// A fault list in place of random ones: a faults.csv, perhaps edited
    #[arg(long = "faults", value_name = "FILE")]
    list: Option<PathBuf>,
}

/// Arguments of `plan`.
#[derive(Args)]
pub struct PlanArguments {
    #[command(flatten)]
    kernel: KernelArguments,
    /// The campaign's folder, a new one [default: build/faults/KERNEL]
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
    /// Only the shard I of N, I from 0, into a file of its own
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<Shard>,
    /// Threads [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Simulate so many of the faults again, each on a whole machine, and compare: some hundred a second
    #[arg(long, value_name = "N", default_value_t = 0)]
    check: u64,
}

fn shard(text: &str) -> Result<Shard, String> {
    let parts = text
        .split_once('/')
        .and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
    let (index, of) = parts.ok_or("expected two numbers, as 0/4")?;
    Shard::new(index, of).map_err(|error| error.to_string())
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
    let facts = ready.setup().facts()?;
    let sizes = ready.sizes();
    let sms = Sms::try_from(sizes.1).map_err(|_| Error::Usage("there is no machine of so many SMs".into()))?;
    let (sample, faults) = match &choice.list {
        Some(file) => {
            let text = std::fs::read_to_string(file);
            let text = text.map_err(|error| FileError::whole(file, format!("cannot read the fault list: {error}")))?;
            (
                None,
                read_list(&text, &file.display().to_string(), &facts.sites, facts.cycles)?,
            )
        }
        None => {
            let sample = Sample {
                pattern: choice.pattern.clone().unwrap_or_else(|| "register:".into()),
                model: choice.model,
                bits: choice.bits,
                seed: choice.seed,
            };
            let count = match choice.count.unwrap_or(1000) {
                0 => sample.population(&facts.sites, facts.cycles)?,
                count => count,
            };
            let faults = sample.draw(&facts.sites, facts.cycles, count)?;
            (Some(sample), faults)
        }
    };
    let mut plan = Plan {
        kernel: kernel.kernel.display().to_string(),
        options: machine.planned(kernel),
        circuits: circuit_hash(sizes.0, sms).map_err(RunError::from)?,
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
    let folder = match given.join("plan.json").exists() {
        true => given.clone(),
        false => planned(&arguments.plan)?.0,
    };
    let (campaign, ready, sites) = open(&folder)?;
    let shard = arguments.shard;
    let jobs = arguments.jobs.unwrap_or_else(processors);
    let own = |id| shard.is_none_or(|shard| shard.contains(id));
    let total = campaign.faults().iter().filter(|fault| own(fault.id)).count() as u64;
    // Hidden unless on a terminal.
    let bar = bar(total, "faults");
    let clock = Instant::now();
    let before = total - campaign.remaining(shard)?.len() as u64;
    let rows = simulate(&ready.setup(), &campaign, shard, jobs, |rows| {
        bar.set_position(rows.len() as u64)
    })?;
    bar.finish_and_clear();
    let seconds = clock.elapsed().as_secs_f64();
    let new = rows.len() as u64 - before;
    print(&summary(&campaign, &rows, &sites)?)?;
    let rate = grouped((new as f64 / seconds) as u64);
    note(format!(
        "{} faults in {seconds:.1} s, {rate} a second on {jobs} threads",
        grouped(new)
    ));
    check(arguments.check, &ready, &rows)?;
    if shard.is_none() {
        write(&folder, &campaign, &rows, &sites, ReportOptions::default())?;
        print(&format!("\n{}\n", folder.join("report.html").display()))?;
    }
    Ok(true)
}

fn bar(total: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(total);
    let style = ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {what}, {{per_sec}}, {{eta}} left"));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Simulates some of the faults again, on whole machines.
fn check(count: u64, ready: &Ready, rows: &[Row]) -> Result<(), Error> {
    if count == 0 || rows.is_empty() {
        return Ok(());
    }
    // Evenly over the list, whose order is random.
    let count = (count as usize).min(rows.len());
    let rows: Vec<&Row> = (0..count).map(|index| &rows[index * rows.len() / count]).collect();
    let bar = bar(count as u64, "whole machines");
    check_whole(&ready.setup(), &rows, |done| bar.set_position(done))?;
    bar.finish_and_clear();
    print(&format!(
        "{} of them have the same outcome on a whole machine\n",
        grouped(count as u64)
    ))?;
    Ok(())
}
