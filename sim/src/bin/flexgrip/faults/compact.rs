//! `flexgrip faults compact`: a shorter self-test.

use super::grade::Observation;
use super::setup::folder_of;
use crate::arguments::KernelArguments;
use crate::output::{print, print_json};
use clap::Args;
use flexgrip_faults::gates::grade::Summary;
use flexgrip_sim::error::Error;
use flexgrip_sim::faults::compact::search::Limits;
use flexgrip_sim::faults::compact::{compact, Compacted, Compaction};
use flexgrip_sim::files::output::note;
use hdlkit::output::grouped;
use indicatif::ProgressBar;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip faults compact vectoradd --unit decode -o build/short
  flexgrip run build/short                                  the compacted kernel, with its expected results
  flexgrip faults compact sort --unit fetch --observe state --block 8
  flexgrip faults compact crc32 --unit decode --loss 0.5    half a percent of all faults may be lost
  flexgrip faults compact sort --unit decode --json | jq .after.instructions

The program must be assembly text, with labels as the targets of its branches. The folder will have kernel.sass,
launch.toml and the data, expected.txt of the golden model, log.csv with each attempt, and the grades of both kernels in
original/ and compacted/. After Ctrl-C, the same command continues.
Exit code 0: done; 1: an error; 2: wrong usage.";

/// Arguments of the subcommand.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct CompactArguments {
    #[command(flatten)]
    kernel: KernelArguments,
    #[command(flatten)]
    observation: Observation,
    /// New folder for the compacted kernel [default: build/faults/KERNEL-UNIT-compact]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Number of instructions to delete at once from the second pass onward; if that fails, halves of them
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    block: u32,
    /// Maximum number of passes: one in the order of first detections, the others from the end
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,
    /// Percentage of all faults, including equivalent ones, that may be lost
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0, value_parser = percent)]
    loss: f64,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

fn percent(text: &str) -> Result<f64, String> {
    let percent = text
        .parse()
        .ok()
        .filter(|percent: &f64| (0.0..=100.0).contains(percent));
    percent.ok_or_else(|| "expected a number from 0 to 100".into())
}

/// The size and coverage of a kernel, as printed by `--json`.
#[derive(Serialize)]
struct Side {
    instructions: usize,
    bytes: usize,
    summary: Summary,
}

/// The result as printed by `--json`.
#[derive(Serialize)]
struct Json {
    before: Side,
    after: Side,
    attempts: usize,
    confirmations: usize,
    deleted_in_first_pass: usize,
    seconds: f64,
    folder: PathBuf,
}

/// Compacts a kernel.
pub fn run(arguments: &CompactArguments) -> Result<bool, Error> {
    let observation = &arguments.observation;
    let chosen = observation.load(&arguments.kernel, true)?;
    let name = chosen.ready.name();
    let folder = arguments.output.clone().unwrap_or_else(|| {
        let name = format!("{name}-{}-compact", folder_of(&observation.unit));
        Path::new("build/faults").join(name)
    });
    let all: usize = chosen.faults.iter().map(|fault| chosen.gates.equivalent(*fault)).sum();
    let compaction = Compaction {
        setup: chosen.ready.setup(),
        kernel: chosen.ready.kernel(),
        faults: &chosen.faults,
        how: chosen.how,
        limits: Limits {
            block: arguments.block as usize,
            passes: arguments.passes as usize,
            loss: (all as f64 * arguments.loss / 100.0) as u64,
        },
        folder: &folder,
    };
    let clock = Instant::now();
    // Hidden unless on a terminal.
    let bar = ProgressBar::new_spinner();
    let compacted = compact(&compaction, &mut |attempts, left| {
        bar.set_message(format!("{attempts} attempts, {left} instructions left"));
        bar.tick();
    })?;
    bar.finish_and_clear();
    let seconds = clock.elapsed().as_secs_f64();
    let side = |grade, instructions, bytes| Side {
        instructions,
        bytes,
        summary: Summary::new(name, &observation.unit, grade, chosen.population),
    };
    let Compacted {
        before,
        after,
        bytes_before,
        bytes_after,
        instructions_before,
        instructions_after,
        attempts,
        confirmations,
        deleted_first,
    } = compacted;
    let json = Json {
        before: side(&before, instructions_before, bytes_before),
        after: side(&after, instructions_after, bytes_after),
        attempts,
        confirmations,
        deleted_in_first_pass: deleted_first,
        seconds,
        folder,
    };
    if arguments.json {
        return print_json(&json).map(|()| true);
    }
    note(format!(
        "{attempts} attempts in {seconds:.1} s, {confirmations} of them with all faults"
    ));
    print(&text(&json))?;
    Ok(true)
}

fn text(json: &Json) -> String {
    let Json { before, after, .. } = json;
    let mut text = format!("{:<20}{:>10}{:>10}{:>9}\n", "", "before", "after", "left");
    let rows = [
        ("instructions", before.instructions as u64, after.instructions as u64),
        ("bytes of code", before.bytes as u64, after.bytes as u64),
        ("cycles", before.summary.cycles, after.summary.cycles),
    ];
    for (name, before, after) in rows {
        let left = 100.0 * after as f64 / before.max(1) as f64;
        text += &format!("{name:<20}{:>10}{:>10}{left:>7.1} %\n", grouped(before), grouped(after));
    }
    for (name, before, after) in [
        (
            "fault coverage, %",
            before.summary.fault_coverage,
            after.summary.fault_coverage,
        ),
        (
            "test coverage, %",
            before.summary.test_coverage,
            after.summary.test_coverage,
        ),
    ] {
        text += &format!("{name:<20}{:>10.2}{:>10.2}\n", 100.0 * before.all, 100.0 * after.all);
    }
    text + &format!("\nthe kernel is in {}\n", json.folder.display())
}
