//! `flexgrip fuzz`: runs random programs and compares an engine with the golden model.

use crate::arguments::{capability, ClockedEngineName, EngineName};
use crate::output::{coloured, print, print_json, GREEN, RED};
use clap::{Args, ValueEnum};
use flexgrip_export::size_arguments::lanes;
use flexgrip_export::verilog::circuit_hash;
use flexgrip_hdl::parameters::MachineParameters;
use flexgrip_machine::sizes::Lanes;
use flexgrip_machine::Capability;
use flexgrip_sim::engines::engine::processors;
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::error::Error;
use flexgrip_sim::fuzz::generate::Mix;
use flexgrip_sim::fuzz::summary::FuzzSummary;
use flexgrip_sim::fuzz::{fuzz_on_threads, write_program, FuzzOptions};
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip fuzz                                    100 random programs on the native circuits
  flexgrip fuzz --seed 7 --count 10000
  flexgrip fuzz --engine verilator --lanes 32
  flexgrip fuzz --seed 7 --first 4711 --count 1    one program again
  flexgrip fuzz --mix float --seed 51 --count 200  a million warp instructions on floats
  flexgrip fuzz --count 10000 --json | jq .not_reached
  flexgrip fuzz --seed 7 --first 4711 --write build/random    a program as a kernel's folder, not run

A program whose run differs from the golden model's is shrunk as far as possible and written as a kernel folder.
Exit code 0: no difference; 1: a difference, or an error; 2: wrong usage.";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MixName {
    /// All instructions equally, with floats as data in some of the programs
    Any,
    /// Mostly float instructions, and floats as data
    Float,
}

impl From<MixName> for Mix {
    fn from(name: MixName) -> Self {
        match name {
            MixName::Any => Mix::Any,
            MixName::Float => Mix::Float,
        }
    }
}

/// Arguments of the subcommand.
#[derive(Args)]
pub struct FuzzArguments {
    /// Seed of the programs: the same seed and number give the same program
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of the first program
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    /// Programs to run
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: u64,
    /// The mix of instructions in the programs
    #[arg(long, value_enum, default_value_t = MixName::Any)]
    mix: MixName,
    /// Compute capability of the programs and circuits
    #[arg(long, value_name = "VERSION", default_value_t, value_parser = capability())]
    capability: Capability,
    /// The engine to compare with the model
    #[arg(long, value_enum, default_value_t = ClockedEngineName::Rtl)]
    engine: ClockedEngineName,
    /// Scalar processors [default: random for each program]
    #[arg(long, value_parser = lanes())]
    lanes: Option<Lanes>,
    /// Number of programs to run at once [default: one for each processor]; does not affect the outcome
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Folder in which a failing program is written
    #[arg(long, value_name = "FOLDER", default_value = "build/fuzz")]
    output: PathBuf,
    /// Write the program with the number --first as a kernel's folder, without running it
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["count", "engine", "output", "json"])]
    write: Option<PathBuf>,
    /// Print the outcome as one JSON object
    #[arg(long)]
    json: bool,
    /// Folder that keeps compiled Verilog
    #[arg(long, value_name = "FOLDER", default_value = "build")]
    build_dir: PathBuf,
}

/// Runs the programs; false if there is a difference.
pub fn run(arguments: &FuzzArguments) -> Result<bool, Error> {
    let name = EngineName::from(arguments.engine);
    let jobs = arguments.jobs.unwrap_or_else(processors);
    let options = FuzzOptions {
        seed: arguments.seed,
        first: arguments.first,
        count: arguments.count,
        mix: arguments.mix.into(),
        capability: arguments.capability,
        lanes: arguments.lanes,
        build: arguments.build_dir.clone(),
        output: arguments.output.clone(),
    };
    if let Some(folder) = &arguments.write {
        write_program(folder, &options)?;
        print(&format!("the program is in {}\n", folder.display()))?;
        return Ok(true);
    }
    // Only the JSON output needs the hash, which takes an export. Computed before the programs run, to report a failure
    // early.
    let parameters = MachineParameters {
        capability: options.capability,
        ..MachineParameters::default()
    };
    let circuit = match arguments.json {
        true => Some(circuit_hash(parameters).map_err(RunError::from)?),
        false => None,
    };
    // Hidden unless on a terminal.
    let bar = indicatif::ProgressBar::new(options.count);
    let report = fuzz_on_threads(&|| name.engine(), jobs, &options, |report| {
        bar.set_position(report.programs)
    })?;
    bar.finish_and_clear();
    let summary = FuzzSummary::new(name.engine().name(), circuit, &options, &report);
    if arguments.json {
        print_json(&summary)?;
    } else {
        print(&summary.to_string())?;
        let colour = if summary.matches { GREEN } else { RED };
        print(&format!(
            "{}\n",
            coloured(&summary.verdict(), colour, io::stdout().is_terminal())
        ))?;
    }
    Ok(summary.matches)
}
