//! Shared by the tests: generated kernels, runs in lockstep with the model, and checks for required tools.

#[cfg(target_os = "linux")]
pub mod processes;

use flexgrip_compiler::clang::Clang;
use flexgrip_isa::{assemble_at, Capability};
use flexgrip_machine::sizes::Lanes;
use flexgrip_machine::{Configuration, ImageSpace, Launch, MemoryImage, Retire};
use flexgrip_sim::engines::circuits::sizes;
use flexgrip_sim::engines::engine::{Engine, Options};
use flexgrip_sim::engines::lockstep;
use flexgrip_sim::engines::native::rtl::RtlEngine;
use flexgrip_sim::engines::outcome::RunReport;
use flexgrip_sim::engines::verilog::verilator::VerilatorEngine;
use flexgrip_sim::files::launch::Kernel;
use flexgrip_sim::performance::scaling;
use flexgrip_sim::trace::ending::Ending;
pub use flexgrip_skip::shared;
use flexgrip_testbench::tools::{found, VERILATOR};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// All numbers of lanes.
pub const LANES: [u32; Lanes::ALL.len()] = Lanes::COUNTS;

/// The numbers of lanes for slow tests: all in the soak tier, otherwise one (see docs/testing.md).
pub const TIER_LANES: &[u32] = if cfg!(feature = "soak") { &LANES } else { &[8] };

/// The bytes of global memory of small kernels.
pub const GLOBAL_BYTES: u32 = 1 << 16;

/// A number of lanes as its type.
pub fn sized(lanes: u32) -> Lanes {
    Lanes::try_from(lanes).unwrap()
}

/// The configuration of circuits with this number of lanes and one SM.
pub fn configuration(lanes: u32, global_bytes: u32) -> Configuration {
    sizes::configuration(sized(lanes), global_bytes)
}

/// A folder with a kernel, deleted when the value is dropped.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    /// Creates a folder with these files.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Folder(folder)
    }

    /// Creates a kernel of one warp with 16 registers, whose program is assembly text.
    pub fn sass(program: &str) -> Self {
        let launch = "name = \"t\"\nprogram = \"kernel.sass\"\nregisters = 16\ngrid = [1, 1]\nblock = [32, 1, 1]\n";
        Folder::new(&[("launch.toml", launch), ("kernel.sass", program)])
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn kernel(&self) -> Kernel {
        Kernel::load(self.path()).unwrap()
    }
}

/// The project's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folders in `folder` that contain a launch file, sorted.
pub fn kernels_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.join("launch.toml").is_file());
    found.sort();
    found
}

/// Clock cycles from start to done, by kernel and then by `lanes_8`, `lanes_16`, `lanes_32`, and with several SMs by
/// `lanes_8_sms_2` and so on.
pub type Cycles = BTreeMap<String, BTreeMap<String, u64>>;

/// The file of the recorded [`Cycles`].
pub fn cycles_file() -> PathBuf {
    root().join("baselines/cycles.toml")
}

/// The recorded cycles; none without the file.
pub fn recorded_cycles() -> Cycles {
    toml::from_str(&std::fs::read_to_string(cycles_file()).unwrap_or_default()).unwrap()
}

/// The folder for compiled Verilog, shared by all tests, and with the command line if it runs in the project's root.
pub fn build() -> PathBuf {
    root().join("build")
}

/// Runs the command line with these arguments only.
pub fn command(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flexgrip"));
    command.args(arguments).output().unwrap()
}

/// Runs the command line on a kernel, with the tests' folder for compiled Verilog.
pub fn flexgrip(arguments: &[&str], kernel: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flexgrip"));
    command
        .arg(arguments[0])
        .arg(kernel)
        .args(&arguments[1..])
        .arg("--build-dir")
        .arg(build());
    command.output().unwrap()
}

/// True if Verilator can be run; otherwise prints that a test is skipped.
pub fn verilator() -> bool {
    found(VERILATOR)
}

/// True if there is a clang for OpenCL C; otherwise prints that a test is skipped.
pub fn clang() -> bool {
    flexgrip_skip::found_or_skip(Clang::find()).is_some()
}

/// Like [`verilator`], for a machine of this size: sizes other than one SM of 8 lanes are only built in the soak tier.
pub fn verilator_of(lanes: u32, sms: u32) -> bool {
    (cfg!(feature = "soak") || (lanes, sms) == (8, 1)) && verilator()
}

/// The engines available here.
pub fn engines() -> Vec<&'static str> {
    let mut engines = vec!["model", "rtl"];
    if verilator() {
        engines.push("verilator");
    }
    engines
}

