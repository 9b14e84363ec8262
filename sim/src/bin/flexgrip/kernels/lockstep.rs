//! `flexgrip lockstep`: compares an engine with the golden model, instruction by instruction.

use crate::arguments::{ClockedEngineName, EngineName, MachineArguments};
use crate::kernels::source::SourceArguments;
use crate::output::{coloured, print, GREEN, RED};
use clap::Args;
use flexgrip_sim::engines::check::Findings;
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::error::Error;
use flexgrip_sim::trace::ending::Ending;
use hdlkit::output::grouped;
use std::io::{self, IsTerminal};

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip lockstep kernels/sort
  flexgrip lockstep kernels/sort --engine verilator --lanes 16
  flexgrip lockstep kernels/sort --check               and errors of the kernel that do not stop it
  flexgrip lockstep saxpy.cl --global 64 --local 64 --arg float:2 --arg buffer:float:64=range --arg buffer:float:64

Exit code 0: every record, the end and global memory are equal; 1: they are not, or an error; 2: wrong usage.";

/// Arguments of the subcommand.
#[derive(Args)]
pub struct LockstepArguments {
    #[command(flatten)]
    machine: MachineArguments,
    /// The engine to compare with the model
    #[arg(long, value_enum, default_value_t = ClockedEngineName::Rtl)]
    engine: ClockedEngineName,
    /// Also check the kernel for errors, on the model that follows the engine
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    source: SourceArguments,
}

/// Runs the comparison; false if there is a difference.
pub fn run(arguments: &LockstepArguments) -> Result<bool, Error> {
    let name = EngineName::from(arguments.engine);
    let machine = &arguments.machine;
    let mut job = arguments.source.load(machine, arguments.check)?;
    job.options.check = arguments.check;
    job.trace.clone_from(&machine.trace);
    job.stage = (!machine.trace_is_printed()).then_some(name.begins_with());
    let mut engine = name.engine();
    let kernel = job.single()?.clone();
    let (report, records, difference) = job.lockstep(&mut *engine)?;
    let terminal = io::stdout().is_terminal();
    let (text, colour) = match &difference {
        Some(difference) => (format!("{} and the model differ: {difference}", engine.name()), RED),
        None => (
            format!("{} and the model agree in {} records", engine.name(), grouped(records)),
            GREEN,
        ),
    };
    let check = report.check.as_ref().map(|check| Findings::new(&kernel, check));
    if let Some(check) = &check {
        print(&check.text)?;
    }
    print(&format!("{}\n", coloured(&text, colour, terminal)))?;
    if let (None, Ending::Failed(error)) = (&difference, report.ending) {
        return Err(RunError::of_kernel(&kernel, error).into());
    }
    Ok(difference.is_none() && check.is_none_or(|check| check.errors == 0))
}
