//! Scaling of a kernel's time with lanes, warps, SMs and memory latency: measured on the native circuits,
//! [predicted](crate::performance::prediction), and plotted.
//!
//! Two kernels are the extremes: [`copy`] only moves data, [`polynomial`] only computes. Both can be launched with any
//! number of warps and blocks. Each thread does the same work, so twice the warps do twice the work.

use crate::in_order::in_order;
use crate::performance::prediction::{predict, Prediction};
use anyhow::{anyhow, bail, Context};
use flexgrip_engines::circuits::sizes::configuration;
use flexgrip_engines::engine::{processors, Engine, Options};
use flexgrip_engines::native::rtl::RtlEngine;
use flexgrip_engines::outcome::RunReport;
use flexgrip_engines::trace::ending::Ending;
use flexgrip_machine::sizes::Lanes;
use flexgrip_machine::{Configuration, ImageSpace, Launch, MemoryImage};
use std::fmt::Write;
use std::ops::ControlFlow;
use svg::node::element::{Circle, Line, Polyline, Rectangle, Text};
use svg::node::Text as Characters;
use svg::Document;

/// The size of global memory in bytes, in all measurements here.
pub const GLOBAL_BYTES: u32 = 1 << 21;
/// The byte address of the kernels' results; their inputs begin at 0.
pub const RESULTS: u32 = GLOBAL_BYTES / 2;
/// The number of loads, and of stores, of each thread of [`copy`].
pub const COPIES: u32 = 4;
/// The number of multiply-adds per thread of [`polynomial`].
pub const DEGREE: u32 = 64;
/// The numbers of warps in the plot.
pub const WARPS: [u32; 6] = [1, 2, 4, 8, 16, 32];
/// The memory latencies in the plot, in cycles.
pub const LATENCIES: [u32; 3] = [20, 100, 200];

/// A kernel with `words` words at the start of global memory.
fn launch(
    name: &str,
    text: &str,
    blocks: u32,
    warps: u32,
    words: u32,
    word: impl Fn(u32) -> u32,
) -> anyhow::Result<Launch> {
    let program = flexgrip_isa::assemble(text, name).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        anyhow!(lines.join("\n"))
    })?;
    Ok(Launch {
        name: name.into(),
        program: program.words,
        registers: 12,
        grid: [blocks, 1],
        block: [32 * warps, 1, 1],
        memory: vec![MemoryImage {
            space: ImageSpace::Global,
            address: 0,
            words: (0..words).map(word).collect(),
        }],
        ..Launch::default()
    })
}

/// A block of at most 32 warps that copies with accesses of 128 bits, [`COPIES`] per thread: a stream, in which the
/// accesses of all threads are contiguous.
///
/// # Errors
/// The fixed program is wrong.
pub fn copy(warps: u32) -> anyhow::Result<Launch> {
    let mut text = format!(".kernel copy\nSHL R1, R0, 4\nMVI R3, {RESULTS}\nIADD R2, R1, R3\n");
    for _ in 0..COPIES {
        let stride = warps * 32 * 16;
        write!(
            text,
            "GLD.S128 R4, global14[R1]\nIADD32I R1, R1, {stride}\nGST.S128 global14[R2], R4\nIADD32I R2, R2, {stride}\n"
        )?;
    }
    text.push_str("RET\n");
    // These few words are enough to check the copy; loading all would take longer than the run.
    launch("copy", &text, 1, warps, 64, |i| i.wrapping_mul(0x9e37_79b9))
}

/// A grid of `blocks` blocks of at most 32 warps. Each thread loads a number, computes a polynomial of degree
/// [`DEGREE`] with as many dependent multiply-adds, and stores the result.
///
/// # Errors
/// The errors of [`copy`].
pub fn polynomial(blocks: u32, warps: u32) -> anyhow::Result<Launch> {
    let threads = warps * 32;
    let mut text = format!(
        ".kernel polynomial\nMOV.U16 R1L, g[6].U16\nMVI R2, {threads}\nIMUL.U16.U16 R1, R1L, R2L\nIADD R0, R0, R1\n\
         SHL R1, R0, 2\nGLD.U32 R2, global14[R1]\nMVI R3, 0x3f000000\nMVI R4, 0x3e800000\nMVI R5, 0xbe000000\nMVI R6, 0\n"
    );
    for i in 0..DEGREE {
        writeln!(text, "FMAD R6, R6, R2, R{}", 3 + i % 3)?;
    }
    write!(
        text,
        "MVI R7, {RESULTS}\nIADD R1, R1, R7\nGST.U32 global14[R1], R6\nRET\n"
    )?;
    // From 0.5 to 1.5, exclusive.
    let step = |i: u32| (0.5 + (i % 4096) as f32 / 4096.0).to_bits();
    launch("polynomial", &text, blocks, warps, (blocks * threads).min(1024), step)
}

