//! Measures the costs of the pipeline with small programs on the native circuits. Every figure must equal
//! `baselines/pipeline.toml` (even an improvement fails until `cargo xtask update baselines` records it) and meet its
//! bar, and all must match the tables and the picture in `docs/performance.md`, which `cargo xtask update baselines`
//! also writes.
//!
//! The programs run in lockstep with the model. Rates are steady-state rates: of the relevant issues, in order, only
//! the middle half counts, from the one at a quarter to the one at three quarters. Before and after it, warps start and
//! end.

use crate::common::{configuration, launch, root, sized, LANES};
use flexgrip_isa::{decode, Marker, Operation};
use flexgrip_machine::{Launch, Retire};
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::lockstep;
use flexgrip_sim::engines::model::ModelEngine;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::performance::prediction::predict;
use flexgrip_sim::performance::scaling::{self, on_all_cores, picture, points};
use flexgrip_sim::trace::ending::Ending;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// The values of each figure by `lanes_8`, `lanes_16`, `lanes_32` and further conditions.
type Baselines = BTreeMap<String, BTreeMap<String, f64>>;

/// The default memory latency in cycles.
const LATENCY: u32 = 20;
/// The number of blocks of the kernel for measuring several SMs.
const BLOCKS: u32 = 64;

fn records(launch: &Launch, lanes: u32, memory_latency: u32) -> Vec<Retire> {
    let options = Options {
        configuration: configuration(lanes, 1 << 20),
        memory_latency,
        ..crate::common::options(lanes)
    };
    let mut records = Vec::new();
    let (report, _, difference) = lockstep::run(&mut RtlEngine, launch, &options, |record| {
        records.push(record.clone());
    })
    .unwrap_or_else(|error| panic!("{lanes} lanes: {error}"));
    if let Some(difference) = difference {
        panic!("{lanes} lanes: {difference}");
    }
    assert_eq!(report.ending, Ending::Complete, "{lanes} lanes");
    records
}

/// The records of a program of one block, in issue order.
fn run(program: &str, lanes: u32, warps: u32) -> Vec<Retire> {
    records(&launch(program, 1, 32 * warps, vec![]), lanes, LATENCY)
}

fn issue(record: &Retire) -> u64 {
    record.issue_cycle.unwrap()
}

/// The average number of cycles from one of these records to the next, over their middle half.
fn steady(records: impl IntoIterator<Item = Retire>) -> f64 {
    let issues: Vec<u64> = records.into_iter().map(|record| issue(&record)).collect();
    let (first, last) = (issues.len() / 4, issues.len() * 3 / 4);
    (issues[last] - issues[first]) as f64 / (last - first) as f64
}

/// `count` lines, cycling through `of`. `#` cycles through twelve registers, so that lines do not depend on each other.
fn lines(of: &[&str], count: usize) -> String {
    (0..count)
        .map(|i| of[i % of.len()].replace('#', &(4 + i % 12).to_string()) + "\n")
        .collect()
}

/// The issue rate of straight-line code, as a percentage of one warp instruction every 32/LANES cycles.
fn issue_share(of: &[&str], lanes: u32, warps: u32) -> f64 {
    let count = if warps == 32 { 200 } else { 320 };
    let records = run(&(lines(of, count) + "RET\n"), lanes, warps);
    100.0 * f64::from(32 / lanes) / steady(records)
}

const INTEGER: [&str; 6] = [
    "IADD R#, R1, R0",
    "LOP.XOR R#, R1, R2",
    "SHL R#, R0, 3",
    "IMAD.U16 R#, R0L, R1L, R2",
    "IMIN.S32 R#, R0, R1",
    "ISET.C0 R#, R0, R1, LT",
];
const FADD: [&str; 1] = ["FADD R#, R0, R1"];
const FMUL: [&str; 1] = ["FMUL R#, R0, R1"];
const FMAD: [&str; 1] = ["FMAD R#, R0, R1, R2"];
/// Two pipelines of different depths that share a write port.
const MIXED: [&str; 5] = [
    "IADD R#, R1, R0",
    "FMAD R#, R0, R1, R2",
    "SHL R#, R0, 3",
    "LOP.XOR R#, R1, R2",
    "FADD R#, R0, R1",
];

