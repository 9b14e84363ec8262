//! A board's whole design: synthesised flat, placed, routed, and packed into a bitstream.

use super::board::Board;
use super::synthesis::Statistics;
use super::tool::{ECPPACK, NEXTPNR_ECP5, YOSYS};
use crate::file_output::note;
use crate::report::grouped;
use anyhow::{anyhow, Context};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What nextpnr's `--report` says.
#[derive(Deserialize)]
struct Routed {
    /// By clock net.
    fmax: BTreeMap<String, Frequency>,
    utilization: BTreeMap<String, Utilization>,
    critical_paths: Vec<CriticalPath>,
}

#[derive(Deserialize)]
struct Frequency {
    /// In MHz.
    achieved: f64,
}

#[derive(Deserialize)]
struct Utilization {
    used: u64,
    available: u64,
}

#[derive(Deserialize)]
struct CriticalPath {
    from: String,
    to: String,
    path: Vec<Segment>,
}

/// A part of a path: through a cell, or along a net.
#[derive(Deserialize)]
struct Segment {
    /// In ns.
    delay: f64,
    #[serde(rename = "type")]
    kind: String,
    to: Place,
    from: Place,
}

#[derive(Deserialize)]
struct Place {
    cell: String,
}

/// How much of a kind of the device's cells is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// In this design.
    pub used: u64,
    /// In the device.
    pub of: u64,
}

/// The slowest way from register to register.
#[derive(Clone, Debug, Serialize)]
pub struct SlowestPath {
    /// The cell where it begins, a register or memory.
    pub from: String,
    /// The cell where it ends.
    pub to: String,
    /// In ns.
    pub delay: f64,
    /// The part of it that is spent in cells, in ns.
    pub logic: f64,
    /// Cells that it goes through, registers and memories left out.
    pub levels: usize,
    /// The cells, in order.
    pub cells: Vec<String>,
}

/// What has come of it.
#[derive(Clone, Debug, Serialize)]
pub struct Placed {
    /// Name of the board.
    pub board: &'static str,
    /// The tools.
    pub yosys: String,
    /// See `yosys`.
    pub nextpnr: String,
    /// Of the placement.
    pub seed: u32,
    /// Look-up tables of four inputs, by yosys.
    pub lut4s: u64,
    /// Places for one that are taken: also by carries, distributed memory and constants.
    pub logic_cells: Used,
    /// Flip-flops.
    pub flip_flops: Used,
    /// Block RAMs of 18 Kbit.
    pub block_rams: Used,
    /// Multipliers of 18 x 18 bits.
    pub multipliers: Used,
    /// The fastest clock, in MHz.
    pub fmax: f64,
    /// The clock that the board has, in MHz.
    pub clock: u32,
    /// What keeps it from being faster.
    pub slowest: SlowestPath,
    /// The bitstream's file, if it was packed.
    pub bitstream: Option<PathBuf>,
}

