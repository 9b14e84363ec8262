//! `flexgrip lane-test`: checks an integer lane on a board against the arithmetic.

use crate::arguments::seconds;
use crate::boards::tell_repeated;
use crate::output::{coloured, print, print_json, GREEN, RED};
use clap::Args;
use flexgrip_sim::board::client::Client;
use flexgrip_sim::board::lane_test::{self, LANE_ANSWER_SECONDS, OPERATIONS};
use flexgrip_sim::board::port::{Port, BAUD};
use flexgrip_sim::error::Error;
use std::io::{self, IsTerminal};
use std::time::Duration;

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip lane-test --port /dev/ttyUSB1
  flexgrip lane-test --port 'pipe:flexgrip simulated-board --top lane_board'
                                                       without a board: its circuits, simulated
  flexgrip lane-test --port /dev/ttyUSB1 --count 100000 --seed 7
  flexgrip lane-test --port COM3 --json | jq .difference

The board holds the bitstream of make bitstream BOARD=icebreaker (export-verilog --top lane_board); see docs/board.md. All
operations of a lane are run in turn, with random operands, and each result is compared with the arithmetic
of the golden model.

Exit code 0: all results are equal; 1: a result differs, or an error; 2: wrong usage.";

/// Arguments of the subcommand.
#[derive(Args)]
pub struct LaneTestArguments {
    /// Serial device, or pipe:COMMAND for a shell command connected through its standard input and output
    #[arg(long, value_name = "PORT")]
    port: Port,
    /// Bits per second of a serial device
    #[arg(long, value_name = "N", default_value_t = BAUD)]
    baud: u32,
    /// Number of operations
    #[arg(long, value_name = "N", default_value_t = OPERATIONS, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// Seed of the operations: the same seed gives the same operations
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How long to wait for an answer before repeating the request
    #[arg(long, value_name = "SECONDS", default_value_t = LANE_ANSWER_SECONDS, value_parser = seconds)]
    answer_timeout: f64,
    /// Print the outcome as one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the test; false if there is a difference.
pub fn run(arguments: &LaneTestArguments) -> Result<bool, Error> {
    let line = arguments.port.open(arguments.baud)?;
    let mut client = Client::new(line, Duration::from_secs_f64(arguments.answer_timeout));
    let report = lane_test::run(&mut client, arguments.seed, arguments.count)?;
    tell_repeated(report.repeated);
    if arguments.json {
        print_json(&report)?;
        return Ok(report.r#match);
    }
    let (verdict, colour) = match report.r#match {
        true => ("the board's lane and the arithmetic agree", GREEN),
        false => ("the board's lane and the arithmetic differ", RED),
    };
    let verdict = coloured(verdict, colour, io::stdout().is_terminal());
    print(&format!("{report}{verdict}\n"))?;
    Ok(report.r#match)
}
