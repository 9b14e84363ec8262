//! The command line: runs kernels, compares engines, assembles and lists programs.
//!
//! Each subcommand has its own file, with its arguments and examples: in `kernels/` for running kernels, in `faults/`
//! for fault campaigns, in `boards/` for boards, in `programs/` for programs as text. `arguments` has argument groups
//! shared by several.

#![warn(clippy::unwrap_used)]

mod arguments;
mod boards;
mod faults;
mod gtkwave_filter;
mod help;
mod kernels;
mod output;
mod programs;
mod shell;

use boards::{board, lane_test, simulated_board};
use clap::{CommandFactory, Parser, Subcommand};
use kernels::{dap, debug, fuzz, job, lockstep, run};
use programs::{asm, compile, disasm, explain, isa};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  flexgrip run kernels/vectoradd
  flexgrip lockstep kernels/sort --engine verilator
  flexgrip asm kernels/sort/kernel.sass
  flexgrip explain 0x04000780a0000005
  flexgrip isa IADD
  flexgrip help format     what a kernel on disk looks like";

/// An open G80 GPU: runs SM 1.0 kernels on its circuits, their Verilog, or the golden model.
#[derive(Parser)]
#[command(name = "flexgrip", version, after_help = EXAMPLES, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a kernel and check its result
    #[command(after_help = run::EXAMPLES)]
    Run(Box<run::RunArguments>),
    /// Run a kernel step by step, forwards and backwards
    #[command(after_help = debug::EXAMPLES)]
    Debug(Box<debug::DebugArguments>),
    /// Serve the Debug Adapter Protocol, to debug kernels from an editor
    #[command(after_help = dap::EXAMPLES)]
    Dap(dap::DapArguments),
    /// Run a kernel on a board over its serial line and check the result
    #[command(after_help = board::EXAMPLES)]
    Board(board::BoardArguments),
    /// Test a board's integer lane over its serial line
    #[command(after_help = lane_test::EXAMPLES)]
    LaneTest(lane_test::LaneTestArguments),
    /// Simulate a board, with its serial line on standard input and output
    #[command(after_help = simulated_board::EXAMPLES)]
    SimulatedBoard(simulated_board::SimulatedBoardArguments),
    /// Compare an engine with the golden model, instruction by instruction
    #[command(after_help = lockstep::EXAMPLES)]
    Lockstep(Box<lockstep::LockstepArguments>),
    /// Write a kernel as a job for the test bench in plain Verilog
    #[command(after_help = job::EXAMPLES)]
    Job(job::JobArguments),
    /// Run random programs and compare with the golden model
    #[command(after_help = fuzz::EXAMPLES)]
    Fuzz(fuzz::FuzzArguments),
    /// Run campaigns of faults in the circuits or the instructions of a kernel
    #[command(subcommand, after_help = faults::EXAMPLES)]
    Faults(faults::FaultsCommand),
    /// Assemble a .sass program into a .hex, .cubin, .mif or .vhd file, or realign existing code
    #[command(after_help = asm::EXAMPLES)]
    Asm(asm::AsmArguments),
    /// Compile a kernel in OpenCL C to a .cubin, .sass or .hex file
    #[command(after_help = compile::EXAMPLES)]
    Compile(compile::CompileArguments),
    /// List a .hex, .cubin or .vhd program as assembly text
    #[command(after_help = disasm::EXAMPLES)]
    Disasm(disasm::DisasmArguments),
    /// Explain instruction words bit by bit
    #[command(after_help = explain::EXAMPLES)]
    Explain(explain::ExplainArguments),
    /// Describe the instructions: all, or one of them with its forms, bits and sources
    #[command(after_help = isa::EXAMPLES)]
    Isa(isa::IsaArguments),
    /// Translate values, one per line, to instructions or states: a process filter for GTKWave
    #[command(after_help = gtkwave_filter::EXAMPLES)]
    GtkwaveFilter(gtkwave_filter::FilterArguments),
    /// Describe a topic: format
    Help(help::HelpArguments),
}

fn main() -> ExitCode {
    let cli = Cli::parse_from(gtkwave_filter::arguments());
    let result = match &cli.command {
        Command::Run(arguments) => run::run(arguments),
        Command::Debug(arguments) => debug::run(arguments),
        Command::Dap(arguments) => dap::run(arguments),
        Command::Board(arguments) => board::run(arguments),
        Command::LaneTest(arguments) => lane_test::run(arguments),
        Command::SimulatedBoard(arguments) => simulated_board::run(arguments),
        Command::Lockstep(arguments) => lockstep::run(arguments),
        Command::Fuzz(arguments) => fuzz::run(arguments),
        Command::Faults(command) => faults::run(command),
        Command::Job(arguments) => job::run(arguments),
        Command::Asm(arguments) => asm::run(arguments),
        Command::Compile(arguments) => compile::run(arguments),
        Command::Disasm(arguments) => disasm::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Isa(arguments) => isa::run(arguments),
        Command::GtkwaveFilter(arguments) => gtkwave_filter::run(arguments),
        Command::Help(arguments) => help::run(arguments, Cli::command()),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            output::refuse(&error);
            match error {
                // Usage errors that the parser cannot detect.
                error if error.is_usage() => ExitCode::from(2),
                _ => ExitCode::FAILURE,
            }
        }
    }
}