/// The number of warps for measuring the issue rate: 8 with 8 lanes, 16 with more.
fn some_warps(lanes: u32) -> u32 {
    if lanes == 8 {
        8
    } else {
        16
    }
}

/// The cycles between dependent instructions of a warp.
fn dependent(line: &str, lanes: u32) -> f64 {
    steady(run(&(lines(&[line], 60) + "RET\n"), lanes, 1))
}

fn operation(record: &Retire) -> Operation {
    decode(record.word).unwrap().operation()
}

/// The maximum number of cycles from a record that `is` accepts to the next one of a single warp.
fn to_the_next(records: &[Retire], is: impl Fn(&Retire) -> bool) -> f64 {
    let times: Vec<u64> = records
        .windows(2)
        .filter(|pair| is(&pair[0]))
        .map(|pair| issue(&pair[1]) - issue(&pair[0]))
        .collect();
    *times.iter().max().expect("such an instruction is executed") as f64
}

/// A taken branch: forward, backward, and to a short instruction in the upper half of a word.
fn branch_taken(lanes: u32) -> f64 {
    let ways = [
        "NOP\nNOP\nNOP\nBRA on\nNOP\nNOP\non: NOP\nRET\n",
        "MVI R1, 3\nback: IADD32I R1, R1, -1\nISET.C0 o[0x7f], R1, R124, NE\nNOP\nNOP\nBRA C0.NE, back\nRET\n",
        "NOP\nNOP\nNOP\nBRA on\nNOP\nMOV32 R2, R1\non: MOV32 R3, R1\nNOP\nRET\n",
    ];
    let taken = |record: &Retire| matches!(operation(record), Operation::Bra { target } if record.next.pc == Some(target) && record.executed != 0);
    ways.map(|way| to_the_next(&run(way, lanes, 1), taken))
        .into_iter()
        .fold(0.0, f64::max)
}

/// A warp whose first eight threads branch; both paths reconverge at a join.
fn divergent(lanes: u32) -> Vec<Retire> {
    let program = "
        MVI R2, 8; ISET.C0 o[0x7f], R0, R2, LT
        SSY join; NOP; NOP; NOP; NOP
        BRA C0.NE, low; NOP; NOP; BRA join
        low: NOP; NOP
        join: NOP.S
        NOP; RET";
    run(program, lanes, 1)
}

fn divergent_branch(lanes: u32) -> f64 {
    let splits = |record: &Retire| {
        matches!(operation(record), Operation::Bra { .. }) && record.executed != 0 && record.executed != record.active
    };
    to_the_next(&divergent(lanes), splits)
}

/// The cycles from the first path to the second, and from the second to the reconverged warp.
fn join(lanes: u32) -> f64 {
    to_the_next(&divergent(lanes), |record| {
        decode(record.word).unwrap().marker() == Marker::Join
    })
}

/// Eight warps that arrive one after another, and one that arrives long after the others.
fn barrier(lanes: u32) -> f64 {
    let together = "NOP\nNOP\nBAR.ARV.WAIT b0, 0xfff\nNOP\nRET\n".to_string();
    let late = format!(
        "MVI R2, 96\nISET.C0 o[0x7f], R0, R2, GE\nMVI R3, 128\nISET.C1 o[0x7f], R0, R3, LT\nBRA C0.EQ, meet\n\
         BRA C1.EQ, meet\n{}meet: BAR.ARV.WAIT b0, 0xfff\nNOP\nRET\n",
        "IADD R1, R1, R0\n".repeat(30)
    );
    let times = [together, late].map(|program| {
        let records = run(&program, lanes, 8);
        let arrivals = records
            .iter()
            .filter(|record| matches!(operation(record), Operation::Bar { .. }));
        let last = arrivals.map(issue).max().unwrap();
        // In the first program, warps issue until the last arrival; after it, only released warps issue.
        records.iter().map(issue).filter(|&cycle| cycle > last).min().unwrap() - last
    });
    times.into_iter().max().unwrap() as f64
}

