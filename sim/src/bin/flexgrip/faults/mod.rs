//! `flexgrip faults`: fault-injection campaigns.

mod campaign;
mod compact;
mod gates;
mod grade;
mod list;
mod replay;
mod results;
mod setup;

use clap::Subcommand;
use flexgrip_sim::error::Error;

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip faults run reduction                 1,000 flips; build/faults/reduction
  flexgrip faults run build/faults/reduction --count 50000       extends that campaign
  flexgrip faults run sort --where 'sm[0].scheduler,control:sm[0].fetch'
  flexgrip faults run sort --model stuck-at-1 --count 0 --output build/stuck
  flexgrip faults run saxpy --model flip-destination --output build/flips    in instructions
  flexgrip faults run saxpy --model iat --count 5000 --output build/iat
  flexgrip faults run saxpy --model relative-error --laws baselines/relative-errors.csv \
    --where float: --output build/errors
  flexgrip faults report build/faults/sort --confidence 0.99
  flexgrip faults report build/faults/sort --parquet    also results.parquet
  flexgrip faults replay build/faults/sort 17 --wave build/17.vcd
  flexgrip faults list --where memory:
  flexgrip faults gates vectoradd --unit decode
  flexgrip faults grade vectoradd --unit decode         as a self-test of the decoder
  flexgrip faults compact vectoradd --unit decode       and a shorter version of it

docs/reliability.md explains the figures.
Exit code 0: done; 1: an error; 2: wrong usage.";

/// The subcommands.
#[derive(Subcommand)]
pub enum FaultsCommand {
    /// List the sites: registers and memories by module, name and bits, pins of gates, or a kernel's instructions
    List(Box<list::ListArguments>),
    /// Write a campaign's plan and fault list into a folder, to be edited or shared
    Plan(Box<campaign::PlanArguments>),
    /// Simulate a campaign's faults, from a folder with a plan, or for a kernel, which is planned first
    Run(Box<campaign::RunArguments>),
    /// Simulate stuck-at faults of the gates of a unit, with the inputs recorded in a kernel's run; needs yosys
    Gates(Box<gates::GatesArguments>),
    /// Grade a kernel as a self-test: which stuck-at faults of a unit's gates it detects, by instruction; needs yosys
    Grade(Box<grade::GradeArguments>),
    /// Delete instructions of a self-test without reducing its coverage or lengthening its run; needs yosys
    Compact(Box<compact::CompactArguments>),
    /// Run one fault again alongside the golden run: show what differs, with waves and traces of both
    Replay(replay::ReplayArguments),
    /// Merge the results of all shards into one file, and write the report
    Merge(results::MergeArguments),
    /// Compare two campaigns with the same faults: of a circuit or kernel before and after a change, or of two machines
    Compare(results::CompareArguments),
    /// Write a report of the results: a page and tables
    Report(results::ReportArguments),
}

/// Runs the subcommand.
pub fn run(command: &FaultsCommand) -> Result<bool, Error> {
    match command {
        FaultsCommand::List(arguments) => list::run(arguments),
        FaultsCommand::Plan(arguments) => campaign::plan(arguments),
        FaultsCommand::Run(arguments) => campaign::run(arguments),
        FaultsCommand::Gates(arguments) => gates::run(arguments),
        FaultsCommand::Grade(arguments) => grade::run(arguments),
        FaultsCommand::Compact(arguments) => compact::run(arguments),
        FaultsCommand::Replay(arguments) => replay::run(arguments),
        FaultsCommand::Merge(arguments) => results::merge(arguments),
        FaultsCommand::Compare(arguments) => results::compare(arguments),
        FaultsCommand::Report(arguments) => results::report(arguments),
    }
}
