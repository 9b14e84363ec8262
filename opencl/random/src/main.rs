//! `opencl-random`: compares random kernels with the CPU's OpenCL driver.

#![warn(clippy::unwrap_used)]

use anyhow::Result;
use clap::Parser;
use flexgrip_opencl_random::workers::{self, Plan};
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  opencl-random --count 10000
  opencl-random --seed 7 --first 4711 --count 1       one kernel again

Exit code 0: all results are the same, or only the CPU driver's optimised code differs or crashes; 1: a difference, or an error; 2: wrong usage.";

/// Compares random kernels in OpenCL C, executed by the golden model and by the CPU's OpenCL driver: buffers bit for bit,
/// and the output of printf.
#[derive(Parser)]
#[command(name = "opencl-random", after_help = EXAMPLES)]
struct Cli {
    /// Seed of the random kernels; with a number, it determines a kernel
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first kernel
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=1_000_000_000_000))]
    first: u64,
    /// Number of kernels
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    count: u64,
    /// Number of worker processes [default: the number of cores]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1024))]
    jobs: Option<u64>,
    /// Folder for kernels with a difference
    #[arg(long, default_value = "build/opencl-random")]
    folder: PathBuf,
    /// Print the source of the kernels and run nothing
    #[arg(long)]
    print: bool,
    /// Compare only with code that the CPU's driver has not optimised
    #[arg(long)]
    plain: bool,
    #[arg(long, hide = true)]
    worker: Option<u64>,
    #[arg(long, hide = true, default_value_t = 0)]
    from: u64,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("opencl-random: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Result<bool> {
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let plan = Plan {
        seed: cli.seed,
        first: cli.first,
        count: cli.count,
        jobs: cli.jobs.unwrap_or(processors),
        folder: cli.folder.clone(),
        plain: cli.plain,
    };
    if cli.print {
        let kernels: Vec<_> = (plan.first..plan.first.saturating_add(plan.count))
            .map(|number| flexgrip_opencl_random::generate::kernel(plan.seed, number))
            .collect();
        print!("{}", flexgrip_opencl_random::compare::source(&kernels));
        return Ok(true);
    }
    if let Some(job) = cli.worker {
        workers::work(&plan, job, cli.from)?;
        return Ok(true);
    }
    // Errors of missing tools are reported once, not by each worker.
    flexgrip_opencl_random::compare::Both::find(cli.plain)?;
    let summary = workers::run(&plan, &std::env::current_exe()?)?;
    println!(
        "seed {}: {} of {} kernels have the same results",
        plan.seed, summary.same, plan.count
    );
    for contradiction in &summary.contradictions {
        println!(
            "{contradiction}: only the CPU driver's optimised code differs or crashes; without optimisation it agrees with ours"
        );
    }
    for finding in &summary.findings {
        println!("{finding}");
    }
    let agreed = summary.same + summary.contradictions.len() as u64;
    Ok(summary.findings.is_empty() && agreed == plan.count)
}