/// A kernel of `blocks` blocks of 96 threads, which takes some time: a loop with 1 to 32 iterations, depending on
/// thread and block, a barrier, and a sum with a neighbour's result in global memory. Blocks do not share words.
pub fn many_blocks(blocks: u32) -> Kernel {
    let program = "
        MOV.U16 R0H, g[1].U16
        I2I.U32.U16 R1, R0L
        IMAD.U16 R1, g[6].U16, R0H, R1  // number in the grid
        SHL R2, R1, 2
        MVI R5, 31
        IMUL.U16.U16 R3, R1L, R5L
        LOP32I.AND R3, R3, 31
        IADD32I R3, R3, 1               // rounds
        MVI R4, 0
        SSY done
        round: IADD R4, R4, R1
        IADD32I R3, R3, -1
        ISET.C0 o[0x7f], R3, R124, NE
        BRA C0.NE, round
        done: NOP.S
        GST.U32 global14[R2], R4
        BAR.ARV.WAIT b0, 0xfff
        I2I.U32.U16 R6, R0L
        MVI R7, 95
        ISET.C1 o[0x7f], R6, R7, EQ     // the last thread's neighbour is itself
        IADD32I R8, R2, 4
        MOV R8 (C1.NE), R2
        GLD.U32 R9, global14[R8]
        IADD R4, R4, R9
        MVI R10, 0x8000
        IADD R2, R2, R10
        GST.U32 global14[R2], R4
        RET
    ";
    let launch = format!(
        "name = \"many_blocks\"\nprogram = \"kernel.sass\"\nregisters = 12\ngrid = [{blocks}, 1]\nblock = [96, 1, 1]\n"
    );
    Folder::new(&[("launch.toml", &launch), ("kernel.sass", program)]).kernel()
}

#[track_caller]
pub fn assemble(text: &str) -> flexgrip_isa::Program {
    flexgrip_isa::assemble(text, "t").unwrap_or_else(|errors| {
        let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\n{text}", lines.join("\n"))
    })
}

/// A kernel of `grid` blocks of `block` threads with 16 registers, and with `memory` at the start of global memory.
#[track_caller]
pub fn launch(program: &str, grid: u32, block: u32, memory: Vec<u32>) -> Launch {
    Launch {
        name: "t".into(),
        program: assemble(program).words,
        registers: 16,
        grid: [grid, 1],
        block: [block, 1, 1],
        memory: vec![MemoryImage {
            space: ImageSpace::Global,
            address: 0,
            words: memory,
        }],
        ..Launch::default()
    }
}

/// Like [`launch`], for a kernel of a capability, with 1,024 bytes of shared memory.
#[track_caller]
pub fn launch_at(capability: Capability, program: &str, grid: u32, block: u32, memory: Vec<u32>) -> Launch {
    let program = assemble_at(program, "t", capability).unwrap_or_else(|errors| panic!("{errors:?}"));
    Launch {
        program: program.words,
        capability,
        shared_bytes: 1024,
        ..launch("RET", grid, block, memory)
    }
}

/// Run options of small kernels.
pub fn options(lanes: u32) -> Options {
    Options {
        configuration: configuration(lanes, GLOBAL_BYTES),
        max_cycles: 200_000,
        build: build(),
        ..Options::default()
    }
}

/// Runs a small kernel in lockstep with the model, which must agree. Returns the report and the records in issue order.
#[track_caller]
pub fn run_on(engine: &mut dyn Engine, launch: &Launch, lanes: u32) -> (RunReport, Vec<Retire>) {
    let mut records = Vec::new();
    let (report, _, difference) = lockstep::run(engine, launch, &options(lanes), |record| {
        records.push(record.clone());
    })
    .unwrap_or_else(|error| panic!("{}, {lanes} lanes: {error}", engine.name()));
    if let Some(difference) = difference {
        panic!("{}, {lanes} lanes: {difference}", engine.name());
    }
    (report, records)
}

/// Like [`run_on`], on the native circuits.
#[track_caller]
pub fn run(launch: &Launch, lanes: u32) -> (RunReport, Vec<Retire>) {
    run_on(&mut RtlEngine, launch, lanes)
}

/// Runs a kernel on the native circuits at every number of lanes. `check` gets global memory and the number of lanes as
/// text.
#[track_caller]
pub fn run_all(launch: &Launch, check: impl Fn(&[u32], &str)) {
    for lanes in LANES {
        let (report, _) = run(launch, lanes);
        assert_eq!(report.ending, Ending::Complete, "{lanes} lanes");
        check(&report.global, &format!("{lanes} lanes"));
    }
}

/// Calls `work` with the Verilog of the circuits, exported once. Without Verilator, only prints that the test is
/// skipped.
pub fn with_verilog<T>(work: impl FnOnce(&mut VerilatorEngine) -> T) -> Option<T> {
    with_verilog_of(8, work)
}

/// Like [`with_verilog`], for this number of lanes; does nothing if it belongs to another tier.
pub fn with_verilog_of<T>(lanes: u32, work: impl FnOnce(&mut VerilatorEngine) -> T) -> Option<T> {
    static ENGINE: Mutex<Option<VerilatorEngine>> = Mutex::new(None);
    if !verilator_of(lanes, 1) {
        return None;
    }
    let mut engine = ENGINE.lock().unwrap_or_else(PoisonError::into_inner);
    Some(work(engine.get_or_insert_default()))
}

/// Calls `work` for every job, on all cores.
///
/// # Panics
/// Panics if `work` panics.
pub fn on_all_cores<T: Sync>(jobs: &[T], work: impl Fn(&T) + Sync) {
    let done = scaling::on_all_cores(jobs, |job| {
        work(job);
        Ok(())
    });
    assert_eq!(done.unwrap().len(), jobs.len());
}
