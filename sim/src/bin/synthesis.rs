//! What the machine takes on an FPGA, module by module: exports its Verilog, has yosys synthesise it for a family of FPGAs
//! with its hierarchy kept, and adds up the cells.

use anyhow::{anyhow, bail, Context};
use clap::{Parser, ValueEnum};
use flexgrip_sim::file_output::note;
use flexgrip_sim::report::grouped;
use flexgrip_sim::verilog::{verilog, Top};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

const EXAMPLES: &str = "\
Examples:
  synthesis ecp5                                   the whole machine, 8 lanes: some ten minutes
  synthesis xilinx --lanes 16 --json
  synthesis ice40 --top integer_lane               what of it fits an iCE40

Exit code 0: synthesised; 1: an error; 2: wrong usage.";

/// Tells what the machine takes on an FPGA, module by module.
///
/// Modules are synthesised one by one, with nothing optimised across them, so the whole is smaller than their sum.
#[derive(Parser)]
#[command(name = "synthesis", version, after_help = EXAMPLES)]
struct Arguments {
    /// For which FPGAs
    family: Family,
    /// Scalar processors of a streaming multiprocessor
    #[arg(long, default_value = "8", value_parser = ["8", "16", "32"])]
    lanes: String,
    /// The top module [default: gpgpu; for iCE40, which it does not fit, integer_lane]
    #[arg(long, value_parser = Top::ALL.map(Top::name))]
    top: Option<String>,
    /// Where the Verilog, the netlist and yosys's output are written
    #[arg(long, value_name = "FOLDER", default_value = "build/synth")]
    folder: PathBuf,
    /// Print the outcome as one JSON object
    #[arg(long)]
    json: bool,
}

/// Families of FPGAs that yosys knows.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Family {
    /// Lattice ECP5
    Ecp5,
    /// Xilinx 7 series
    Xilinx,
    /// Lattice iCE40 UltraPlus
    Ice40,
}

/// Kinds of cells that are counted.
const KINDS: [&str; 4] = ["LUTs", "flip-flops", "block RAMs", "multipliers"];

impl Family {
    const fn name(self) -> &'static str {
        match self {
            Family::Ecp5 => "ecp5",
            Family::Xilinx => "xilinx",
            Family::Ice40 => "ice40",
        }
    }

    /// The command of yosys, without the top module.
    const fn command(self) -> &'static str {
        match self {
            // Wide multiplexers of LUTs and their combiners take twice as many LUTs as those of LUTs alone.
            Family::Ecp5 => "synth_ecp5 -nowidelut -noflatten",
            Family::Xilinx => "synth_xilinx -family xc7",
            Family::Ice40 => "synth_ice40 -device u -dsp -noflatten",
        }
    }

    /// Of which of [`KINDS`] a cell is, and how many it counts.
    fn kind(self, cell: &str) -> Option<(usize, u64)> {
        let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| cell.starts_with(prefix));
        match self {
            Family::Ecp5 => match cell {
                "LUT4" => Some((0, 1)),
                // A bit of carry takes a LUT of its own, and 64 bits of distributed memory the four of two slices.
                "CCU2C" => Some((0, 2)),
                "TRELLIS_DPR16X4" => Some((0, 4)),
                "TRELLIS_FF" => Some((1, 1)),
                "DP16KD" | "PDPW16KD" => Some((2, 1)),
                "MULT18X18D" => Some((3, 1)),
                _ => None,
            },
            Family::Xilinx => match cell {
                // In blocks of 18 Kbit.
                "RAMB36E1" => Some((2, 2)),
                "RAMB18E1" => Some((2, 1)),
                "DSP48E1" => Some((3, 1)),
                // Distributed memories, by the LUTs of theirs.
                "RAM32M" | "RAM64M" => Some((0, 4)),
                "RAM32X1D" | "RAM64X1D" => Some((0, 2)),
                _ if starts(&["LUT", "SRL"]) => Some((0, 1)),
                _ if starts(&["FD"]) => Some((1, 1)),
                _ => None,
            },
            Family::Ice40 => match cell {
                "SB_LUT4" => Some((0, 1)),
                "SB_RAM40_4K" | "SB_SPRAM256KA" => Some((2, 1)),
                "SB_MAC16" => Some((3, 1)),
                _ if starts(&["SB_DFF"]) => Some((1, 1)),
                _ => None,
            },
        }
    }
}

/// What yosys's `stat -json` says.
#[derive(Deserialize)]
struct Statistics {
    modules: BTreeMap<String, Module>,
}

#[derive(Deserialize)]
struct Module {
    /// Cells and instances of modules, by type.
    num_cells_by_type: BTreeMap<String, u64>,
}

/// A module's share.
#[derive(Clone, Default, Serialize)]
struct Share {
    module: String,
    /// How many of it there are in the machine.
    instances: u64,
    /// Cells of one instance, without those of the modules in it; by [`KINDS`].
    own: [u64; KINDS.len()],
}

