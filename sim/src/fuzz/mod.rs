//! Random programs in lockstep: an engine against the golden model, until they differ.
//!
//! ```text
//! seed ─> generate ─> assemble ─> lockstep ─> equal: coverage, next program
//!                                    └──────> different: shrink ─> a kernel folder that shows it
//! ```
//! Program `n` of a seed and a mix is the same whatever ran before it, on every machine.

pub mod coverage;
pub mod data;
pub mod generate;
pub mod program;
pub mod shrink;
pub mod summary;

use crate::engines::engine::{Engine, Options};
use crate::engines::error::RunError;
use crate::engines::lockstep;
use crate::engines::sizes::configuration;
use crate::files::output::write_file;
use crate::files::program::hex_text;
use crate::trace::ending::Ending;
use coverage::Coverage;
use flexgrip_machine::sizes::Lanes;
use generate::Mix;
use program::{RandomProgram, MEMORY_BYTES};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Clock cycles after which a random program is considered hung.
const MOST_CYCLES: u64 = 4_000_000;

/// A program on which engine and model differ.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// Its number.
    pub number: u64,
    /// Scalar processors.
    pub lanes: u32,
    /// Cycles of memory latency.
    pub latency: u32,
    /// What is wrong with the shrunk program.
    pub message: String,
    /// The folder that reproduces it.
    pub folder: PathBuf,
}

/// The result of a fuzzing run.
#[derive(Clone, Debug)]
pub struct FuzzReport {
    /// Programs that were run.
    pub programs: u64,
    /// Warp instructions that were compared.
    pub warp_instructions: u64,
    /// The coverage reached.
    pub coverage: Coverage,
    /// The first failure.
    pub failure: Option<Failure>,
}

/// The programs to run, and how.
#[derive(Clone, Debug)]
pub struct FuzzOptions {
    /// The seed of the programs.
    pub seed: u64,
    /// Number of the first program.
    pub first: u64,
    /// Programs to run.
    pub count: u64,
    /// The mix of instructions in programs.
    pub mix: Mix,
    /// Number of lanes; random for each program if `None`.
    pub lanes: Option<Lanes>,
    /// Where compiled Verilog is kept.
    pub build: PathBuf,
    /// Where the folder of a failure is written.
    pub output: PathBuf,
}

/// The machine of a program.
#[derive(Clone, Copy)]
struct Machine {
    lanes: Lanes,
    latency: u32,
}

/// Runs random programs on `engine` in lockstep with the model. Calls `progress` after each program.
///
/// # Errors
/// [`RunError`] if programs cannot be run at all, or if the failing program's folder cannot be written.
pub fn fuzz(
    engine: &mut dyn Engine,
    options: &FuzzOptions,
    mut progress: impl FnMut(&FuzzReport),
) -> Result<FuzzReport, RunError> {
    let mut report = FuzzReport {
        programs: 0,
        warp_instructions: 0,
        coverage: Coverage::new(),
        failure: None,
    };
    for number in options.first..options.first.saturating_add(options.count) {
        let (program, machine) = program_of(options, number);
        let mut compare = |program: &RandomProgram, report: Option<&mut FuzzReport>| {
            compare(engine, program, machine, &options.build, report)
        };
        if let Some(message) = compare(&program, Some(&mut report))? {
            let mut last = message;
            let smallest = shrink::shrink(program, |program| match compare(program, None) {
                Ok(Some(message)) => {
                    last = message;
                    true
                }
                _ => false,
            });
            let folder = options.output.join(format!("seed{}-program{number}", options.seed));
            write_folder(&folder, &smallest, machine, &last)?;
            report.failure = Some(Failure {
                number,
                lanes: machine.lanes.count(),
                latency: machine.latency,
                message: last,
                folder,
            });
            return Ok(report);
        }
        report.programs += 1;
        progress(&report);
    }
    Ok(report)
}

/// A program of a seed and a mix, by its number, and its machine.
fn program_of(options: &FuzzOptions, number: u64) -> (RandomProgram, Machine) {
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    rng.set_stream(number);
    let lanes = Lanes::ALL.choose(&mut rng).copied().unwrap_or_default();
    let machine = Machine {
        lanes: options.lanes.unwrap_or(lanes),
        latency: rng.gen_range(1..40),
    };
    (generate::program(number, options.mix, &mut rng), machine)
}

/// Writes the first program of the options as a kernel's folder, without running it.
///
/// # Errors
/// The folder cannot be written.
pub fn write_program(folder: &Path, options: &FuzzOptions) -> Result<(), RunError> {
    let (program, machine) = program_of(options, options.first);
    let about = format!("Random program {} of seed {}", options.first, options.seed);
    write_folder(folder, &program, machine, &about)
}

/// Runs a program; returns what is wrong, if anything.
fn compare(
    engine: &mut dyn Engine,
    program: &RandomProgram,
    machine: Machine,
    build: &Path,
    mut report: Option<&mut FuzzReport>,
) -> Result<Option<String>, RunError> {
    let launch = program.launch().map_err(RunError::Bench)?;
    let options = Options {
        configuration: configuration(machine.lanes, MEMORY_BYTES),
        max_cycles: MOST_CYCLES,
        memory_latency: machine.latency,
        build: build.into(),
        ..Options::default()
    };
    if let Some(report) = &mut report {
        report.coverage.start_program(machine.lanes);
    }
    let mut count = 0;
    let run = lockstep::run(engine, &launch, &options, |record| {
        count += 1;
        if let Some(report) = &mut report {
            report.coverage.record(record);
        }
    });
    if let Some(report) = report {
        report.warp_instructions += count;
        if let Ok((run, ..)) = &run {
            report.coverage.end_program(&run.counters);
        }
    }
    match run {
        Ok((_, _, Some(difference))) => Ok(Some(difference.to_string())),
        Ok((run, _, None)) => Ok(match run.ending {
            Ending::Failed(error) => Some(format!("a program that should complete does not: {error}")),
            _ => None,
        }),
        // A fault of the circuits, so a failure of the program rather than an error here.
        Err(error @ (RunError::Bench(_) | RunError::Trace(_))) => Ok(Some(error.to_string())),
        Err(error) => Err(error),
    }
}

fn write_folder(folder: &Path, program: &RandomProgram, machine: Machine, message: &str) -> Result<(), RunError> {
    let summary = format!("--lanes {} --memory-latency {}", machine.lanes, machine.latency);
    let comment: String = message.lines().map(|line| format!("// {line}\n")).collect();
    let mut files = vec![
        ("launch.toml".to_string(), program.launch_file(&summary)),
        ("kernel.sass".to_string(), format!("{comment}\n{}", program.text())),
        ("global.hex".to_string(), hex_text(&program.global)),
    ];
    for (bank, words) in &program.constants {
        files.push((format!("constant{bank}.hex"), hex_text(words)));
    }
    for (name, text) in files {
        write_file(&folder.join(name), &text)?;
    }
    Ok(())
}