/// Builds the design for a board from the Verilog of its circuit. All files are written to `folder`.
///
/// # Errors
/// A tool cannot be run or fails, for example because the design does not fit; or files cannot be written.
pub fn place(board: &'static Board, circuit: &str, seed: u32, pack: bool, folder: &Path) -> anyhow::Result<Placed> {
    let yosys = YOSYS.version("-V")?;
    let nextpnr = NEXTPNR_ECP5.version("--version")?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let file = |extension: &str| format!("{}.{extension}", board.name);
    let circuit_file = "board.v";
    let top_file = file("v");
    let netlist = file("json");
    let script = format!(
        "read_verilog {circuit_file} {top_file}\n{} -top {} -json {netlist}\n{}",
        board.family.command(true),
        board.name,
        Statistics::command(&file("stat")),
    );
    for (name, text) in [
        (circuit_file, circuit),
        (&top_file, board.top),
        (&file("lpf"), board.constraints),
        (&file("ys"), &script),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    note(format_args!(
        "{yosys} synthesises for {}: some ten minutes",
        board.title
    ));
    YOSYS.run(&["-q", "-s", &file("ys")], folder, &file("yosys.log"))?;
    let lut4s = Statistics::read(&folder.join(file("stat")))?.cells(board.name, "LUT4");
    note(format_args!("{nextpnr} places and routes: some twenty minutes"));
    let (lpf, config, report, seed_text) = (file("lpf"), file("config"), file("report.json"), seed.to_string());
    let mut arguments = board.device.to_vec();
    arguments.extend([
        "--json",
        &netlist,
        "--lpf",
        &lpf,
        "--textcfg",
        &config,
        "--report",
        &report,
    ]);
    // A clock that is too fast is told by the report and judged by who asked.
    arguments.extend(["--seed", &seed_text, "--timing-allow-fail"]);
    NEXTPNR_ECP5.run(&arguments, folder, &file("nextpnr.log"))?;
    let bitstream = if pack {
        let name = file("bit");
        ECPPACK.run(&["--compress", &config, "--bit", &name], folder, &file("ecppack.log"))?;
        Some(folder.join(name))
    } else {
        None
    };
    let path = folder.join(report);
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let routed: Routed = serde_json::from_str(&text).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    let used = |kind: &str| {
        let Utilization { used, available } = routed
            .utilization
            .get(kind)
            .ok_or_else(|| anyhow!("{} does not tell how many {kind} are used", path.display()))?;
        anyhow::Ok(Used {
            used: *used,
            of: *available,
        })
    };
    let slowest =
        slowest(&routed).ok_or_else(|| anyhow!("{} has no path from register to register", path.display()))?;
    // The circuits have one clock; what the pins' own clock drives is the clock generator alone.
    let fmax = routed
        .fmax
        .values()
        .map(|frequency| frequency.achieved)
        .fold(f64::INFINITY, f64::min);
    Ok(Placed {
        board: board.name,
        yosys,
        nextpnr,
        seed,
        lut4s,
        logic_cells: used("TRELLIS_COMB")?,
        flip_flops: used("TRELLIS_FF")?,
        block_rams: used("DP16KD")?,
        multipliers: used("MULT18X18D")?,
        fmax,
        clock: board.megahertz,
        slowest,
        bitstream,
    })
}

/// The slowest of the paths between edges of one clock.
fn slowest(routed: &Routed) -> Option<SlowestPath> {
    let delay = |path: &CriticalPath| path.path.iter().map(|segment| segment.delay).sum::<f64>();
    let path = routed
        .critical_paths
        .iter()
        .filter(|path| path.from == path.to && path.from != "<async>")
        .max_by(|one, other| delay(one).total_cmp(&delay(other)))?;
    let logic: Vec<&Segment> = path.path.iter().filter(|segment| segment.kind != "routing").collect();
    let cells: Vec<String> = logic.iter().map(|segment| segment.to.cell.clone()).collect();
    Some(SlowestPath {
        from: path.path.first()?.from.cell.clone(),
        to: path.path.last()?.to.cell.clone(),
        delay: delay(path),
        logic: logic.iter().map(|segment| segment.delay).sum(),
        levels: logic.iter().filter(|segment| segment.kind == "logic").count(),
        cells,
    })
}

impl Placed {
    /// As text.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}, {}, {}, seed {}\n\n",
            self.board, self.yosys, self.nextpnr, self.seed
        );
        let _ = writeln!(text, "{:<12} {:>7}", "LUT4s", grouped(self.lut4s));
        for (what, used) in [
            ("logic cells", &self.logic_cells),
            ("flip-flops", &self.flip_flops),
            ("block RAMs", &self.block_rams),
            ("multipliers", &self.multipliers),
        ] {
            let _ = writeln!(text, "{what:<12} {:>7} of {:>7}", grouped(used.used), grouped(used.of));
        }
        let path = &self.slowest;
        let _ = writeln!(
            text,
            "fastest clock {:.1} MHz, the board's is {} MHz\n\ncritical path: {:.1} ns, {:.1} of them in {} cells\n  from {}",
            self.fmax, self.clock, path.delay, path.logic, path.levels, path.from
        );
        for cell in &path.cells {
            let _ = writeln!(text, "       {cell}");
        }
        let _ = writeln!(text, "    to {}", path.to);
        if let Some(bitstream) = &self.bitstream {
            let _ = writeln!(text, "\nbitstream: {}", bitstream.display());
        }
        text
    }
}
