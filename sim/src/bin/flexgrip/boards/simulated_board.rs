//! `flexgrip simulated-board`: a simulated board, with its serial line on standard input and output.

use clap::{Args, ValueEnum};
use flexgrip_export::size_arguments::lanes;
use flexgrip_machine::sizes::Lanes;
use flexgrip_sim::board::simulated_board;
use flexgrip_sim::error::Error;
use std::io;

/// The text after the help.
pub const EXAMPLES: &str = "\
Examples:
  flexgrip board kernels/vectoradd --port 'pipe:flexgrip simulated-board'
  flexgrip board kernels/sort --port 'pipe:flexgrip simulated-board --lanes 32'
  flexgrip lane-test --port 'pipe:flexgrip simulated-board --top lane_board'

Standard input and output are the two directions of the board's serial line. The board idles while no input arrives, and
ends when its input ends.

Exit code 0: the input has ended; 1: an error; 2: wrong usage.";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BoardName {
    /// The chip with its memories
    #[value(name = "board")]
    Board,
    /// An integer lane only
    #[value(name = "lane_board")]
    Lane,
}

/// Arguments of the subcommand.
#[derive(Args)]
pub struct SimulatedBoardArguments {
    /// The board's circuit, named as in export-verilog
    #[arg(long, value_enum, default_value_t = BoardName::Board)]
    top: BoardName,
    /// Scalar processors of its streaming multiprocessor
    #[arg(long, default_value_t, value_parser = lanes())]
    lanes: Lanes,
}

/// Simulates the board until its input ends.
pub fn run(arguments: &SimulatedBoardArguments) -> Result<bool, Error> {
    match arguments.top {
        BoardName::Board => simulated_board::serve(arguments.lanes, io::stdin(), io::stdout())?,
        BoardName::Lane => simulated_board::serve_lane(io::stdin(), io::stdout())?,
    }
    Ok(true)
}
