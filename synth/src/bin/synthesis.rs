//! The machine's size on an FPGA, module by module: exports its Verilog, synthesises it with yosys for an FPGA family
//! with its hierarchy kept, and adds up the cells.

#![warn(clippy::unwrap_used)]

use anyhow::Context;
use clap::Parser;
use flexgrip_export::size_arguments::{capability, lanes, protect};
use flexgrip_export::verilog::Top;
use flexgrip_machine::sizes::Lanes;
use flexgrip_machine::{Capability, Protect};
use flexgrip_synth::cells::Family;
use flexgrip_synth::synthesis::{synthesise, Report};
use hdlkit::output::note;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  synthesis ecp5                                   the whole machine, 8 lanes: some ten minutes
  synthesis xilinx --lanes 16 --json
  synthesis ice40 --top integer_lane               the part that fits an iCE40
  synthesis ecp5 --capability 1.3                  with the double-precision unit
  synthesis ecp5 --top register_file --protect secded

Exit code 0: synthesised; 1: an error; 2: wrong usage.";

/// Reports the machine's size on an FPGA, module by module.
///
/// Modules are synthesised separately, without optimisation across them, so the whole is smaller than their sum.
#[derive(Parser)]
#[command(name = "synthesis", version, after_help = EXAMPLES)]
struct Arguments {
    /// The FPGA family
    family: Family,
    /// Scalar processors per streaming multiprocessor
    #[arg(long, default_value_t, value_parser = lanes())]
    lanes: Lanes,
    /// The top module [default: gpgpu; for iCE40, which is too small for it, integer_lane]
    #[arg(long, value_parser = Top::ALL.map(Top::name))]
    top: Option<String>,
    /// Compute capability of the circuits
    #[arg(long, value_name = "VERSION", default_value_t, value_parser = capability())]
    capability: Capability,
    /// Protection of the circuits from flipped bits
    #[arg(long, value_name = "CODE", default_value_t, value_parser = protect())]
    protect: Protect,
    /// Folder for the Verilog, the netlist and yosys's output
    #[arg(long, value_name = "FOLDER", default_value = "build/synth")]
    folder: PathBuf,
    /// Print the outcome as one JSON object
    #[arg(long)]
    json: bool,
}

fn run(arguments: &Arguments) -> anyhow::Result<Report> {
    let family = arguments.family;
    // The parser accepts only valid numbers and tops.
    let lanes = arguments.lanes;
    let default = match family {
        Family::Ice40 => Top::IntegerLane,
        _ => Top::Gpgpu,
    };
    let top = match &arguments.top {
        None => default,
        Some(name) => Top::ALL.into_iter().find(|top| top.name() == name).unwrap_or(default),
    };
    synthesise(
        family,
        top,
        lanes,
        arguments.capability,
        arguments.protect,
        &arguments.folder,
    )
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let printed = run(&arguments).and_then(|report| {
        let text = if arguments.json {
            serde_json::to_string(&report)? + "\n"
        } else {
            report.table()
        };
        io::stdout()
            .write_all(text.as_bytes())
            .context("cannot write the report")
    });
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            note(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
