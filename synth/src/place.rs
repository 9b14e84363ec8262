//! Builds a board's whole design: synthesised flat, placed, routed, and packed into a bitstream. A design may also be
//! placed only: then the clock is nextpnr's estimate, and the placement is kept for `synth/slowest_paths.py`.

use crate::board::Board;
use crate::cells::Family;
use crate::refine::{copies, finish, refine};
use crate::routing::{progress, NotRouted};
use crate::sites;
use crate::synthesis::Statistics;
use crate::tool::{Tool, ECPPACK, ICEPACK, NEXTPNR_ECP5, NEXTPNR_ICE40, YOSYS, YOSYS_ECP5};
use anyhow::{anyhow, bail, Context};
use flexgrip_machine::Capability;
use hdlkit::output::grouped;
use hdlkit::output::note;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A family's toolchain after yosys, the tools' arguments, and the names of its cells in nextpnr's report.
struct Flow {
    yosys: Tool,
    nextpnr: Tool,
    /// Arguments for placer and router where the defaults fail, on a nearly full ECP5. The wires are a quarter shorter
    /// than with the default placer, and the router also reroutes the wires of paths that are too slow.
    methods: &'static [&'static str],
    /// If set, nextpnr first places the design twice, see [`sites`], and its cells are moved once more, see [`refine`].
    /// The netlist then gets these settings, for which nextpnr has no arguments. They raise the router's costs of wires
    /// that are used now or were often used before; the fourth makes it search longer.
    refined: Option<&'static [(&'static str, &'static str)]>,
    /// The pin file's extension, and the argument that names it.
    pins: (&'static str, &'static str),
    /// The extension of the routed design, and the argument that names it.
    routed: (&'static str, &'static str),
    /// The bitstream packer.
    packer: Tool,
    /// The arguments before the routed design, and between the routed design and the bitstream.
    packs: (&'static [&'static str], &'static [&'static str]),
    /// The bitstream's extension.
    bitstream: &'static str,
    /// The name of yosys's four-input LUT.
    lut: &'static str,
    logic_cells: &'static str,
    /// The name of the flip-flops; `None` if each is in a logic cell, so they are counted in the netlist.
    flip_flops: Option<&'static str>,
    block_rams: &'static str,
    multipliers: &'static str,
    /// The expected durations of synthesis, placement and routing, as text.
    time: (&'static str, &'static str, &'static str),
}

const ECP5: Flow = Flow {
    yosys: YOSYS_ECP5,
    nextpnr: NEXTPNR_ECP5,
    methods: &["--placer", "static", "--router", "router2", "--tmg-ripup"],
    refined: Some(&[
        ("router2/histCongWeight", "1.000000"),
        ("router2/initCurrCongWeight", "3.000000"),
        ("router2/currCongWeightMult", "0.500000"),
        ("router2/estimateWeight", "1.000000"),
    ]),
    pins: ("lpf", "--lpf"),
    routed: ("config", "--textcfg"),
    packer: ECPPACK,
    packs: (&["--compress"], &["--bit"]),
    bitstream: "bit",
    lut: "LUT4",
    logic_cells: "TRELLIS_COMB",
    flip_flops: Some("TRELLIS_FF"),
    block_rams: sites::BLOCK_RAM,
    multipliers: sites::MULTIPLIER,
    time: (
        "some ten minutes",
        "about twenty minutes until it is placed",
        "about as long until it is routed",
    ),
};

const ICE40: Flow = Flow {
    yosys: YOSYS,
    nextpnr: NEXTPNR_ICE40,
    methods: &[],
    refined: None,
    pins: ("pcf", "--pcf"),
    routed: ("asc", "--asc"),
    packer: ICEPACK,
    packs: (&[], &[]),
    bitstream: "bin",
    lut: "SB_LUT4",
    logic_cells: "ICESTORM_LC",
    flip_flops: None,
    block_rams: "ICESTORM_RAM",
    multipliers: "ICESTORM_DSP",
    time: ("a minute", "seconds until it is placed", "seconds until it is routed"),
};

