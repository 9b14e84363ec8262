//! Measures the cost of timelines by alternating runs with and without one.

#![warn(clippy::unwrap_used)]

use anyhow::{bail, Context};
use clap::Parser;
use flexgrip_machine::sizes::Lanes;
use flexgrip_machine::Launch;
use flexgrip_sim::engines::circuits::sizes::configuration;
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::files::output::note;
use flexgrip_sim::timeline::file::TimelineFile;
use flexgrip_sim::trace::ending::Ending;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The file extensions of the formats.
const FORMATS: [&str; 3] = ["json", "perfetto", "kanata"];

/// A kernel of this project, made longer by a larger grid: its blocks repeat the same work, or work on zeros.
struct Case {
    kernel: &'static str,
    /// The size of the grid on the circuits, then on the golden model.
    grids: [[u32; 2]; 2],
}

const CASES: [Case; 4] = [
    Case {
        kernel: "bitonic_sort",
        grids: [[6, 1], [80, 1]],
    },
    Case {
        kernel: "sgemm_naive",
        grids: [[2, 8], [2, 200]],
    },
    Case {
        kernel: "n_body",
        grids: [[8, 1], [100, 1]],
    },
    Case {
        kernel: "sobel",
        grids: [[6, 4], [6, 4]],
    },
];

/// Measures the cost of timelines: how much longer the time from the grid's start to its end is if the run writes one.
/// Prints medians of alternating runs, because other load varies. `taskset -c 0` before the command gives the cost on
/// one processor.
#[derive(Parser)]
#[command(name = "timelines", version)]
struct Arguments {
    /// Runs of each kind
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
}

/// The median.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Runs a launch, with a timeline in `file` if there is one. Returns the total time, and the time of the grid.
fn measured(
    engine: &mut dyn Engine,
    launch: &Launch,
    options: &Options,
    file: Option<&Path>,
) -> anyhow::Result<(Duration, Duration)> {
    let options = Options {
        timeline: file.map(TimelineFile::new).transpose()?,
        ..options.clone()
    };
    let start = Instant::now();
    let report = engine.run(launch, &options, None)?;
    let all = start.elapsed();
    match report.ending {
        Ending::Complete => Ok((all, report.wall)),
        ending => bail!("{} has not ended: {ending:?}", launch.name),
    }
}

fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let folder = tempfile::tempdir().context("cannot create a folder for timelines")?;
    let files = FORMATS.map(|format| folder.path().join("timeline").with_extension(format));
    let options = Options {
        configuration: configuration(Lanes::Eight, 1 << 20),
        ..Options::default()
    };
    let mut engines: [Box<dyn Engine>; 2] = [Box::new(RtlEngine), Box::new(ModelEngine)];
    writeln!(
        out,
        "{:<14} {:<6} {:>8} {:>9} {:>9} {:>9}",
        "kernel", "engine", "seconds", FORMATS[0], FORMATS[1], FORMATS[2]
    )?;
    for (engine, index) in engines.iter_mut().zip(0..) {
        for case in &CASES {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
            let launch = Launch {
                grid: case.grids[index],
                ..Kernel::load(&root.join("kernels").join(case.kernel))?.launch
            };
            // The first run may compile something.
            measured(&mut **engine, &launch, &options, None)?;
            let (mut bare, mut grid, mut with) = (vec![], vec![], FORMATS.map(|_| vec![]));
            for _ in 0..arguments.runs {
                let (all, of_grid) = measured(&mut **engine, &launch, &options, None)?;
                bare.push(all);
                grid.push(of_grid);
                for (times, file) in with.iter_mut().zip(&files) {
                    times.push(measured(&mut **engine, &launch, &options, Some(file))?.0);
                }
            }
            let (bare, grid) = (median(bare).as_secs_f64(), median(grid).as_secs_f64());
            let costs = with.map(|times| format!("{:+.0} %", 100.0 * (median(times).as_secs_f64() - bare) / grid));
            let [json, perfetto, kanata] = costs;
            let (kernel, engine) = (case.kernel, engine.name());
            writeln!(
                out,
                "{kernel:<14} {engine:<6} {grid:>8.3} {json:>9} {perfetto:>9} {kanata:>9}"
            )?;
            out.flush()?;
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(&Arguments::parse(), &mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            note(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
