//! `flexgrip board`: runs a kernel on a board on a serial line and checks its result.

use crate::arguments::{seconds, CoalescingName, KernelArguments, OutcomeArguments};
use crate::boards::tell_repeated;
use crate::output::finish;
use clap::Args;
use flexgrip_sim::board::client::{Client, ANSWER_SECONDS};
use flexgrip_sim::board::port::{Port, BAUD};
use flexgrip_sim::board::run::{self, BoardOptions, GRID_SECONDS};
use flexgrip_sim::error::Error;
use flexgrip_sim::report::Summary;
use std::time::Duration;

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip board kernels/vectoradd --port /dev/ttyUSB0
  flexgrip board kernels/vectoradd --port 'pipe:flexgrip simulated-board'
                                                       without a board: its circuits, simulated
  flexgrip board kernels/sobel --port COM3 --baud 115200 --dump sobel.pgm@6288+6160
  flexgrip board kernels/sort --port 'pipe:ssh lab socat - /dev/ttyUSB0,raw,b1000000' --json

The board holds the circuits that export-verilog --top board writes; docs/board.md describes its wiring and the protocol.
Only the parts of global memory that the kernel's expectations and --dump name are read back.

Exit code 0: the result matches, or there is nothing to check; 1: it does not match, or an error; 2: wrong usage.";

/// Arguments of the subcommand.
#[derive(Args)]
pub struct BoardArguments {
    #[command(flatten)]
    kernel: KernelArguments,
    /// Serial device, or pipe:COMMAND for a shell command connected through its standard input and output
    #[arg(long, value_name = "PORT")]
    port: Port,
    /// Bits per second of a serial device
    #[arg(long, value_name = "N", default_value_t = BAUD)]
    baud: u32,
    /// How to coalesce global accesses: by segments, or by the strict rule of the G80's half-warps
    #[arg(long, value_enum, default_value_t = CoalescingName::Segment)]
    coalescing: CoalescingName,
    /// Size of the kernel's global memory in bytes, a multiple of 64 [default: all of the board's, less local memories]
    #[arg(long, value_name = "BYTES")]
    global_size: Option<u32>,
    /// How long to wait for an answer before repeating the request
    #[arg(long, value_name = "SECONDS", default_value_t = ANSWER_SECONDS, value_parser = seconds)]
    answer_timeout: f64,
    /// How long the grid may run before it is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = GRID_SECONDS, value_parser = seconds)]
    grid_timeout: f64,
    #[command(flatten)]
    outcome: OutcomeArguments,
}

/// Runs the kernel; false if the result does not match.
pub fn run(arguments: &BoardArguments) -> Result<bool, Error> {
    let kernel = arguments.kernel.load()?;
    let options = BoardOptions {
        coalescing: arguments.coalescing.into(),
        global_bytes: arguments.global_size,
        grid_time: Duration::from_secs_f64(arguments.grid_timeout),
    };
    let line = arguments.port.open(arguments.baud)?;
    let mut client = Client::new(line, Duration::from_secs_f64(arguments.answer_timeout));
    let (report, machine) = run::run(&mut client, &kernel, &arguments.outcome.dump, &options)?;
    tell_repeated(client.repeated());
    let summary = Summary::new(&kernel, "board", machine.lanes.count(), machine.sms, &report);
    finish(&kernel, &report, &summary, &arguments.outcome)
}
