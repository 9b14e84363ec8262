//! Builds the design for a board: exports the board circuit's Verilog, synthesises, places, routes and packs it, and tells
//! what it takes, how fast it is and what keeps it from being faster.

use anyhow::{bail, Context};
use clap::Parser;
use flexgrip_sim::file_output::{note, write_atomically};
use flexgrip_sim::fpga::board::{Board, BOARDS};
use flexgrip_sim::fpga::place::{place, Placed};
use flexgrip_sim::verilog::board_verilog;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  fpga ulx3s                                     place and route: some half an hour
  fpga ecpix5 --bitstream                        build/fpga/ecpix5/ecpix5.bit
  fpga ulx3s --baseline baselines/fpga.toml      fail if it is not as recorded, or worse than the limits

FLEXGRIP_UPDATE_BASELINES=1 records in the baseline instead.

Exit code 0: done; 1: an error, or other than the baseline; 2: wrong usage.";

/// LUT4s that the design may take, and MHz that it must reach.
const LIMITS: (u64, f64) = (60_000, 40.0);

/// Builds the machine with 8 lanes, its memories and a serial line to the host for an FPGA board.
#[derive(Parser)]
#[command(name = "fpga", version, after_help = EXAMPLES)]
struct Arguments {
    /// The board
    #[arg(value_parser = BOARDS.map(|board| board.name))]
    board: String,
    /// Pack a bitstream, too
    #[arg(long)]
    bitstream: bool,
    /// Where placement starts from; the fastest clock varies with it by some percent
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// Where all files are written [default: build/fpga/BOARD]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Compare with the figures recorded in this file
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Print the outcome as one JSON object
    #[arg(long)]
    json: bool,
}

/// Figures of a board that are recorded; those of other versions of the tools are not comparable.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Figures {
    yosys: String,
    nextpnr: String,
    seed: u32,
    lut4s: u64,
    logic_cells: u64,
    flip_flops: u64,
    block_rams: u64,
    multipliers: u64,
    /// In tenths of a MHz.
    fmax_tenths: u64,
}

impl Figures {
    fn of(placed: &Placed) -> Figures {
        Figures {
            yosys: placed.yosys.clone(),
            nextpnr: placed.nextpnr.clone(),
            seed: placed.seed,
            lut4s: placed.lut4s,
            logic_cells: placed.logic_cells.used,
            flip_flops: placed.flip_flops.used,
            block_rams: placed.block_rams.used,
            multipliers: placed.multipliers.used,
            fmax_tenths: (placed.fmax * 10.0).round() as u64,
        }
    }

    fn same_tools(&self, other: &Figures) -> bool {
        (&self.yosys, &self.nextpnr, self.seed) == (&other.yosys, &other.nextpnr, other.seed)
    }
}

/// Fails if the figures are beyond the limits, or by the same tools not those recorded.
fn compare(placed: &Placed, file: &Path) -> anyhow::Result<()> {
    let now = Figures::of(placed);
    let mut recorded: BTreeMap<String, Figures> = match std::fs::read_to_string(file) {
        Ok(text) => toml::from_str(&text).with_context(|| file.display().to_string())?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
    };
    let (most, least) = LIMITS;
    if now.lut4s > most || placed.fmax < least {
        bail!(
            "{} LUT4s and {:.1} MHz; the limits are {most} and {least}",
            now.lut4s,
            placed.fmax
        );
    }
    if std::env::var_os("FLEXGRIP_UPDATE_BASELINES").is_some() {
        recorded.insert(placed.board.into(), now);
        let text = toml::to_string(&recorded).context("the baseline")?;
        return write_atomically(file, &text).with_context(|| format!("cannot write {}", file.display()));
    }
    match recorded.get(placed.board) {
        Some(figures) if !figures.same_tools(&now) => {
            note(format_args!(
                "the recorded figures are of other tools or another seed: {figures:?}"
            ));
            Ok(())
        }
        Some(figures) if *figures == now => Ok(()),
        other => bail!("not as recorded: now {now:?}, in {} {other:?}", file.display()),
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let board = Board::named(&arguments.board).with_context(|| format!("no board is called {}", arguments.board))?;
    let folder = arguments
        .folder
        .clone()
        .unwrap_or_else(|| Path::new("build/fpga").join(board.name));
    let circuit = board_verilog(8, board.clocks_per_bit())?;
    let placed = place(board, &circuit, arguments.seed, arguments.bitstream, &folder)?;
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
        .map_or(Ok(()), |file| compare(&placed, file))
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
