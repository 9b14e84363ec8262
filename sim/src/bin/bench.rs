//! Compares the speed of the simulators: kernels on the circuits natively (as machine code and as kernels), on their
//! Verilog under Verilator and Icarus Verilog, under rust-hdl's own `Simulation`, and on the model.

#![warn(clippy::unwrap_used)]

use anyhow::Context;
use clap::Parser;
use flexgrip_export::size_arguments::{lanes, sms};
use flexgrip_machine::sizes::{Lanes, Sms};
use flexgrip_machine::{Configuration, ErrorKind};
use flexgrip_sim::engines::circuits::sizes::configuration;
use flexgrip_sim::engines::engine::{processors, Engine, Options};
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::compiled::CompiledEngine;
use flexgrip_sim::engines::native::kernels::KernelEngine;
use flexgrip_sim::engines::native::simulation::SimulationEngine;
use flexgrip_sim::engines::verilog::iverilog::IverilogEngine;
use flexgrip_sim::engines::verilog::verilator::VerilatorEngine;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::files::output::note;
use flexgrip_sim::trace::ending::Ending;
use hdlkit::output::grouped;
use hdlkit::tools::{IVERILOG, VERILATOR};
use serde::Serialize;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Kernels of 1, 8 and 32 warps.
const KERNELS: [&str; 3] = ["kernels/sha256", "kernels/bitonic_sort", "kernels/sgemm_tiled"];
/// A kernel of many blocks, for the model on one thread and on all threads.
const GRID_KERNEL: &str = "kernels/sobel";

/// Measures the speed of the simulators.
///
/// Rates are over the time from the grid's start to its end, without building, loading and reading back. Other load on
/// the machine lowers them: the table begins with the load average.
#[derive(Parser)]
#[command(name = "bench", version)]
struct Arguments {
    /// Folders with a launch.toml, or launch files [default: sha256, bitonic_sort and sgemm_tiled of kernels/, with 1,
    /// 8 and 32 warps, and for the model sobel, with 24 blocks]
    kernels: Vec<PathBuf>,
    /// Numbers of lanes to measure
    #[arg(long, value_delimiter = ',', default_values_t = Lanes::ALL.to_vec(), value_parser = lanes())]
    lanes: Vec<Lanes>,
    /// Streaming multiprocessors of the machines
    #[arg(long, default_value_t, value_parser = sms())]
    sms: Sms,
    /// Repeat each for this long after its first run, loading included
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    seconds: u64,
    /// Limit of cycles under rust-hdl's Simulation and under iverilog, which run once
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    slow_cycles: u64,
    /// Folder that keeps compiled Verilog
    #[arg(long, value_name = "FOLDER", default_value = "build")]
    build_dir: PathBuf,
    /// Print the outcome as one JSON object
    #[arg(long)]
    json: bool,
}

/// The measurement of one simulator.
#[derive(Serialize)]
struct Measurement {
    kernel: String,
    /// Warps of the launch, over all blocks.
    warps: u32,
    engine: &'static str,
    /// `null` for the model, which has no lanes.
    lanes: Option<u32>,
    /// Threads that the engine may use.
    jobs: NonZeroUsize,
    /// `null` for an engine without a clock, and for one that could not run.
    cycles_per_second: Option<f64>,
    /// Executed instructions, each counted once for every thread that executes it; `null` if the engine could not run.
    thread_instructions_per_second: Option<f64>,
    /// Measured runs, complete or cut off.
    runs: u32,
    /// Cycles of all runs.
    cycles: u64,
    /// Time of all runs.
    wall_seconds: f64,
    /// The reason why the engine could not run.
    missing: Option<String>,
}

impl Measurement {
    fn missing(kernel: &Kernel, engine: &'static str, lanes: Option<u32>, why: &str) -> Self {
        Measurement {
            kernel: kernel.launch.name.clone(),
            warps: warps(kernel),
            engine,
            lanes,
            jobs: NonZeroUsize::MIN,
            cycles_per_second: None,
            thread_instructions_per_second: None,
            runs: 0,
            cycles: 0,
            wall_seconds: 0.0,
            missing: Some(why.into()),
        }
    }
}

