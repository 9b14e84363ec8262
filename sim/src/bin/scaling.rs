//! Measures how kernels scale with lanes, warps and memory latency, and plots this with the predictions.

#![warn(clippy::unwrap_used)]

use anyhow::Context;
use clap::Parser;
use flexgrip_sim::files::output::{note, write_atomically};
use flexgrip_sim::performance::scaling::{picture, points, Point};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Measures two kernels on the native circuits with 8, 16 and 32 lanes, 1 to 32 warps and memory latencies of 20 to 200
/// cycles, predicts the same, and plots both. Prints a table. The results are the same on every machine.
#[derive(Parser)]
#[command(name = "scaling", version)]
struct Arguments {
    /// File for the plot
    #[arg(short, long, value_name = "FILE", default_value = "build/bench/scaling.svg")]
    output: PathBuf,
}

fn table(points: &[Point]) -> String {
    let mut text = format!(
        "{:<12} {:>7} {:>5} {:>5} {:>9} {:>9} {:>7}   limit\n",
        "kernel", "latency", "lanes", "warps", "measured", "predicted", "error"
    );
    for point in points {
        let (measured, predicted) = (point.measured as f64, point.predicted.cycles as f64);
        text.push_str(&format!(
            "{:<12} {:>7} {:>5} {:>5} {:>9} {:>9} {:>5.0} %   {}\n",
            point.parameters.work.name(),
            point.parameters.memory_latency,
            point.parameters.lanes,
            point.parameters.warps,
            point.measured,
            point.predicted.cycles,
            100.0 * (predicted / measured - 1.0),
            point.predicted.limit.name()
        ));
    }
    text
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let points = points()?;
    write_atomically(&arguments.output, &picture(&points))
        .with_context(|| format!("cannot write {}", arguments.output.display()))?;
    write!(io::stdout(), "{}\n{}\n", table(&points), arguments.output.display()).context("cannot write the table")
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            note(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