#[derive(Serialize)]
struct Report {
    family: &'static str,
    top: &'static str,
    lanes: u32,
    yosys: String,
    /// What the numbers of `own` and `sum` count.
    kinds: [&'static str; KINDS.len()],
    modules: Vec<Share>,
    sum: [u64; KINDS.len()],
}

/// yosys, or the program that `$YOSYS` names.
fn yosys() -> String {
    std::env::var("YOSYS").unwrap_or_else(|_| "yosys".into())
}

fn version() -> anyhow::Result<String> {
    let yosys = yosys();
    let output = Command::new(&yosys)
        .arg("-V")
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{yosys} cannot be run; `make tools` installs it"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().into())
}

/// Adds the instances of modules in `module`, which is there `count` times.
fn count(statistics: &Statistics, module: &str, count_here: u64, instances: &mut BTreeMap<String, u64>) {
    *instances.entry(module.into()).or_default() += count_here;
    let Some(cells) = statistics.modules.get(&format!("\\{module}")) else {
        return;
    };
    for (cell, number) in &cells.num_cells_by_type {
        // A module by the name of its own in it would be a primitive that yosys keeps.
        if cell != module && statistics.modules.contains_key(&format!("\\{cell}")) {
            count(statistics, cell, count_here * number, instances);
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<Report> {
    let family = arguments.family;
    // The parser admits only numbers and tops.
    let lanes: u32 = arguments.lanes.parse().unwrap_or(8);
    let default = match family {
        Family::Ice40 => Top::IntegerLane,
        _ => Top::Gpgpu,
    };
    let top = match &arguments.top {
        None => default,
        Some(name) => Top::ALL.into_iter().find(|top| top.name() == name).unwrap_or(default),
    };
    let version = version()?;
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let name = format!("{}_{lanes}_{}", top.name(), family.name());
    let file = |extension: &str| format!("{name}.{extension}");
    let write = |path: &Path, text: &str| {
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    write(&folder.join(file("v")), &verilog(top, lanes, 1)?)?;
    let script = format!(
        "read_verilog {}\n{} -top {}\nwrite_json {}\ntee -q -o {} stat -json\n",
        file("v"),
        family.command(),
        top.name(),
        file("json"),
        file("stat"),
    );
    write(&folder.join(file("ys")), &script)?;
    note(format_args!(
        "{version} synthesises {} in {}; the whole machine takes some ten minutes",
        file("v"),
        folder.display()
    ));
    let output = Command::new(yosys())
        .args(["-q", "-l", &file("log"), "-s", &file("ys")])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{} cannot be run", yosys()))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let errors: Vec<&str> = text.lines().filter(|line| line.contains("ERROR")).collect();
        bail!(
            "yosys failed, {} tells more: {}",
            folder.join(file("log")).display(),
            errors.join("\n")
        );
    }
    let path = folder.join(file("stat"));
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let statistics: Statistics = serde_json::from_str(&text).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    let mut instances = BTreeMap::new();
    count(&statistics, top.name(), 1, &mut instances);
    let mut modules: Vec<Share> = instances
        .into_iter()
        .map(|(module, instances)| {
            let mut own = [0; KINDS.len()];
            let cells = statistics.modules.get(&format!("\\{module}"));
            for (cell, number) in cells.iter().flat_map(|cells| &cells.num_cells_by_type) {
                if let Some((kind, weight)) = family.kind(cell) {
                    own[kind] += weight * number;
                }
            }
            Share { module, instances, own }
        })
        .collect();
    // The largest first.
    modules.sort_by_key(|share| std::cmp::Reverse(share.instances * share.own[0]));
    let mut sum = [0; KINDS.len()];
    for share in &modules {
        for (sum, own) in sum.iter_mut().zip(share.own) {
            *sum += share.instances * own;
        }
    }
    Ok(Report {
        family: family.name(),
        top: top.name(),
        lanes,
        yosys: version,
        kinds: KINDS,
        modules,
        sum,
    })
}

/// The report as a table.
fn table(report: &Report) -> String {
    let line = |module: &str, instances: &str, cells: [String; KINDS.len()]| {
        let cells: String = cells.iter().map(|cell| format!(" {cell:>12}")).collect();
        format!("{module:<32} {instances:>9}{cells}\n")
    };
    let mut text = format!(
        "{} on {}, {} lanes, {}\n\n",
        report.top, report.family, report.lanes, report.yosys
    );
    text.push_str(&line("module", "instances", report.kinds.map(String::from)));
    for share in &report.modules {
        let cells = share.own.map(|own| grouped(own * share.instances));
        text.push_str(&line(&share.module, &share.instances.to_string(), cells));
    }
    text.push_str(&line("sum", "", report.sum.map(grouped)));
    text
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let printed = run(&arguments).and_then(|report| {
        let text = if arguments.json {
            serde_json::to_string(&report)? + "\n"
        } else {
            table(&report)
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