/// The clock that nextpnr for iCE40 assigns to multipliers without registers, as if they had some: paths are split at
/// them, and no time is spent in them.
const NO_CLOCK: &str = "$PACKER_GND_NET";

/// The contents of nextpnr's `--report`, versions 0.4 to 0.11, for ECP5 and iCE40.
#[derive(Deserialize)]
struct Routed {
    /// The frequency of each clock net.
    fmax: BTreeMap<String, Frequency>,
    utilization: BTreeMap<String, Utilization>,
    critical_paths: Vec<CriticalPath>,
}

#[derive(Deserialize)]
struct Frequency {
    /// The achieved frequency in MHz.
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

impl CriticalPath {
    /// The delay of the path in ns.
    fn delay(&self) -> f64 {
        self.path.iter().map(|segment| segment.delay).sum()
    }
}

/// A segment of a path: through a cell, or along a net. In version 0.4, the `from` of the segment out of the first
/// register is the cell after it, so only `to` is usable there.
#[derive(Deserialize)]
struct Segment {
    /// The delay in ns.
    delay: f64,
    #[serde(rename = "type")]
    kind: String,
    to: SegmentEnd,
}

#[derive(Deserialize)]
struct SegmentEnd {
    cell: String,
}

/// The number of used cells of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// The number of cells in this design.
    pub used: u64,
    /// The number of cells in the device.
    pub of: u64,
}

/// The slowest path from register to register.
#[derive(Clone, Debug, Serialize)]
pub struct SlowestPath {
    /// The register or memory at which the path begins.
    pub from: String,
    /// The register or memory at which the path ends.
    pub to: String,
    /// The total delay in ns.
    pub delay: f64,
    /// The delay of the cells in ns.
    pub logic: f64,
    /// The number of cells on the path, without registers and memories; each carry bit counts.
    pub levels: usize,
    /// The cells of the path, in order.
    pub cells: Vec<String>,
}

/// The resulting design, with its figures.
#[derive(Clone, Debug, Serialize)]
pub struct Placed {
    /// The name of the board.
    pub board: &'static str,
    /// The name of the design; see [`Board::design`].
    pub design: String,
    /// The version of yosys.
    pub yosys: String,
    /// The version of nextpnr.
    pub nextpnr: String,
    /// The seed of the placement.
    pub seed: u32,
    /// The number of four-input look-up tables, according to yosys.
    pub lut4s: u64,
    /// The logic cells, including cells for carries, distributed memory and constants, and on an iCE40 for flip-flops.
    pub logic_cells: Used,
    /// The flip-flops.
    pub flip_flops: Used,
    /// The block RAMs, of 18 Kbit each (ECP5) or 4 Kbit (iCE40).
    pub block_rams: Used,
    /// The multipliers, of 18 x 18 bits each (ECP5) or 16 x 16 bits (iCE40).
    pub multipliers: Used,
    /// The fastest clock, in MHz; without routing, nextpnr's estimate.
    pub fmax: f64,
    /// The clock of the board in MHz.
    pub clock: u32,
    /// The path that limits the clock; `None` without routing.
    pub slowest: Option<SlowestPath>,
    /// On an iCE40, nextpnr's time in ns for the slowest path through multipliers without registers: into them, between
    /// two, out of them. Neither this nor the time in the multipliers is in `fmax`.
    pub around_multipliers: Option<f64>,
    /// The file of the bitstream, if packed.
    pub bitstream: Option<PathBuf>,
}

/// The last step of building a design.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Placement: `BOARD.placed.json`.
    Placement,
    /// Routing, after placement.
    Route,
    /// Packing of the bitstream, after routing.
    Bitstream,
}

