//! Random programs in lockstep: an engine is compared with the golden model until they differ.
//!
//! ```text
//! seed ─> generate ─> assemble ─> lockstep ─> equal: coverage, next program
//!                                    └──────> different: shrink ─> a kernel folder that shows it
//! ```
//! Program `n` of a seed and a mix is always the same, on every machine and after any other programs.

pub mod coverage;
pub mod data;
pub mod generate;
pub mod program;
pub mod shrink;
pub mod summary;

use crate::in_order::in_order;
use coverage::{Counts, Coverage};
use flexgrip_engines::circuits::sizes::configuration;
use flexgrip_engines::engine::{Engine, Options};
use flexgrip_engines::error::RunError;
use flexgrip_engines::files::output::write_file;
use flexgrip_engines::files::program::hex_text;
use flexgrip_engines::lockstep;
use flexgrip_engines::trace::ending::Ending;
use flexgrip_machine::sizes::Lanes;
use flexgrip_machine::{Capability, Configuration};
use generate::Mix;
use program::{RandomProgram, MEMORY_BYTES};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// The number of clock cycles after which a random program counts as hung.
const MOST_CYCLES: u64 = 4_000_000;

/// A program on which engine and model differ.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The number of the program.
    pub number: u64,
    /// The number of lanes.
    pub lanes: u32,
    /// The memory latency in cycles.
    pub latency: u32,
    /// The error of the shrunk program.
    pub message: String,
    /// The folder that reproduces the failure.
    pub folder: PathBuf,
}

/// The result of fuzzing.
#[derive(Clone, Debug)]
pub struct FuzzReport {
    /// The number of programs that were run.
    pub programs: u64,
    /// The number of warp instructions that were compared.
    pub warp_instructions: u64,
    /// The coverage of the programs.
    pub coverage: Coverage,
    /// The first failure.
    pub failure: Option<Failure>,
}

/// Options of fuzzing.
#[derive(Clone, Debug)]
pub struct FuzzOptions {
    /// The seed of the programs.
    pub seed: u64,
    /// Number of the first program.
    pub first: u64,
    /// The number of programs.
    pub count: u64,
    /// The mix of instructions in programs.
    pub mix: Mix,
    /// The capability of programs and machine.
    pub capability: Capability,
    /// The number of lanes; random for each program if `None`.
    pub lanes: Option<Lanes>,
    /// The folder for compiled Verilog.
    pub build: PathBuf,
    /// The folder for the kernel of a failure.
    pub output: PathBuf,
}

/// The machine on which a program runs.
#[derive(Clone, Copy)]
struct Machine {
    lanes: Lanes,
    latency: u32,
}

/// A program that was run.
struct Tried {
    program: RandomProgram,
    machine: Machine,
    warp_instructions: u64,
    /// The error, if the program failed.
    message: Option<String>,
}

/// Runs random programs one after another on `engine`, in lockstep with the model. Calls `progress` after each program.
///
/// # Errors
/// [`RunError`] if programs cannot be run at all, or if the failing program's folder cannot be written.
pub fn fuzz(
    engine: &mut dyn Engine,
    options: &FuzzOptions,
    mut progress: impl FnMut(&FuzzReport),
) -> Result<FuzzReport, RunError> {
    let mut report = FuzzReport::new(options.capability);
    let mut coverage = Coverage::new(options.capability);
    for number in options.numbers() {
        let tried = attempt(engine, options, number, &mut coverage)?;
        report.add(&tried, &coverage.take());
        if let Some(message) = &tried.message {
            report.fail(engine, options, number, &tried, message)?;
            break;
        }
        progress(&report);
    }
    Ok(report)
}

/// Like [`fuzz`], with `jobs` threads, each with its own engine. The report does not depend on `jobs`.
///
/// # Errors
/// The errors of [`fuzz`], for the first program that fails.
pub fn fuzz_on_threads(
    make: &(dyn Fn() -> Box<dyn Engine> + Sync),
    jobs: NonZeroUsize,
    options: &FuzzOptions,
    mut progress: impl FnMut(&FuzzReport),
) -> Result<FuzzReport, RunError> {
    let mut report = FuzzReport::new(options.capability);
    let mut failed = None;
    in_order(
        jobs.get(),
        options.numbers(),
        || (make(), Coverage::new(options.capability)),
        |(engine, coverage), number| {
            let tried = attempt(&mut **engine, options, number, coverage);
            (number, tried, coverage.take())
        },
        |(number, tried, counts)| {
            let tried = tried?;
            report.add(&tried, &counts);
            if tried.message.is_some() {
                failed = Some((number, tried));
                return Ok(ControlFlow::Break(()));
            }
            progress(&report);
            Ok::<_, RunError>(ControlFlow::Continue(()))
        },
    )?;
    if let Some((number, tried)) = &failed {
        let message = tried.message.as_deref().unwrap_or_default();
        report.fail(&mut *make(), options, *number, tried, message)?;
    }
    Ok(report)
}

