//! `flexgrip faults merge` and `report`: what has been found.

use super::setup::Ready;
use crate::output::print;
use clap::Args;
use flexgrip_faults::report::{report as make, Options};
use flexgrip_faults::statistics::{wilson, Confidence};
use flexgrip_faults::{Campaign, Outcome, Plan, Row, Sites};
use flexgrip_machine::sizes::Sms;
use flexgrip_sim::error::Error;
use flexgrip_sim::faults::inject::sites_of;
use flexgrip_sim::files::error::FileError;
use flexgrip_sim::files::output::write_file;
use flexgrip_sim::numbers::grouped;
use std::path::{Path, PathBuf};

/// Arguments of the subcommand.
#[derive(Args)]
pub struct MergeArguments {
    /// The campaign's folder
    folder: PathBuf,
    /// The number of shards
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    shards: u64,
}

/// Arguments of the subcommand.
#[derive(Args)]
pub struct ReportArguments {
    /// The campaign's folder
    folder: PathBuf,
    /// Confidence of the intervals
    #[arg(long, value_name = "SHARE", default_value = "0.95", value_parser = confidence)]
    confidence: Confidence,
    /// Soft errors of 10^6 bits in 10^9 hours, of your technology, for failure rates
    #[arg(long, value_name = "RATE")]
    fit_per_mbit: Option<f64>,
}

fn confidence(text: &str) -> Result<Confidence, String> {
    let level = text.parse().map_err(|_| "expected a number".to_string())?;
    Confidence::new(level).map_err(|error| error.to_string())
}

/// Opens a campaign, with its kernel and sites.
pub fn open(folder: &Path) -> Result<(Campaign, Ready, Sites), Error> {
    let path = folder.join("plan.json");
    let text = std::fs::read_to_string(&path);
    let text = text.map_err(|error| FileError::whole(&path, format!("cannot read the campaign's plan: {error}")))?;
    let plan = Plan::from_json(&text, &path.display().to_string())?;
    let ready = Ready::of_plan(&plan)?;
    let (lanes, sms) = ready.sizes();
    let sms = Sms::try_from(sms).map_err(|_| Error::Usage(format!("there is no machine of {sms} SMs")))?;
    let sites = sites_of(lanes, sms)?;
    Ok((Campaign::open(folder, &sites)?, ready, sites))
}

/// Merges shards.
pub fn merge(arguments: &MergeArguments) -> Result<bool, Error> {
    let (campaign, _, sites) = open(&arguments.folder)?;
    let rows = campaign.merge(arguments.shards)?;
    print(&summary(&campaign, &rows, &sites)?)?;
    Ok(true)
}

/// Writes page and tables.
pub fn report(arguments: &ReportArguments) -> Result<bool, Error> {
    let (campaign, _, sites) = open(&arguments.folder)?;
    let rows = campaign.read_results(None)?;
    let options = Options {
        confidence: arguments.confidence,
        raw_fit_per_mbit: arguments.fit_per_mbit,
    };
    write(&arguments.folder, &campaign, &rows, &sites, options)?;
    print(&summary(&campaign, &rows, &sites)?)?;
    print(&format!("\n{}\n", arguments.folder.join("report.html").display()))?;
    Ok(true)
}

/// Writes page and tables into the campaign's folder.
pub fn write(folder: &Path, campaign: &Campaign, rows: &[Row], sites: &Sites, options: Options) -> Result<(), Error> {
    let report = make(campaign.plan(), rows, sites, options)?;
    write_file(&folder.join("report.html"), &report.html())?;
    let tables = folder.join("tables");
    let made = std::fs::create_dir_all(&tables);
    made.map_err(|error| FileError::whole(&tables, format!("cannot make the folder: {error}")))?;
    for (name, table) in report.tables() {
        write_file(&tables.join(format!("{name}.csv")), &table)?;
    }
    Ok(())
}

/// Outcomes with their intervals.
pub fn summary(campaign: &Campaign, rows: &[Row], sites: &Sites) -> Result<String, Error> {
    let plan = campaign.plan();
    let sample = plan.sample.as_ref();
    let population = sample
        .map(|sample| sample.population(sites, plan.golden_cycles))
        .transpose()?;
    let total = rows.len() as u64;
    let mut text = format!("{} faults of {}", grouped(total), grouped(plan.count));
    if let Some(population) = population {
        text += &format!(", from {} that are possible", grouped(population));
    }
    text += &format!(", golden run {} cycles\n", grouped(plan.golden_cycles));
    for outcome in Outcome::ALL {
        let hits = rows.iter().filter(|row| row.outcome == *outcome).count() as u64;
        let share = wilson(hits, total, population, Confidence::P95);
        let share = share.map_or_else(String::new, |share| share.to_string());
        text += &format!("  {:20} {:>9}  {share}\n", outcome.name(), grouped(hits));
    }
    Ok(text)
}