/// Builds the design for a board from the circuit of this capability. Each seed is placed; the placements are then
/// routed, the one with the shortest wires first, until one routes and is fast enough. If none is, the last one that
/// routes is the result. Without routing, only the first seed is placed. All files are written to `folder`.
///
/// # Errors
/// A tool cannot be run or fails, for example because the design does not fit; a file cannot be written; or no
/// placement routes: then [`NotRouted`] for the last one.
pub fn place(
    board: &'static Board,
    capability: Capability,
    seeds: &[u32],
    goal: Goal,
    folder: &Path,
) -> anyhow::Result<Placed> {
    let flow = match board.family {
        Family::Ecp5 => ECP5,
        Family::Ice40 => ICE40,
        Family::Xilinx => bail!("cannot place and route for {}", board.title),
    };
    let yosys = flow.yosys.version("-V")?;
    let nextpnr = flow.nextpnr.version("--version")?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let file = |extension: &str| format!("{}.{extension}", board.name);
    let circuit = board.verilog(capability)?;
    let circuit_file = "board.v";
    let top_file = file("v");
    let netlist = file("json");
    let mut script = board
        .family
        .script(&[circuit_file, &top_file], board.name, true, &netlist);
    script += &Statistics::command(&file("stat"));
    let files = [
        (circuit_file, circuit.as_str()),
        (&top_file, board.top),
        (&file(flow.pins.0), board.constraints),
        (&file("ys"), &script),
    ];
    for (name, text) in files.into_iter().chain(board.includes.iter().copied()) {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    // An older placement does not belong to this netlist, and must not be left if a step fails.
    let (log, placement) = (file("nextpnr.log"), file("placed.json"));
    let old = folder.join(&placement);
    if old.exists() {
        std::fs::remove_file(&old).with_context(|| format!("cannot remove {}", old.display()))?;
    }
    note(format_args!("{yosys} synthesises for {}: {}", board.title, flow.time.0));
    flow.yosys.run(&["-q", "-s", &file("ys")], folder, &file("yosys.log"))?;
    let statistics = Statistics::read(&folder.join(file("stat")))?;
    let lut4s = statistics.cells(board.name, flow.lut);
    if goal == Goal::Placement {
        note(format_args!("{nextpnr} places: {}", flow.time.1));
    } else {
        note(format_args!(
            "{nextpnr} places and routes: {}, {}",
            flow.time.1, flow.time.2
        ));
    }
    let (config, report) = (file(flow.routed.0), file("report.json"));
    // A placement routes if its wires are short. A placement that does not takes an hour until it is given up, another
    // placement half an hour.
    let wanted = if goal == Goal::Placement { 1 } else { seeds.len() };
    let attempts = seeds.iter().take(wanted).map(|&seed| {
        let attempt = Attempt {
            flow: &flow,
            board,
            folder,
            seed,
        };
        Ok((attempt.prepare(&netlist)?, attempt))
    });
    let mut attempts = attempts.collect::<anyhow::Result<Vec<(Prepared, Attempt)>>>()?;
    attempts.sort_by_key(|(prepared, _)| prepared.wires);
    let mut attempts = attempts.iter();
    let seed = loop {
        let Some((prepared, attempt)) = attempts.next() else {
            bail!("there is no seed for the placement");
        };
        let seed = attempt.seed;
        let last = attempts.as_slice().is_empty();
        match attempt.run(prepared, goal) {
            Ok(()) if last || goal == Goal::Placement => break seed,
            Ok(()) => {
                let fmax = read_report(&folder.join(&report))?.fmax();
                if fmax >= f64::from(board.megahertz) {
                    break seed;
                }
                note(format_args!(
                    "seed {seed} reaches {fmax:.1} MHz, which is less than {}",
                    board.megahertz
                ));
            }
            Err(error) if error.is::<NotRouted>() && !last => note(format_args!("{error}")),
            Err(error) => return Err(error),
        }
    };
    let bitstream = if goal == Goal::Bitstream {
        let name = file(flow.bitstream);
        let mut arguments = flow.packs.0.to_vec();
        arguments.push(&config);
        arguments.extend(flow.packs.1);
        arguments.push(&name);
        let log = file(&format!("{}.log", flow.packer.name));
        flow.packer.run(&arguments, folder, &log)?;
        Some(folder.join(name))
    } else {
        None
    };
    let path = folder.join(report);
    let routed = read_report(&path)?;
    let used = |kind: &str| routed.used(kind).with_context(|| path.display().to_string());
    let (fmax, slowest) = if goal == Goal::Placement {
        let path = folder.join(log);
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let estimate = estimate(&text).ok_or_else(|| anyhow!("{} reports no clock", path.display()))?;
        (estimate, None)
    } else {
        let slowest = slowest(&routed);
        let none = || anyhow!("{} has no path from register to register", path.display());
        (routed.fmax(), Some(slowest.ok_or_else(none)?))
    };
    let logic_cells = used(flow.logic_cells)?;
    let flip_flops = match flow.flip_flops {
        Some(kind) => used(kind)?,
        None => Used {
            used: statistics.kinds(board.family, board.name)[FLIP_FLOPS],
            of: logic_cells.of,
        },
    };
    Ok(Placed {
        board: board.name,
        design: board.design(capability),
        yosys,
        nextpnr,
        seed,
        lut4s,
        logic_cells,
        flip_flops,
        block_rams: used(flow.block_rams)?,
        multipliers: used(flow.multipliers)?,
        fmax,
        clock: board.megahertz,
        slowest,
        around_multipliers: routed.around_multipliers(),
        bitstream,
    })
}

/// Reads nextpnr's report.
fn read_report(path: &Path) -> anyhow::Result<Routed> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// Placement and routing with a single seed.
struct Attempt<'a> {
    flow: &'a Flow,
    board: &'static Board,
    folder: &'a Path,
    seed: u32,
}