/// The total cycles of these instructions in one warp, with A1 an address in shared memory: word t << `shift` for
/// thread t, with a half-warp's threads within 1 KiB.
fn shared(instructions: &[&str], shift: u32, lanes: u32) -> f64 {
    let program = format!(
        "SHL R1, R0, {}\nLOP32I.AND R1, R1, 0x3fc\nR2A A1, R1\n{}RET\n",
        shift + 2,
        lines(instructions, 60)
    );
    let mut launch = launch(&program, 1, 32 * some_warps(lanes), vec![]);
    launch.shared_bytes = 2048;
    steady(records(&launch, lanes, LATENCY)) * instructions.len() as f64
}

/// The cycles from a coalesced load to the use of its data, minus the memory latency.
fn load_use(lanes: u32) -> f64 {
    let program = "SHL R1, R0, 2\nGLD.U32 R2, global14[R1]\nIADD R3, R2, R2\nRET\n";
    let times = [1, 20, 100, 200].map(|latency| {
        let records = records(&launch(program, 1, 32, vec![]), lanes, latency);
        issue(&records[2]) - issue(&records[1]) - u64::from(latency)
    });
    times.into_iter().max().unwrap() as f64
}

/// The additional cycles of a load compared with another instruction in its place, when one warp loads from time to
/// time and all warps issue `operation` as fast as possible.
fn lone_load(operation: &str, lanes: u32) -> f64 {
    let (loads, between) = (10, 9);
    let cycles = |instruction: &str| {
        let code = |count| lines(&[&format!("{operation} R#, R0, R1")], count);
        let program = format!(
            "SHL R1, R0, 2\nMVI R3, 32\nISET.C0 o[0x7f], R0, R3, LT\nBRA C0.NE, first\n{}RET\nfirst: NOP\n{}RET\n",
            code(200),
            format!("{instruction}\n{}", code(between)).repeat(loads)
        );
        let records = run(&program, lanes, some_warps(lanes));
        records.iter().map(issue).max().unwrap() as f64
    };
    (cycles("GLD.U32 R2, global14[R1]") - cycles("MOV R2, R1")) / loads as f64
}

/// The share of the memory port's bandwidth, one request of LANES words per cycle, that a program uses with coalesced
/// accesses of `bytes` bytes, in percent.
fn port_share(program: &str, bytes: u32, registers: u32, warps: u32, latency: u32, lanes: u32) -> f64 {
    let mut launch = launch(program, 1, 32 * warps, vec![]);
    launch.registers = registers;
    let records = records(&launch, lanes, latency);
    let accesses = records.into_iter().filter(|record| !record.memory.is_empty());
    let requests = 32 * bytes / (4 * lanes);
    100.0 * f64::from(requests) / steady(accesses)
}

/// A stream: each thread copies its element, then advances by the total size of all threads' elements.
fn copy(access: &str, bytes: u32, lanes: u32) -> f64 {
    let warps = 16;
    let step = warps * 32 * bytes;
    let again = format!(
        "GLD.{access} R4, global14[R1]\nIADD32I R1, R1, {step}\nGST.{access} global14[R2], R4\nIADD32I R2, R2, {step}\n"
    );
    let start = format!(
        "SHL R1, R0, {}\nMVI R3, 0x80000\nIADD R2, R1, R3\n",
        bytes.trailing_zeros()
    );
    port_share(&(start + &again.repeat(24) + "RET\n"), bytes, 10, warps, LATENCY, lanes)
}

/// Only loads and stores of 32 bits: twelve locations per thread, with their addresses in registers.
fn ready_copy(lanes: u32) -> f64 {
    let mut program = String::from("SHL R1, R0, 2\n");
    for i in 0..12 {
        writeln!(program, "MVI R2, {}\nIADD R{}, R1, R2", 0x1000 * i, 16 + i).unwrap();
        writeln!(program, "MVI R2, {}\nIADD R{}, R1, R2", 0x80000 + 0x1000 * i, 28 + i).unwrap();
    }
    for _ in 0..4 {
        for i in 0..12 {
            writeln!(program, "GLD.U32 R{}, global14[R{}]", 4 + i, 16 + i).unwrap();
        }
        for i in 0..12 {
            writeln!(program, "GST.U32 global14[R{}], R{}", 28 + i, 4 + i).unwrap();
        }
    }
    port_share(&(program + "RET\n"), 4, 40, 12, LATENCY, lanes)
}

