//! `flexgrip lockstep`: compares an engine with the golden model, instruction by instruction.

use crate::arguments::{ClockedEngineName, EngineName, MachineArguments};
use crate::kernels::source::SourceArguments;
use crate::output::{coloured, print, GREEN, RED};
use clap::Args;
use flexgrip_sim::check::Findings;
use flexgrip_sim::engines::error::RunError;
use flexgrip_sim::engines::lockstep;
use flexgrip_sim::error::Error;
use flexgrip_sim::files::program::SourceLines;
use flexgrip_sim::progress::{described, Watch};
use flexgrip_sim::trace::ending::Ending;
use flexgrip_sim::trace::file::Trace;
use hdlkit::output::grouped;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};

/// Shown after the help.
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
    let (kernel, mut options) = arguments.source.load(&arguments.machine, name, arguments.check)?;
    let mut engine = name.engine();
    let mut trace = arguments.machine.trace.as_deref().map(Trace::open).transpose()?;
    let for_people = !arguments.machine.trace_is_printed();
    let watch = Watch::start(for_people, engine.name(), name.begins_with());
    options.progress = watch.progress();
    let places = kernel.source.as_ref().map_or_else(BTreeMap::new, SourceLines::places);
    options.watched = watch.watched(move |warps| described(&places, warps));
    options.check = arguments.check;
    let (report, compared, difference) = lockstep::run(&mut *engine, &kernel.launch, &options, |record| {
        if let Some(trace) = &mut trace {
            // A write error is reported when the trace is closed; the comparison continues.
            let _ = trace.record(record);
        }
    })?;
    drop(watch);
    trace.map_or(Ok(()), Trace::close)?;
    let terminal = io::stdout().is_terminal();
    let (text, colour) = match &difference {
        Some(difference) => (format!("{} and the model differ: {difference}", engine.name()), RED),
        None => (
            format!("{} and the model agree in {} records", engine.name(), grouped(compared)),
            GREEN,
        ),
    };
    let check = report.check.as_ref().map(|check| Findings::new(&kernel, check));
    if let Some(check) = &check {
        print(&check.text)?;
    }
    print(&format!("{}\n", coloured(&text, colour, terminal)))?;
    if let (None, Ending::Failed(error)) = (&difference, &report.ending) {
        return Err(RunError::of_kernel(&kernel, *error).into());
    }
    Ok(difference.is_none() && check.is_none_or(|check| check.errors == 0))
}