/// A netlist for nextpnr's last run.
struct Prepared {
    /// The file of the netlist. If the flow refines placements, it contains the location of every cell.
    netlist: String,
    /// The total wire length in tiles if the cells have locations, otherwise 0.
    wires: u64,
}

impl Attempt<'_> {
    /// nextpnr's arguments for every run.
    fn arguments<'b>(&self, pins: &'b str, seed: &'b str) -> Vec<&'b str> {
        let Attempt { flow, board, .. } = *self;
        // nextpnr must not fail if the clock is too slow: the report contains it, and the caller decides.
        let mut arguments = board.device.to_vec();
        arguments.extend([flow.pins.1, pins, "--seed", seed, "--timing-allow-fail"]);
        arguments.extend(flow.methods);
        arguments
    }

    /// Makes the steps before nextpnr's last run, from the synthesised netlist.
    fn prepare(&self, netlist: &str) -> anyhow::Result<Prepared> {
        let Attempt {
            flow, board, folder, ..
        } = *self;
        let Some(settings) = flow.refined else {
            let netlist = netlist.to_string();
            return Ok(Prepared { netlist, wires: 0 });
        };
        let (pins, seed_text) = (format!("{}.{}", board.name, flow.pins.0), self.seed.to_string());
        let steps = Steps {
            nextpnr: &flow.nextpnr,
            arguments: &self.arguments(&pins, &seed_text),
            folder,
            name: board.name,
            seed: self.seed,
        };
        steps.refined(settings, board.megahertz)
    }

    fn run(&self, prepared: &Prepared, goal: Goal) -> anyhow::Result<()> {
        let Attempt {
            flow, board, folder, ..
        } = *self;
        let file = |extension: &str| format!("{}.{extension}", board.name);
        let (pins, config, report) = (file(flow.pins.0), file(flow.routed.0), file("report.json"));
        let (log, placement) = (file("nextpnr.log"), file("placed.json"));
        let (seed_text, megahertz) = (self.seed.to_string(), board.megahertz.to_string());
        let mut arguments = self.arguments(&pins, &seed_text);
        if flow.refined.is_some() {
            arguments.extend(packed(&megahertz));
        }
        arguments.extend(["--json", &prepared.netlist, "--report", &report]);
        if goal == Goal::Placement {
            arguments.extend(["--no-route", "--write", &placement]);
        } else {
            arguments.extend([flow.routed.1, &config]);
        }
        flow.nextpnr
            .run_watched(&arguments, folder, &log, |log| Ok(progress(log, self.seed)?))
    }
}

