//! `flexgrip faults replay`: one fault again.

use super::results::open;
use crate::output::print;
use crate::trace_file::Trace;
use clap::Args;
use flexgrip_faults::Fault;
use flexgrip_machine::Retire;
use flexgrip_sim::error::Error;
use flexgrip_sim::faults::replay::replay;
use flexgrip_sim::numbers::grouped;
use flexgrip_sim::trace::ending::Ending;
use std::path::{Path, PathBuf};

/// Arguments of the subcommand.
#[derive(Args)]
pub struct ReplayArguments {
    /// The campaign's folder
    folder: PathBuf,
    /// The fault's number
    id: u64,
    /// Write waves of the faulty run, .vcd or .fst; those of the golden run beside it, with `golden` in the name
    #[arg(long, value_name = "FILE")]
    wave: Option<PathBuf>,
    /// Write one line per executed warp instruction, likewise
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Records to show that differ
    #[arg(long, value_name = "N", default_value_t = 5)]
    records: usize,
}

/// The golden run's file beside the faulty one's: `17.vcd` and `17.golden.vcd`.
fn golden(path: &Path) -> PathBuf {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_extension(format!("golden.{extension}"))
}

/// Runs the fault, and prints what differs.
pub fn run(arguments: &ReplayArguments) -> Result<bool, Error> {
    let (campaign, ready, _) = open(&arguments.folder)?;
    let id = arguments.id;
    let fault = campaign.faults().iter().find(|fault| fault.id == id);
    let fault = fault.ok_or_else(|| Error::Usage(format!("the campaign has no fault {id}")))?;
    let golden_wave = arguments.wave.as_deref().map(golden);
    let replay = replay(
        &ready.setup(),
        fault,
        [golden_wave.as_deref(), arguments.wave.as_deref()],
    )?;
    if let Some(path) = &arguments.trace {
        write(path, &replay.faulty)?;
        write(&golden(path), &replay.golden)?;
    }
    print(&format!("{}\n", about(fault)))?;
    let differing = replay.differing();
    for record in differing.iter().take(arguments.records) {
        print(&format!("{record}\n"))?;
    }
    let (count, golden, faulty) = (
        differing.len() as u64,
        replay.golden.len() as u64,
        replay.faulty.len() as u64,
    );
    let [count, golden, faulty] = [count, golden, faulty].map(grouped);
    print(&format!(
        "{count} records differ, of {golden} in the golden run from there on and {faulty} in the faulty one\n"
    ))?;
    print(&match &replay.end {
        Ok(report) => match report.ending {
            Ending::Failed(error) => format!("the faulty run ended: {error}\n"),
            _ => format!(
                "the faulty run ended after {} cycles\n",
                grouped(report.cycles.unwrap_or_default())
            ),
        },
        Err(error) => format!("the faulty run ended: {error}\n"),
    })?;
    Ok(true)
}

fn about(fault: &Fault) -> String {
    let Fault {
        id,
        model,
        site,
        element,
        bit,
        bits,
        cycle,
        until,
    } = fault;
    let element = if *element > 0 {
        format!(", element {element}")
    } else {
        String::new()
    };
    let bits = if *bits > 1 {
        format!(" and {} more", bits - 1)
    } else {
        String::new()
    };
    let until = until.map_or(String::new(), |until| format!(" to {}", until - 1));
    format!("fault {id}: {model} of {site}{element}, bit {bit}{bits}, cycle {cycle}{until}")
}

fn write(path: &Path, records: &[Retire]) -> Result<(), Error> {
    let mut trace = Trace::open(path)?;
    for record in records {
        if trace.record(record).is_break() {
            break;
        }
    }
    Ok(trace.close()?)
}