/// Options with these lanes, SMs and memory latency.
pub fn options(lanes: Lanes, sms: u32, memory_latency: u32) -> Options {
    Options {
        configuration: Configuration {
            sms,
            ..configuration(lanes, GLOBAL_BYTES)
        },
        memory_latency,
        ..Options::default()
    }
}

/// Applies `work` to each of `jobs` on all cores; the results are in the order of the jobs.
///
/// # Errors
/// The error of the first failed job in this order.
pub fn on_all_cores<J: Sync, R: Send>(
    jobs: &[J],
    work: impl Fn(&J) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let mut results = Vec::new();
    in_order(
        processors().get(),
        jobs.iter(),
        || (),
        |(), job| work(job),
        |result| {
            results.push(result);
            Ok::<_, anyhow::Error>(ControlFlow::Continue(()))
        },
    )?;
    results.into_iter().collect()
}

/// Runs a kernel to completion on the native circuits.
///
/// # Errors
/// The kernel does not complete.
pub fn measure(launch: &Launch, options: &Options) -> anyhow::Result<RunReport> {
    let report = RtlEngine.run(launch, options, None)?;
    if report.ending != Ending::Complete {
        bail!("{} did not end as it should: {:?}", launch.name, report.ending);
    }
    Ok(report)
}

/// A kernel of the plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// The kernel [`copy`].
    Copy,
    /// The kernel [`polynomial`], in a single block.
    Polynomial,
}

impl Work {
    /// Both kernels.
    pub const ALL: [Work; 2] = [Work::Copy, Work::Polynomial];

    /// The kernel's name.
    pub fn name(self) -> &'static str {
        match self {
            Work::Copy => "copy",
            Work::Polynomial => "polynomial",
        }
    }

    /// The kernel's launch with one block of `warps` warps.
    ///
    /// # Errors
    /// The errors of [`copy`].
    pub fn launch(self, warps: u32) -> anyhow::Result<Launch> {
        match self {
            Work::Copy => copy(warps),
            Work::Polynomial => polynomial(1, warps),
        }
    }
}

/// The parameters of a point of the plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointParameters {
    /// The kernel.
    pub work: Work,
    /// The memory latency in cycles.
    pub memory_latency: u32,
    /// The number of lanes per SM.
    pub lanes: Lanes,
    /// The number of warps of the block.
    pub warps: u32,
}

/// The measurement and the prediction of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The parameters of the point.
    pub parameters: PointParameters,
    /// The measured cycles from start to done on the circuits.
    pub measured: u64,
    /// The prediction of these cycles.
    pub predicted: Prediction,
}

/// The parameters of all points of the plot, in drawing order.
pub fn all_parameters() -> Vec<PointParameters> {
    let mut all = Vec::new();
    for work in Work::ALL {
        for memory_latency in LATENCIES {
            for &lanes in Lanes::ALL {
                all.extend(WARPS.map(|warps| PointParameters {
                    work,
                    memory_latency,
                    lanes,
                    warps,
                }));
            }
        }
    }
    all
}

/// Measures and predicts all points of the plot.
///
/// # Errors
/// The same as [`measure`] and [`predict`].
pub fn points() -> anyhow::Result<Vec<Point>> {
    on_all_cores(&all_parameters(), |&parameters| {
        let launch = parameters.work.launch(parameters.warps)?;
        let options = options(parameters.lanes, 1, parameters.memory_latency);
        Ok(Point {
            parameters,
            measured: measure(&launch, &options)?
                .cycles
                .context("the circuits have a clock")?,
            predicted: predict(&launch, &options)?,
        })
    })
}

/// The layout of the picture, in SVG units.
mod layout {
    pub const PANEL: (f64, f64) = (250.0, 220.0);
    pub const GAP: (f64, f64) = (50.0, 70.0);
    pub const MARGIN: (f64, f64) = (70.0, 70.0);
    /// The range of cycles of each panel, as powers of two.
    pub const CYCLES: (f64, f64) = (7.0, 15.0);
    /// A colour for each number of lanes; colour-blind readers can tell them apart.
    pub const COLOURS: [&str; super::Lanes::ALL.len()] = ["#0072b2", "#d55e00", "#009e73"];
}