/// Further nextpnr arguments for a packed netlist, which does not contain the frequency of the clock generator.
fn packed(megahertz: &str) -> [&str; 3] {
    ["--no-pack", "--freq", megahertz]
}

/// The share of the clock period that the estimate may use for paths, because it is only accurate to a few percent.
const RESERVE: f64 = 0.96;

/// The placement steps before nextpnr's last run.
struct Steps<'a> {
    nextpnr: &'a Tool,
    arguments: &'a [&'a str],
    folder: &'a Path,
    /// The prefix of all file names.
    name: &'a str,
    seed: u32,
}

impl Steps<'_> {
    fn file(&self, extension: &str) -> String {
        format!("{}.{extension}", self.name)
    }

    fn read(&self, file: &str) -> anyhow::Result<Value> {
        let path = self.folder.join(file);
        let text = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_slice(&text).with_context(|| format!("{} is not JSON", path.display()))
    }

    fn write(&self, file: &str, value: &Value) -> anyhow::Result<()> {
        let path = self.folder.join(file);
        let text = serde_json::to_vec(value)?;
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    }

    /// nextpnr's placement of the netlist `NAME.STEP.json`, with more arguments.
    fn placed(&self, step: &str, more: &[&str]) -> anyhow::Result<Value> {
        let [netlist, placed, log] =
            ["json", "placed.json", "nextpnr.log"].map(|kind| self.file(&format!("{step}.{kind}")));
        let mut arguments = self.arguments.to_vec();
        arguments.extend(more);
        arguments.extend(["--json", &netlist, "--no-route", "--write", &placed]);
        self.nextpnr.run(&arguments, self.folder, &log)?;
        self.read(&placed)
    }

    /// Places the netlist `NAME.json` with soft blocks, and assigns sites to the real ones: `NAME.sited.json`.
    fn sited(&self) -> anyhow::Result<()> {
        let file = self.file("json");
        let mut design = self.read(&file)?;
        let mut softened = design.clone();
        let blocks = sites::soften(&mut softened).context(file.clone())?;
        self.write(&self.file("soft.json"), &softened)?;
        drop(softened);
        let mut placement = self.placed("soft", &[])?;
        let lengths = sites::assign(&mut design, &blocks, &mut placement, self.seed).context(file)?;
        note(format_args!(
            "{} block RAMs and multipliers have sites: {} tiles of wires, {} if each were on its nearest site",
            blocks.len(),
            grouped(lengths.after),
            grouped(lengths.before)
        ));
        self.write(&self.file("sited.json"), &design)
    }

    /// Places the sited netlist, moves all cells twice, and copies registers. The name of the resulting file contains
    /// the seed.
    fn refined(&self, settings: &[(&str, &str)], megahertz: u32) -> anyhow::Result<Prepared> {
        self.sited()?;
        let period = RESERVE * 1000.0 / f64::from(megahertz);
        let mut placement = self.placed("sited", &[])?;
        self.moved(&mut placement, period)?;
        finish(&mut placement, settings)?;
        self.write(&self.file("moved.json"), &placement)?;
        let megahertz = megahertz.to_string();
        let mut placement = self.placed("moved", &packed(&megahertz))?;
        let wires = self.moved(&mut placement, period)?;
        let copied = copies::add(&mut placement, period)?;
        if !copied.is_empty() {
            note(format_args!(
                "registers copied because of distant ends: {}",
                copied.join(", ")
            ));
        }
        finish(&mut placement, settings)?;
        let netlist = self.file(&format!("seed{}.json", self.seed));
        self.write(&netlist, &placement)?;
        Ok(Prepared { netlist, wires })
    }

    /// Moves all cells. Returns the total wire length in tiles.
    fn moved(&self, placement: &mut Value, period: f64) -> anyhow::Result<u64> {
        let bar = indicatif::ProgressBar::new(0);
        let tell = |done, of| {
            bar.set_length(of);
            bar.set_position(done);
        };
        let refined = refine(placement, period, self.seed, tell);
        bar.finish_and_clear();
        let (before, after) = refined.with_context(|| format!("the placement of {}", self.name))?;
        note(format_args!(
            "seed {}: LUTs and flip-flops have moved: {} tiles of wires, before {}; {} through the most crowded tiles, \
             before {}; {} inputs of tiles, before {}; slowest path {:.1} ns, before {:.1}",
            self.seed,
            grouped(after.wires),
            grouped(before.wires),
            after.crowded.round(),
            before.crowded.round(),
            grouped(after.inputs),
            grouped(before.inputs),
            after.slowest,
            before.slowest
        ));
        Ok(after.wires)
    }
}

