//! Builds the design for a board: exports the board circuit's Verilog, synthesises, places, routes and packs it, and
//! reports its size, its speed and the path that limits it.

#![warn(clippy::unwrap_used)]

use anyhow::Context;
use clap::Parser;
use flexgrip_export::size_arguments::capability;
use flexgrip_machine::Capability;
use flexgrip_synth::baseline::{compare, recorded_seed};
use flexgrip_synth::board::{Board, BOARDS};
use flexgrip_synth::place::{place, Goal};
use hdlkit::output::note;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  fpga ulx3s                                     place and route: an hour
  fpga ulx3s --place-only                        its resources, and an estimate of its clock: half an hour
  fpga ecpix5 --bitstream                        build/fpga/ecpix5/ecpix5.bit
  fpga ulx3s --capability 1.1                    with atomic functions; into build/fpga/ulx3s_sm_11
  fpga icebreaker                                a single integer lane: some two minutes
  fpga ulx3s --baseline baselines/fpga.toml      fail if it differs from the record, or is worse than the limits

FLEXGRIP_UPDATE=1 updates the baseline instead.

Exit code 0: done; 1: an error, or a difference from the baseline; 2: wrong usage.";

/// Builds the machine with 8 lanes, its memories and a serial line to the host for an FPGA board; for a small board, an
/// integer lane with such a line.
#[derive(Parser)]
#[command(name = "fpga", version, after_help = EXAMPLES)]
struct Arguments {
    /// The board
    #[arg(value_parser = BOARDS.map(|board| board.name))]
    board: String,
    /// Compute capability of the circuits
    #[arg(long, value_name = "VERSION", default_value_t, value_parser = capability())]
    capability: Capability,
    /// Also pack a bitstream
    #[arg(long)]
    bitstream: bool,
    /// Do not route. The placement is kept in build/fpga/BOARD/BOARD.placed.json, for synth/slowest_paths.py
    #[arg(long, conflicts_with_all = ["bitstream", "baseline"])]
    place_only: bool,
    /// Seed of the placement; the fastest clock varies with it by a few percent [default: the seed recorded in
    /// --baseline; without it, seeds 1 to 6 are placed, and routed in the order of wire length until one is fast
    /// enough]
    #[arg(long)]
    seed: Option<u32>,
    /// Folder for all files [default: build/fpga/BOARD, with a later capability BOARD_sm_11]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Compare with the figures recorded in this file
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Print the outcome as one JSON object
    #[arg(long)]
    json: bool,
}

/// The seeds that are tried if none is given.
const SEEDS: [u32; 6] = [1, 2, 3, 4, 5, 6];

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let board = Board::named(&arguments.board).with_context(|| format!("there is no board `{}`", arguments.board))?;
    let design = board.design(arguments.capability);
    let folder = arguments
        .folder
        .clone()
        .unwrap_or_else(|| Path::new("build/fpga").join(&design));
    let goal = if arguments.place_only {
        Goal::Placement
    } else if arguments.bitstream {
        Goal::Bitstream
    } else {
        Goal::Route
    };
    let recorded = match (&arguments.baseline, arguments.seed) {
        (Some(file), None) => recorded_seed(&design, file)?,
        _ => None,
    };
    let seeds = arguments.seed.or(recorded).map_or(SEEDS.to_vec(), |seed| vec![seed]);
    let placed = place(board, arguments.capability, &seeds, goal, &folder)?;
    let text = if arguments.json {
        serde_json::to_string(&placed)? + "\n"
    } else {
        placed.text()
    };
    io::stdout()
        .write_all(text.as_bytes())
        .context("cannot write the report")?;
    arguments
        .baseline
        .as_ref()
        .map_or(Ok(()), |file| compare(&placed, board, file))
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            note(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