/// Only loads of 128 bits, cycling through four groups of registers.
fn loads(latency: u32, lanes: u32) -> f64 {
    let group = |i| format!("GLD.S128 R{}, global14[R1]\n", 4 + 4 * (i % 4));
    let program: String = (0..24).map(group).collect();
    let program = format!("SHL R1, R0, 4\n{program}RET\n");
    port_share(&program, 16, 20, 16, latency, lanes)
}

/// The speedup of a kernel of [`BLOCKS`] blocks on this number of SMs.
fn speedup(sms: u32, lanes: u32) -> f64 {
    let launch = scaling::polynomial(BLOCKS, 2).unwrap();
    let cycles = |sms| {
        let options = scaling::options(sized(lanes), sms, LATENCY);
        let report = scaling::measure(&launch, &options).unwrap();
        let model = ModelEngine.run(&launch, &options, None).unwrap();
        assert!(
            report.global == model.global,
            "{lanes} lanes, {sms} SMs: the result differs from the model's"
        );
        report.cycles.unwrap() as f64
    };
    cycles(1) / cycles(sms)
}

#[derive(Clone, Copy)]
enum Bar {
    AtLeast(f64),
    AtMost(f64),
    /// Within a tenth of the value.
    About(f64),
}

impl Bar {
    fn holds(self, value: f64) -> bool {
        match self {
            Bar::AtLeast(bar) => value >= bar,
            Bar::AtMost(bar) => value <= bar,
            Bar::About(bar) => (value - bar).abs() <= bar / 10.0,
        }
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bar::AtLeast(bar) => write!(f, "at least {bar}"),
            Bar::AtMost(bar) => write!(f, "at most {bar}"),
            Bar::About(bar) => write!(f, "{bar}, ± 10 %"),
        }
    }
}

#[derive(Clone, Copy)]
enum Unit {
    Percent,
    Cycles,
    Times,
}

struct Figure {
    key: &'static str,
    what: &'static str,
    unit: Unit,
    /// The bars for 8, 16 and 32 lanes.
    bars: [Option<Bar>; 3],
    measure: fn(u32) -> f64,
}

impl Figure {
    const fn new(
        key: &'static str,
        what: &'static str,
        unit: Unit,
        bars: [Option<Bar>; 3],
        measure: fn(u32) -> f64,
    ) -> Self {
        Figure {
            key,
            what,
            unit,
            bars,
            measure,
        }
    }

    /// The row in the table of the docs.
    fn row(&self, values: &BTreeMap<String, f64>) -> String {
        let bar = match self.bars.map(|bar| bar.map(|bar| bar.to_string())) {
            [Some(first), Some(second), Some(third)] if first == second && second == third => first,
            [Some(first), None, None] => format!("{first} (8 lanes)"),
            [None, None, None] => String::new(),
            bars => bars.map(|bar| bar.unwrap_or("none".into())).join(", "),
        };
        let mut row = format!("| {} | {bar} |", self.what);
        for lanes in LANES {
            let value = values[&format!("lanes_{lanes}")];
            match self.unit {
                Unit::Percent => write!(row, " {value:.1} % |"),
                Unit::Cycles => write!(row, " {value} |"),
                Unit::Times => write!(row, " {value:.2} times |"),
            }
            .unwrap();
        }
        row + "\n"
    }
}

const NONE: [Option<Bar>; 3] = [None; 3];
const ISSUE: [Option<Bar>; 3] = [
    Some(Bar::AtLeast(95.0)),
    Some(Bar::AtLeast(95.0)),
    Some(Bar::AtLeast(90.0)),
];

/// A bar at 8 lanes.
const fn at_8(bar: Bar) -> [Option<Bar>; 3] {
    [Some(bar), None, None]
}