/// The index of flip-flops in [`crate::cells::KINDS`].
const FLIP_FLOPS: usize = 1;

impl Routed {
    /// The usage of a kind of cells.
    fn used(&self, kind: &str) -> anyhow::Result<Used> {
        let utilization = self.utilization.get(kind);
        let Utilization { used, available } =
            utilization.ok_or_else(|| anyhow!("the number of {kind} in use is missing"))?;
        Ok(Used {
            used: *used,
            of: *available,
        })
    }

    /// The fastest clock in MHz. The circuits have a single clock; the clock from the pin only drives the clock
    /// generator.
    fn fmax(&self) -> f64 {
        let clocks = self.fmax.iter().filter(|(clock, _)| *clock != NO_CLOCK);
        clocks
            .map(|(_, frequency)| frequency.achieved)
            .fold(f64::INFINITY, f64::min)
    }

    /// The time of [`Placed::around_multipliers`].
    fn around_multipliers(&self) -> Option<f64> {
        let unclocked = |edge: &str| edge.ends_with(NO_CLOCK);
        let longest = |from: bool, to: bool| {
            let paths = self.critical_paths.iter();
            let paths = paths.filter(|path| (unclocked(&path.from), unclocked(&path.to)) == (from, to));
            paths.map(CriticalPath::delay).reduce(f64::max)
        };
        let (into, out) = (longest(false, true)?, longest(true, false)?);
        Some(into + longest(true, true).unwrap_or_default() + out)
    }
}

/// nextpnr's estimate after placement, from lines like `Info: Max frequency for clock 'x': 29.33 MHz (FAIL at 40.00
/// MHz)`. The last line for each clock counts. Returns the slowest clock, in MHz.
fn estimate(log: &str) -> Option<f64> {
    let mut clocks = BTreeMap::new();
    for line in log.lines() {
        let Some((_, rest)) = line.split_once("Max frequency for clock") else {
            continue;
        };
        let (clock, frequency) = rest.split_once(':')?;
        if !clock.contains(NO_CLOCK) {
            let frequency: f64 = frequency.split_whitespace().next()?.parse().ok()?;
            clocks.insert(clock.trim(), frequency);
        }
    }
    clocks.into_values().reduce(f64::min)
}

/// The slowest path between edges of one clock.
fn slowest(routed: &Routed) -> Option<SlowestPath> {
    let path = routed
        .critical_paths
        .iter()
        .filter(|path| path.from == path.to && path.from != "<async>" && !path.from.ends_with(NO_CLOCK))
        .max_by(|one, other| one.delay().total_cmp(&other.delay()))?;
    let logic: Vec<&Segment> = path.path.iter().filter(|segment| segment.kind != "routing").collect();
    let cells: Vec<String> = logic
        .iter()
        .filter(|segment| segment.kind == "logic")
        .map(|segment| segment.to.cell.clone())
        .collect();
    Some(SlowestPath {
        from: path.path.first()?.to.cell.clone(),
        to: path.path.last()?.to.cell.clone(),
        delay: path.delay(),
        logic: logic.iter().map(|segment| segment.delay).sum(),
        levels: cells.len(),
        cells,
    })
}