impl FuzzOptions {
    fn numbers(&self) -> Range<u64> {
        self.first..self.first.saturating_add(self.count)
    }
}

impl FuzzReport {
    fn new(capability: Capability) -> Self {
        FuzzReport {
            programs: 0,
            warp_instructions: 0,
            coverage: Coverage::new(capability),
            failure: None,
        }
    }

    /// Adds the results of the next program.
    fn add(&mut self, tried: &Tried, counts: &Counts) {
        self.warp_instructions += tried.warp_instructions;
        self.coverage.merge(counts);
        self.programs += u64::from(tried.message.is_none());
    }

    /// Shrinks a failing program on `engine`, and writes its folder.
    fn fail(
        &mut self,
        engine: &mut dyn Engine,
        options: &FuzzOptions,
        number: u64,
        tried: &Tried,
        message: &str,
    ) -> Result<(), RunError> {
        let machine = tried.machine;
        let mut last = message.to_string();
        let smallest = shrink::shrink(tried.program.clone(), |program| {
            match compare(engine, program, machine, &options.build, None) {
                Ok((_, Some(message))) => {
                    last = message;
                    true
                }
                _ => false,
            }
        });
        let folder = options.output.join(format!("seed{}-program{number}", options.seed));
        write_folder(&folder, &smallest, machine, &last)?;
        self.failure = Some(Failure {
            number,
            lanes: machine.lanes.count(),
            latency: machine.latency,
            message: last,
            folder,
        });
        Ok(())
    }
}

/// The program with a number, for a seed and a mix, and its machine.
fn program_of(options: &FuzzOptions, number: u64) -> (RandomProgram, Machine) {
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    rng.set_stream(number);
    let lanes = Lanes::ALL.choose(&mut rng).copied().unwrap_or_default();
    let machine = Machine {
        lanes: options.lanes.unwrap_or(lanes),
        latency: rng.gen_range(1..40),
    };
    (
        generate::program(number, options.mix, options.capability, &mut rng),
        machine,
    )
}

/// Writes the first program of the options as a kernel folder, without running it.
///
/// # Errors
/// The folder cannot be written.
pub fn write_program(folder: &Path, options: &FuzzOptions) -> Result<(), RunError> {
    let (program, machine) = program_of(options, options.first);
    let about = format!("Random program {} of seed {}", options.first, options.seed);
    write_folder(folder, &program, machine, &about)
}

/// Generates and runs the program with a number.
fn attempt(
    engine: &mut dyn Engine,
    options: &FuzzOptions,
    number: u64,
    coverage: &mut Coverage,
) -> Result<Tried, RunError> {
    let (program, machine) = program_of(options, number);
    let (warp_instructions, message) = compare(engine, &program, machine, &options.build, Some(coverage))?;
    Ok(Tried {
        program,
        machine,
        warp_instructions,
        message,
    })
}

/// Runs a program. Returns the number of warp instructions, and the error if it failed.
fn compare(
    engine: &mut dyn Engine,
    program: &RandomProgram,
    machine: Machine,
    build: &Path,
    mut coverage: Option<&mut Coverage>,
) -> Result<(u64, Option<String>), RunError> {
    let launch = program.launch().map_err(RunError::Bench)?;
    let options = Options {
        configuration: Configuration {
            capability: program.capability,
            ..configuration(machine.lanes, MEMORY_BYTES)
        },
        max_cycles: MOST_CYCLES,
        memory_latency: machine.latency,
        build: build.into(),
        ..Options::default()
    };
    if let Some(coverage) = &mut coverage {
        coverage.start_program(machine.lanes);
    }
    let mut count = 0;
    let run = lockstep::run(engine, &launch, &options, |record| {
        count += 1;
        if let Some(coverage) = &mut coverage {
            coverage.record(record);
        }
    });
    if let (Some(coverage), Ok((run, ..))) = (coverage, &run) {
        coverage.end_program(&run.counters);
    }
    let message = match run {
        Ok((_, _, Some(difference))) => Some(difference.to_string()),
        Ok((run, _, None)) => match run.ending {
            Ending::Failed(error) => Some(format!("a program that should complete does not: {error}")),
            _ => None,
        },
        // A defect of the circuits: the program fails, but fuzzing continues.
        Err(error @ (RunError::Bench(_) | RunError::Trace(_))) => Some(error.to_string()),
        Err(error) => return Err(error),
    };
    Ok((count, message))
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
