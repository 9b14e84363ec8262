//! `flexgrip job`: writes a kernel as a job for the test bench in plain Verilog.

use crate::arguments::KernelArguments;
use crate::output::print;
use clap::Args;
use flexgrip_sim::engines::engine::Options;
use flexgrip_sim::engines::verilog::iverilog::job;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::output::write_file;
use std::path::PathBuf;

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip job kernels/vectoradd -o job.txt

The job is for testbench/verilog/gpgpu_tb.v, whose README.md has the commands for iverilog. It is the same for 8, 16 and
32 lanes.

Exit code 0: written; 1: an error; 2: wrong usage.";

/// Arguments of the subcommand.
#[derive(Args)]
pub struct JobArguments {
    #[command(flatten)]
    kernel: KernelArguments,
    /// File for the job [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Writes the job.
pub fn run(arguments: &JobArguments) -> Result<bool, Error> {
    let kernel = arguments.kernel.load()?;
    let options = Options::default();
    kernel.check(&options.configuration)?;
    let text = job(&kernel.launch, &options);
    match &arguments.output {
        None => print(&text)?,
        Some(path) => write_file(path, &text)?,
    }
    Ok(true)
}