fn text(x: f64, y: f64, anchor: &str, size: u32, characters: &str) -> Text {
    Text::new()
        .set("x", x)
        .set("y", y)
        .set("text-anchor", anchor)
        .set("font-family", "sans-serif")
        .set("font-size", size)
        .set("fill", "#222222")
        .add(Characters::new(characters))
}

fn line(x1: f64, y1: f64, x2: f64, y2: f64) -> Line {
    let colour = "#dddddd";
    Line::new()
        .set("x1", x1)
        .set("y1", y1)
        .set("x2", x2)
        .set("y2", y2)
        .set("stroke", colour)
}

/// Rounds to a tenth, so that the picture is the same on every machine.
fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// The points as SVG: a panel for each kernel and latency, with cycles over warps on logarithmic scales. Predictions
/// are lines, measurements are circles.
pub fn picture(points: &[Point]) -> String {
    use layout::{COLOURS, CYCLES, GAP, MARGIN, PANEL};
    let columns = LATENCIES.len() as f64;
    let rows = Work::ALL.len() as f64;
    let width = 2.0 * MARGIN.0 + columns * PANEL.0 + (columns - 1.0) * GAP.0;
    let height = MARGIN.1 + 50.0 + rows * PANEL.1 + (rows - 1.0) * GAP.1;
    let mut document = Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .add(
            Rectangle::new()
                .set("width", width)
                .set("height", height)
                .set("fill", "white"),
        )
        .add(text(
            MARGIN.0,
            24.0,
            "start",
            15,
            "Cycles over warps: predicted (lines) and measured (circles)",
        ));
    for (number, (lanes, colour)) in Lanes::ALL.iter().zip(COLOURS).enumerate() {
        let x = width - MARGIN.0 - 90.0 * (Lanes::ALL.len() - number) as f64;
        document = document
            .add(Circle::new().set("cx", x).set("cy", 19).set("r", 4).set("fill", colour))
            .add(text(x + 9.0, 24.0, "start", 13, &format!("{lanes} lanes")));
    }
    let warp_powers = f64::from(WARPS[WARPS.len() - 1]).log2();
    for (row, work) in Work::ALL.into_iter().enumerate() {
        for (column, latency) in LATENCIES.into_iter().enumerate() {
            let left = MARGIN.0 + column as f64 * (PANEL.0 + GAP.0);
            let top = MARGIN.1 + row as f64 * (PANEL.1 + GAP.1);
            let bottom = top + PANEL.1;
            let x_of = |warps: u32| tenth(left + 12.0 + f64::from(warps).log2() / warp_powers * (PANEL.0 - 24.0));
            let y_of_power = |power: f64| tenth(bottom - (power - CYCLES.0) / (CYCLES.1 - CYCLES.0) * PANEL.1);
            let title = format!("{}, memory latency {latency}", work.name());
            document = document.add(text(left, top - 10.0, "start", 13, &title));
            for power in CYCLES.0 as i32..=CYCLES.1 as i32 {
                let y = y_of_power(power.into());
                let label = text(left - 6.0, y + 4.0, "end", 11, &(1_u64 << power).to_string());
                document = document.add(line(left, y, left + PANEL.0, y)).add(label);
            }
            for warps in WARPS {
                let x = x_of(warps);
                let label = text(x, bottom + 16.0, "middle", 11, &warps.to_string());
                document = document.add(line(x, top, x, bottom)).add(label);
            }
            for (&lanes, colour) in Lanes::ALL.iter().zip(COLOURS) {
                let here = points.iter().filter(|point| {
                    (
                        point.parameters.work,
                        point.parameters.memory_latency,
                        point.parameters.lanes,
                    ) == (work, latency, lanes)
                });
                let y_of = |cycles: u64| y_of_power((cycles.max(1) as f64).log2());
                let mut path = String::new();
                let mut circles = Vec::new();
                for point in here {
                    let x = x_of(point.parameters.warps);
                    let separator = if path.is_empty() { "" } else { " " };
                    path.push_str(&format!("{separator}{x},{}", y_of(point.predicted.cycles)));
                    let circle = Circle::new().set("cx", x).set("cy", y_of(point.measured)).set("r", 3.5);
                    circles.push(circle.set("fill", colour));
                }
                document = document.add(
                    Polyline::new()
                        .set("points", path)
                        .set("fill", "none")
                        .set("stroke", colour)
                        .set("stroke-width", 1.5),
                );
                for circle in circles {
                    document = document.add(circle);
                }
            }
        }
    }
    format!("{document}\n")
}
