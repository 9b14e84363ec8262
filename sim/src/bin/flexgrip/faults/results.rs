//! `flexgrip faults merge` and `report`: merges the results of shards, and writes the report.

use super::setup::sites_of_plan;
use crate::output::print;
use clap::Args;
use flexgrip_faults::report::{report as make, Options};
use flexgrip_faults::statistics::{comparison, faults, share, Confidence, Population};
use flexgrip_faults::{Campaign, Engine, Outcome, Plan, Row, Sites};
use flexgrip_sim::error::Error;
use flexgrip_sim::files::error::FileError;
use flexgrip_sim::files::output::write_file;
use hdlkit::output::grouped;
use std::path::{Path, PathBuf};

/// Arguments of the subcommand.
#[derive(Args)]
pub struct MergeArguments {
    /// The campaign's folder
    folder: PathBuf,
}

/// Arguments of the subcommand.
#[derive(Args)]
pub struct CompareArguments {
    /// A campaign's folder
    first: PathBuf,
    /// The folder of another campaign with the same fault list
    second: PathBuf,
}

/// Arguments of the subcommand.
#[derive(Args)]
pub struct ReportArguments {
    /// The campaign's folder
    folder: PathBuf,
    /// Confidence of the intervals
    #[arg(long, value_name = "SHARE", default_value = "0.95", value_parser = confidence)]
    confidence: Confidence,
    /// Raw soft-error rate of your technology, in FIT per 10^6 bits, to report failure rates
    #[arg(long, value_name = "RATE")]
    fit_per_mbit: Option<f64>,
    /// Also write the results as results.parquet; needs a program built with `--features parquet`
    #[arg(long)]
    parquet: bool,
}

fn confidence(text: &str) -> Result<Confidence, String> {
    let level = text.parse().map_err(|_| "expected a number".to_string())?;
    Confidence::new(level).map_err(|error| error.to_string())
}

/// Opens a campaign, with the sites of its machine.
pub fn open(folder: &Path) -> Result<(Campaign, Sites), Error> {
    let path = folder.join("plan.json");
    let text = std::fs::read_to_string(&path);
    let text = text.map_err(|error| FileError::whole(&path, format!("cannot read the campaign's plan: {error}")))?;
    let sites = sites_of_plan(&Plan::from_json(&text, &path.display().to_string())?)?;
    Ok((Campaign::open(folder, &sites)?, sites))
}

/// Merges shards.
pub fn merge(arguments: &MergeArguments) -> Result<bool, Error> {
    let (campaign, sites) = open(&arguments.folder)?;
    let shards = campaign.shards()?.ok_or_else(|| {
        FileError::whole(
            &arguments.folder,
            "no results of shards; expected files that `faults run --shard` has written",
        )
    })?;
    let rows = campaign.merge(shards)?;
    show(&arguments.folder, &campaign, &rows, &sites, Options::default())
}

/// Writes page and tables, and prints the outcomes.
pub fn show(folder: &Path, campaign: &Campaign, rows: &[Row], sites: &Sites, options: Options) -> Result<bool, Error> {
    write(folder, campaign, rows, sites, options)?;
    print(&summary(campaign, rows, sites, options.confidence)?)?;
    print(&format!("\n{}\n", folder.join("report.html").display()))?;
    Ok(true)
}

/// Compares two campaigns.
pub fn compare(arguments: &CompareArguments) -> Result<bool, Error> {
    let [first, second] =
        [&arguments.first, &arguments.second].map(|folder| open(folder)?.0.read_results(None).map_err(Error::from));
    print(&comparison::compare(&first?, &second?)?)?;
    Ok(true)
}

/// Writes page and tables.
pub fn report(arguments: &ReportArguments) -> Result<bool, Error> {
    let (campaign, sites) = open(&arguments.folder)?;
    let rows = campaign.read_results(None)?;
    let options = Options {
        confidence: arguments.confidence,
        raw_fit_per_mbit: arguments.fit_per_mbit,
    };
    if arguments.parquet {
        write_parquet(&arguments.folder, &campaign, &rows)?;
    }
    show(&arguments.folder, &campaign, &rows, &sites, options)
}

#[cfg(feature = "parquet")]
fn write_parquet(folder: &Path, campaign: &Campaign, rows: &[Row]) -> Result<(), Error> {
    let path = folder.join("results.parquet");
    let contents = flexgrip_faults::results::parquet::write(rows, &campaign.plan().id()?, campaign.plan().engine);
    let contents = contents.map_err(|error| FileError::whole(&path, error.to_string()))?;
    Ok(write_file(&path, &contents)?)
}

#[cfg(not(feature = "parquet"))]
fn write_parquet(folder: &Path, _: &Campaign, _: &[Row]) -> Result<(), Error> {
    let wrong = "this program was built without Parquet; build it with `cargo build --release --features parquet`";
    Err(FileError::whole(&folder.join("results.parquet"), wrong).into())
}

/// Writes page and tables into the campaign's folder.
fn write(folder: &Path, campaign: &Campaign, rows: &[Row], sites: &Sites, options: Options) -> Result<(), Error> {
    let report = make(campaign.plan(), rows, sites, options)?;
    write_file(&folder.join("report.html"), &report.html())?;
    let tables = folder.join("tables");
    let made = std::fs::create_dir_all(&tables);
    made.map_err(|error| FileError::whole(&tables, format!("cannot create the folder: {error}")))?;
    for (name, table) in report.tables() {
        write_file(&tables.join(format!("{name}.csv")), &table)?;
    }
    Ok(())
}

/// Outcomes with their intervals.
pub fn summary(campaign: &Campaign, rows: &[Row], sites: &Sites, confidence: Confidence) -> Result<String, Error> {
    let plan = campaign.plan();
    let sample = plan.sample.as_ref();
    let population = plan.population(sites)?;
    let (total, count) = (grouped(rows.len() as u64), grouped(plan.count));
    let mut text = match population {
        Population::Complete(possible) => {
            let simulated = grouped(faults(rows));
            format!(
                "{total} classes of {count}, {simulated} of all {} possible faults",
                grouped(possible)
            )
        }
        Population::Finite(possible) => format!("{total} faults of {count}, of {} possible faults", grouped(possible)),
        Population::Unlimited => format!("{total} faults of {count}"),
    };
    if let Some(golden_model) = sample.and_then(|sample| sample.golden_model.as_ref()) {
        text += &format!(
            ", from {} thread instructions",
            grouped(golden_model.thread_instructions)
        );
    }
    let unit = match plan.engine {
        Engine::Circuits => "cycles",
        Engine::GoldenModel => "warp instructions",
    };
    text += &format!(", golden run {} {unit}\n", grouped(plan.golden_cycles));
    let all: Vec<&Row> = rows.iter().collect();
    for outcome in Outcome::ALL {
        let hits = faults(rows.iter().filter(|row| row.outcome == *outcome));
        let share = share(&all, population, |other| other == *outcome, confidence);
        let share = share.map_or_else(String::new, |share| share.to_string());
        text += &format!("  {:20} {:>9}  {share}\n", outcome.name(), grouped(hits));
    }
    // A share of chosen faults is not an estimate for the machine.
    if let Some(sample) = sample {
        let hits = faults(rows.iter().filter(|row| row.outcome.is_error()));
        if let Some(share) = share(&all, population, Outcome::is_error, confidence) {
            let factor = if sample.golden_model.is_some() { "PVF" } else { "AVF" };
            let name = format!("{factor} = SDC + DUE");
            text += &format!("  {name:20} {:>9}  {share}\n", grouped(hits));
        }
    }
    Ok(text)
}