fn figures() -> Vec<Figure> {
    use Bar::{About, AtLeast, AtMost};
    use Unit::{Cycles, Percent, Times};
    let figure = Figure::new;
    vec![
        figure(
            "issue_integer",
            "issue of independent integer code, 8 warps (16 and 32 lanes: 16), of one warp instruction every 32/LANES cycles",
            Percent,
            ISSUE,
            |lanes| issue_share(&INTEGER, lanes, some_warps(lanes)),
        ),
        figure("issue_integer_32_warps", "the same, 32 warps", Percent, ISSUE, |lanes| {
            issue_share(&INTEGER, lanes, 32)
        }),
        figure("issue_fadd", "issue of FADD, as many warps", Percent, ISSUE, |lanes| {
            issue_share(&FADD, lanes, some_warps(lanes))
        }),
        figure("issue_fmul", "issue of FMUL", Percent, ISSUE, |lanes| {
            issue_share(&FMUL, lanes, some_warps(lanes))
        }),
        figure("issue_fmad", "issue of FMAD", Percent, ISSUE, |lanes| {
            issue_share(&FMAD, lanes, some_warps(lanes))
        }),
        figure("issue_fmad_32_warps", "the same, 32 warps", Percent, ISSUE, |lanes| {
            issue_share(&FMAD, lanes, 32)
        }),
        figure("issue_mixed", "issue of integers and floats in turn", Percent, ISSUE, |lanes| {
            issue_share(&MIXED, lanes, some_warps(lanes))
        }),
        figure(
            "issue_dependent_fmad",
            "issue of dependent FMADs, 8 warps",
            Percent,
            NONE,
            |lanes| issue_share(&["FMAD R6, R6, R2, R3"], lanes, 8),
        ),
        figure(
            "dependent_integer",
            "from an integer instruction to a dependent instruction of the same warp",
            Cycles,
            [Some(AtMost(12.0)); 3],
            |lanes| dependent("IADD R1, R1, R0", lanes),
        ),
        figure(
            "dependent_fmad",
            "from an FMAD to a dependent instruction",
            Cycles,
            [Some(AtMost(16.0)); 3],
            |lanes| dependent("FMAD R1, R1, R0, R1", lanes),
        ),
        figure(
            "branch_taken",
            "from a branch that all threads take to the warp's next instruction",
            Cycles,
            [Some(AtMost(10.0)); 3],
            branch_taken,
        ),
        figure(
            "divergent_branch",
            "the same, a branch that some threads take",
            Cycles,
            [Some(AtMost(16.0)); 3],
            divergent_branch,
        ),
        figure("join", "the same, a join", Cycles, [Some(AtMost(16.0)); 3], join),
        figure(
            "barrier",
            "from the arrival of the last of 8 warps at a barrier to the next issue",
            Cycles,
            [Some(AtMost(10.0)); 3],
            barrier,
        ),
        figure(
            "shared_load",
            "a warp's load from shared memory, each thread in a different bank, many warps",
            Cycles,
            at_8(AtMost(4.0)),
            |lanes| shared(&["MOV R#, g[A1+0]"], 0, lanes),
        ),
        figure(
            "shared_store",
            "a warp's store to shared memory",
            Cycles,
            at_8(AtMost(4.0)),
            |lanes| shared(&["R2G.U32.U32 g[A1+0], R0"], 0, lanes),
        ),
        figure(
            "shared_load_conflict",
            "a load, all of a half-warp's threads in one bank",
            Cycles,
            at_8(About(64.0)),
            |lanes| shared(&["MOV R#, g[A1+0]"], 4, lanes),
        ),
        figure(
            "shared_store_conflict",
            "a store, all of a half-warp's threads in one bank",
            Cycles,
            at_8(About(64.0)),
            |lanes| shared(&["R2G.U32.U32 g[A1+0], R0"], 4, lanes),
        ),
        figure(
            "shared_increment",
            "a load with post-increment",
            Cycles,
            NONE,
            |lanes| shared(&["MOV R#, g[A1+++1]"], 0, lanes),
        ),
        figure(
            "shared_ada",
            "a load and an ADA",
            Cycles,
            NONE,
            |lanes| shared(&["MOV R#, g[A1+0]", "ADA A2, A2, 4"], 0, lanes),
        ),
        figure(
            "shared_increment_ada",
            "a load with post-increment and an ADA",
            Cycles,
            NONE,
            |lanes| shared(&["MOV R#, g[A1+++1]", "ADA A2, A2, 4"], 0, lanes),
        ),
        figure(
            "load_use",
            "from a coalesced load to the use of its value, in addition to the memory's latency",
            Cycles,
            [Some(AtMost(16.0)); 3],
            load_use,
        ),
        figure(
            "lone_load",
            "cost of a single returning load to other warps that issue integer code continuously, without its own issue",
            Cycles,
            NONE,
            |lanes| lone_load("IADD", lanes),
        ),
        figure("lone_load_floats", "the same, floats", Cycles, NONE, |lanes| {
            lone_load("FADD", lanes)
        }),
        figure(
            "copy_128",
            "copying a stream, 128 bits of each thread, 16 warps: of the memory port's requests",
            Percent,
            at_8(AtLeast(90.0)),
            |lanes| copy("S128", 16, lanes),
        ),
        figure("copy_64", "the same, 64 bits", Percent, NONE, |lanes| copy("S64", 8, lanes)),
        figure("copy_32", "the same, 32 bits", Percent, NONE, |lanes| copy("U32", 4, lanes)),
        figure(
            "copy_32_ready",
            "loads and stores of 32 bits and nothing else, 12 warps",
            Percent,
            NONE,
            ready_copy,
        ),
        figure(
            "loads_128",
            "loads of 128 bits and nothing else, 16 warps",
            Percent,
            NONE,
            |lanes| loads(LATENCY, lanes),
        ),
        figure("loads_128_latency_200", "the same, memory latency 200", Percent, NONE, |lanes| {
            loads(200, lanes)
        }),
        figure("sms_2", "a kernel of 64 blocks that computes, on 2 SMs", Times, NONE, |lanes| {
            speedup(2, lanes)
        }),
        figure(
            "sms_4",
            "the same, on 4 SMs",
            Times,
            at_8(AtLeast(3.6)),
            |lanes| speedup(4, lanes),
        ),
    ]
}