#[derive(Serialize)]
struct Report {
    /// Streaming multiprocessors.
    sms: u32,
    /// Processors available to this program.
    processors: Option<usize>,
    /// Load averages over 1, 5 and 15 minutes before the first run; `null` if the system does not provide them.
    load_average: Option<Vec<f64>>,
    measurements: Vec<Measurement>,
}

fn load_average() -> Option<Vec<f64>> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().take(3).map(|word| word.parse().ok()).collect()
}

/// The root of the workspace in which this program was built.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Warps of a launch.
fn warps(kernel: &Kernel) -> u32 {
    kernel.launch.blocks() * kernel.launch.block_warps()
}

/// After a warm-up run, repeats runs for `budget`. If `cut`, runs once, for at most `options.max_cycles`.
fn measure(
    engine: &mut dyn Engine,
    kernel: &Kernel,
    options: &Options,
    budget: Duration,
    cut: bool,
) -> Result<Measurement, RunError> {
    let (mut runs, mut cycles, mut threads, mut wall, mut clocked) = (0, 0, 0, Duration::ZERO, true);
    // The first run may compile something. Skipped for runs that are cut off, because they are slow.
    if !cut {
        engine.run(&kernel.launch, options, None)?;
    }
    let start = Instant::now();
    loop {
        let report = engine.run(&kernel.launch, options, None)?;
        match report.ending {
            Ending::Failed(error) if !(cut && matches!(error.kind, ErrorKind::Endless { .. })) => {
                return Err(RunError::Kernel(error));
            }
            _ => {}
        }
        runs += 1;
        // If the run was cut off, the machine's counter still advances while the host reads it.
        cycles += report.cycles.unwrap_or(0).min(options.max_cycles);
        clocked &= report.cycles.is_some();
        threads += report.thread_instructions;
        wall += report.wall;
        if cut || start.elapsed() >= budget {
            break;
        }
    }
    let seconds = wall.as_secs_f64();
    let rate = |count: u64| Some(count as f64 / seconds).filter(|rate| rate.is_finite());
    Ok(Measurement {
        kernel: kernel.launch.name.clone(),
        warps: warps(kernel),
        engine: engine.name(),
        lanes: clocked.then_some(options.configuration.lanes.count()),
        jobs: options.jobs,
        cycles_per_second: if clocked { rate(cycles) } else { None },
        thread_instructions_per_second: rate(threads),
        runs,
        cycles,
        wall_seconds: seconds,
        missing: None,
    })
}

fn row(measurement: &Measurement) -> String {
    let rate = |rate: Option<f64>| rate.map_or("-".into(), |rate| grouped(rate as u64));
    let lanes = measurement.lanes.map_or("-".into(), |lanes| lanes.to_string());
    let jobs = measurement.jobs;
    let engine = match jobs.get() {
        1 => measurement.engine.to_string(),
        _ => format!("{} x{jobs}", measurement.engine),
    };
    let start = format!("{engine:<11} {lanes:>5}");
    match &measurement.missing {
        Some(why) => format!("{start}   missing: {why}\n"),
        None => format!(
            "{start} {:>13} {:>22} {:>5} {:>13.3}\n",
            rate(measurement.cycles_per_second),
            rate(measurement.thread_instructions_per_second),
            measurement.runs,
            measurement.wall_seconds
        ),
    }
}

fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let of_project = |kernels: &[&str]| kernels.iter().map(|kernel| root().join(kernel)).collect();
    let (folders, for_the_model): (Vec<_>, Vec<_>) = match &arguments.kernels[..] {
        [] => (of_project(&KERNELS), of_project(&[GRID_KERNEL])),
        given => (given.to_vec(), Vec::new()),
    };
    let load = |folders: &[PathBuf]| {
        let kernels = folders.iter().map(|folder| Kernel::load(folder));
        kernels.collect::<Result<Vec<_>, _>>()
    };
    let (kernels, for_the_model) = (load(&folders)?, load(&for_the_model)?);
    let budget = Duration::from_secs(arguments.seconds);
    let mut report = Report {
        sms: arguments.sms.count(),
        processors: std::thread::available_parallelism().ok().map(|count| count.get()),
        load_average: load_average(),
        measurements: Vec::new(),
    };
    let print = |out: &mut dyn Write, text: &str| -> anyhow::Result<()> {
        if arguments.json {
            return Ok(());
        }
        write!(out, "{text}")
            .and_then(|()| out.flush())
            .context("cannot write the table")
    };
    let load = report.load_average.iter().flatten().map(|load| format!(" {load:.2}"));
    print(
        out,
        &format!(
            "{} SM; {} processors, load average{}\n",
            report.sms,
            report.processors.map_or("unknown".into(), |count| count.to_string()),
            load.reduce(|all, load| all + &load)
                .unwrap_or_else(|| " unknown".into()),
        ),
    )?;
    let sms = report.sms;
    let mut verilator = VerilatorEngine::default();
    let (has_verilator, has_iverilog) = (VERILATOR.is_there(), IVERILOG.is_there());
    let head = |kernel: &Kernel| {
        let warps = warps(kernel);
        let name = &kernel.launch.name;
        format!(
            "\n{name}, {warps} warp{}\n{:<11} {:>5} {:>13} {:>22} {:>5} {:>13}\n",
            if warps == 1 { "" } else { "s" },
            "engine",
            "lanes",
            "cycles/s",
            "thread instructions/s",
            "runs",
            "seconds"
        )
    };
    let on_model = |kernel: &Kernel| -> Result<Vec<Measurement>, RunError> {
        let mut options = Options {
            configuration: configuration(Lanes::Eight, 1 << 20),
            ..Options::default()
        };
        let mut measurements = vec![measure(&mut ModelEngine, kernel, &options, budget, false)?];
        options.jobs = processors();
        if options.jobs.get() > 1 && kernel.launch.blocks() > 1 {
            measurements.push(measure(&mut ModelEngine, kernel, &options, budget, false)?);
        }
        Ok(measurements)
    };
    for kernel in &kernels {
        print(out, &head(kernel))?;
        let mut add = |measurement: Measurement| {
            let text = row(&measurement);
            report.measurements.push(measurement);
            print(out, &text)
        };
        for &lanes in &arguments.lanes {
            let options = Options {
                configuration: Configuration {
                    sms,
                    ..configuration(lanes, 1 << 20)
                },
                build: arguments.build_dir.clone(),
                ..Options::default()
            };
            kernel.check(&options.configuration)?;
            add(measure(&mut CompiledEngine, kernel, &options, budget, false)?)?;
            add(measure(&mut KernelEngine, kernel, &options, budget, false)?)?;
            add(if has_verilator {
                measure(&mut verilator, kernel, &options, budget, false)?
            } else {
                Measurement::missing(
                    kernel,
                    verilator.name(),
                    Some(lanes.count()),
                    "not installed; run `make tools`",
                )
            })?;
            let cut = Options {
                max_cycles: arguments.slow_cycles,
                ..options
            };
            add(if !has_iverilog {
                Measurement::missing(
                    kernel,
                    IverilogEngine.name(),
                    Some(lanes.count()),
                    "not installed; run `make tools`",
                )
            } else if sms != 1 {
                Measurement::missing(
                    kernel,
                    IverilogEngine.name(),
                    Some(lanes.count()),
                    "has a test bench for one SM",
                )
            } else {
                measure(&mut IverilogEngine, kernel, &cut, Duration::ZERO, true)?
            })?;
            add(if sms == 1 {
                measure(&mut SimulationEngine, kernel, &cut, Duration::ZERO, true)?
            } else {
                Measurement::missing(
                    kernel,
                    SimulationEngine.name(),
                    Some(lanes.count()),
                    "is built for one SM",
                )
            })?;
        }
        for measurement in on_model(kernel)? {
            add(measurement)?;
        }
    }
    for kernel in &for_the_model {
        print(out, &head(kernel))?;
        for measurement in on_model(kernel)? {
            print(out, &row(&measurement))?;
            report.measurements.push(measurement);
        }
    }
    if arguments.json {
        let json = serde_json::to_string(&report)?;
        writeln!(out, "{json}").context("cannot write the report")?;
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