impl Placed {
    /// The figures as text.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}, {}, {}, seed {}\n\n",
            self.design, self.yosys, self.nextpnr, self.seed
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
        let _ = writeln!(
            text,
            "fastest clock {:.1} MHz{}, the board's is {} MHz",
            self.fmax,
            if self.slowest.is_some() {
                ""
            } else {
                " by estimate, not routed"
            },
            self.clock
        );
        if let Some(path) = &self.slowest {
            let _ = writeln!(
                text,
                "\ncritical path: {:.1} ns, {:.1} ns of it in {} cells\n  from {}",
                path.delay, path.logic, path.levels, path.from
            );
            for cell in &path.cells {
                let _ = writeln!(text, "       {cell}");
            }
            let _ = writeln!(text, "    to {}", path.to);
        }
        if let Some(delay) = self.around_multipliers {
            let _ = writeln!(
                text,
                "\nthrough multipliers without registers: {delay:.1} ns, plus the time in them, which nextpnr does not know"
            );
        }
        if let Some(bitstream) = &self.bitstream {
            let _ = writeln!(text, "\nbitstream: {}", bitstream.display());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// nextpnr-ice40 0.4's report on the iCEBreaker, reduced to the ends of long paths and a few kinds of cells.
    const REPORT: &str = include_str!("testdata/nextpnr_ice40.report.json");

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 0.001
    }

    #[test]
    fn estimate_is_found_in_the_log() {
        let log = "Info: Max frequency for clock 'pins': 80.00 MHz (PASS at 25.00 MHz)\n\
                   Info: Max frequency for clock 'clock': 20.10 MHz (FAIL at 40.00 MHz)\n\
                   Info: Max frequency for clock '$PACKER_GND_NET': 1.00 MHz (FAIL at 12.00 MHz)\n\
                   Info: Max frequency for clock 'clock': 29.33 MHz (FAIL at 40.00 MHz)\n";
        assert!(near(estimate(log).unwrap(), 29.33));
        assert_eq!(estimate("Info: nothing of clocks\n"), None);
    }

    #[test]
    fn report_is_parsed() {
        let routed: Routed = serde_json::from_str(REPORT).unwrap();
        // The pseudo-clock of cells without a clock is excluded.
        assert!(near(routed.fmax(), 22.168_524));
        assert_eq!(routed.used("ICESTORM_LC").unwrap(), Used { used: 1804, of: 5280 });
        assert_eq!(routed.used("ICESTORM_DSP").unwrap(), Used { used: 4, of: 8 });
        assert_eq!(routed.used("ICESTORM_RAM").unwrap(), Used { used: 0, of: 30 });
        assert!(routed.used("TRELLIS_FF").is_err());
        let slowest = slowest(&routed).unwrap();
        // The register itself, not the cell after it, which is `from` of the first segment in the report.
        assert_eq!(slowest.from, "lane_board.host.x3_control_q_SB_DFF_Q_4_DFFLC");
        assert_eq!(slowest.to, "lane_board.host.lane.x3_code_SB_LUT4_O_2_LC");
        assert_eq!((slowest.levels, slowest.cells.len()), (2, 2));
        assert_eq!(
            slowest.cells[0],
            "lane_board.host.lane.x3_augend_SB_LUT4_O_I2_SB_LUT4_O_I2_SB_LUT4_O_LC"
        );
        assert!(
            near(slowest.delay, 11.5080) && near(slowest.logic, 5.0340),
            "{slowest:?}"
        );
        assert!(near(routed.around_multipliers().unwrap(), 17.1350));
        // The report of an ECP5, or of a design without multipliers.
        let routed: Routed = serde_json::from_str(&REPORT.replace(NO_CLOCK, "clock")).unwrap();
        assert_eq!(routed.around_multipliers(), None);
    }
}