/// Real kernels for the table of predictions.
const KERNELS: [&str; 5] = ["saxpy", "newton", "black_scholes", "reduction", "sgemm_tiled"];
const KERNEL_LATENCIES: [u32; 2] = [20, 200];

/// Rounds to a thousandth, so that equal figures give equal texts.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Files that must be up to date; they are written on request.
pub(super) struct Files {
    update: bool,
    /// The files whose text would change now.
    pub differ: Vec<String>,
}

impl Default for Files {
    fn default() -> Self {
        Files {
            update: std::env::var_os("FLEXGRIP_UPDATE").is_some(),
            differ: Vec::new(),
        }
    }
}

impl Files {
    pub(super) fn file(&mut self, path: &str, text: &str) {
        let file = root().join(path);
        if self.update {
            std::fs::write(file, text).unwrap();
        } else if std::fs::read_to_string(file).unwrap_or_default() != text {
            self.differ.push(path.into());
        }
    }

    /// Replaces the part of a text between two comments with its name.
    pub(super) fn part(&mut self, path: &str, name: &str, text: &str) {
        let (start, end) = (
            format!("<!-- {name}, written by `cargo xtask update baselines` -->\n"),
            format!("<!-- end of {name} -->\n"),
        );
        let whole = std::fs::read_to_string(root().join(path)).unwrap();
        let from = whole
            .find(&start)
            .unwrap_or_else(|| panic!("{path} has no line {start}"))
            + start.len();
        let to = from
            + whole[from..]
                .find(&end)
                .unwrap_or_else(|| panic!("{path} has no line {end}"));
        self.file(path, &format!("{}{text}{}", &whole[..from], &whole[to..]));
    }
}

#[test]
fn figures_equal_baselines_and_meet_bars() {
    let figures = figures();
    let jobs: Vec<(&Figure, usize)> = figures
        .iter()
        .flat_map(|figure| (0..LANES.len()).map(move |number| (figure, number)))
        .collect();
    let values = on_all_cores(&jobs, |(figure, number)| Ok(rounded((figure.measure)(LANES[*number])))).unwrap();
    let mut now = Baselines::new();
    let mut missed = Vec::new();
    for ((figure, number), value) in jobs.into_iter().zip(values) {
        let lanes = LANES[number];
        now.entry(figure.key.into())
            .or_default()
            .insert(format!("lanes_{lanes}"), value);
        if let Some(bar) = figure.bars[number].filter(|bar| !bar.holds(value)) {
            missed.push(format!("{}, {lanes} lanes: {value}, must be {bar}", figure.key));
        }
    }
    let mut bars = String::from("| what | bar | 8 lanes | 16 lanes | 32 lanes |\n|---|---|---|---|---|\n");
    for figure in &figures {
        bars.push_str(&figure.row(&now[figure.key]));
    }

    // Predicted and measured kernels.
    let launches = KERNELS.map(|name| Kernel::load(&root().join("kernels").join(name)).unwrap().launch);
    let mut runs = Vec::new();
    for launch in &launches {
        for latency in KERNEL_LATENCIES {
            runs.extend(LANES.map(|lanes| (launch, latency, lanes)));
        }
    }
    let outcomes = on_all_cores(&runs, |&(launch, latency, lanes)| {
        let options = scaling::options(sized(lanes), 1, latency);
        let report = scaling::measure(launch, &options)?;
        Ok((report.cycles.unwrap(), predict(launch, &options)?))
    })
    .unwrap();
    let mut kernels = String::from(
        "| kernel | memory latency | lanes | predicted | measured | off by | bound by |\n|---|---|---|---|---|---|---|\n",
    );
    for ((launch, latency, lanes), (cycles, predicted)) in runs.into_iter().zip(outcomes) {
        now.entry(format!("kernel_{}", launch.name))
            .or_default()
            .insert(format!("lanes_{lanes}_latency_{latency}"), cycles as f64);
        let off = 100.0 * (predicted.cycles as f64 / cycles as f64 - 1.0);
        writeln!(
            kernels,
            "| {} | {latency} | {lanes} | {} | {cycles} | {off:+.0} % | {} |",
            launch.name,
            predicted.cycles,
            predicted.limit.name()
        )
        .unwrap();
    }

    // The picture of the predictions.
    let points = points().unwrap();
    for point in &points {
        let parameters = point.parameters;
        now.entry(format!(
            "{}_latency_{}",
            parameters.work.name(),
            parameters.memory_latency
        ))
        .or_default()
        .insert(
            format!("lanes_{}_warps_{:02}", parameters.lanes, parameters.warps),
            point.measured as f64,
        );
    }

    let mut files = Files::default();
    let file = root().join("baselines/pipeline.toml");
    let recorded: Baselines = toml::from_str(&std::fs::read_to_string(&file).unwrap_or_default()).unwrap();
    files.file(
        "baselines/pipeline.toml",
        &format!(
            "# Costs in the pipeline, measured by sim/tests/performance/pipeline_bars.rs: cycles, percent or factors, as in the table of\n\
             # docs/performance.md. Written by `cargo xtask update baselines`.\n\n{}",
            toml::to_string(&now).unwrap()
        ),
    );
    files.part("docs/performance.md", "the table of bars", &bars);
    files.part("docs/performance.md", "the table of kernels", &kernels);
    files.file("docs/performance.svg", &picture(&points));
    assert!(missed.is_empty(), "bars that do not hold:\n{}", missed.join("\n"));
    if !files.differ.is_empty() {
        assert_eq!(
            now,
            recorded,
            "figures (left: now, right: {}) have changed",
            file.display()
        );
        panic!(
            "files that would now be written differently: {}; if the change is intended: cargo xtask update baselines",
            files.differ.join(", ")
        );
    }
}

/// The kernels of the plot and of the scaling figures give right results.
#[test]
fn plotted_kernels_give_right_results() {
    let words = |launch: &Launch, lanes| {
        let options = scaling::options(sized(lanes), 1, LATENCY);
        let (report, _, difference) = lockstep::run(&mut RtlEngine, launch, &options, |_| {}).unwrap();
        assert!(difference.is_none(), "{}", difference.unwrap());
        assert_eq!(report.ending, Ending::Complete);
        report.global
    };
    let results = (scaling::RESULTS / 4) as usize;
    let copied = words(&scaling::copy(2).unwrap(), 32);
    let total = (scaling::COPIES * 64 * 4) as usize;
    assert!(copied[1] != 0 && copied[..total] == copied[results..results + total]);
    let computed = words(&scaling::polynomial(3, 2).unwrap(), 16);
    for thread in 0..192 {
        let x = f64::from(f32::from_bits(computed[thread]));
        let expected = (0..scaling::DEGREE).fold(0.0, |sum, i| sum * x + [0.5, 0.25, -0.125][i as usize % 3]);
        let found = f64::from(f32::from_bits(computed[results + thread]));
        assert!(
            (found - expected).abs() < 1e-4 * expected.abs().max(1.0),
            "{thread}: {found}, {expected}"
        );
    }
}
