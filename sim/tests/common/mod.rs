//! What the tests share: kernels made on the spot, runs in lockstep with the model, and whether Verilator is there.

#![allow(dead_code)] // Every test file uses its own part of this.

use flexgrip_model::{ImageSpace, Launch, MemoryImage, Retire};
use flexgrip_sim::engine::{Ending, Engine, Options, RunReport};
use flexgrip_sim::launch_file::Kernel;
use flexgrip_sim::lockstep;
use flexgrip_sim::rtl::{configuration, RtlEngine};
use flexgrip_sim::verilator::VerilatorEngine;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// Every number of lanes.
pub const LANES: [u32; 3] = [8, 16, 32];

/// Bytes of global memory that small kernels have.
pub const GLOBAL_BYTES: u32 = 1 << 16;

/// A folder with a kernel in it, gone with the value.
pub struct Folder(pub tempfile::TempDir);

impl Folder {
    /// A folder with these files.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Folder(folder)
    }

    /// A kernel of one warp with 16 registers, whose program is the SASS text.
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

/// Where compiled Verilog is kept; shared by all tests, and with the command line when it runs in the project's root.
pub fn build() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../build")
}

/// Runs the command line.
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

/// Whether Verilator can be run; says so if a test leaves something out.
pub fn verilator() -> bool {
    let found = Command::new("verilator")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    if !found {
        // `make test` installs it, and sets this.
        let required = std::env::var_os("FLEXGRIP_REQUIRE_TOOLS").is_some();
        assert!(!required, "verilator is not installed: run `make tools`");
        println!("skipped: verilator is not installed (`make tools` installs it)");
    }
    found
}

/// The engines that can be run here.
pub fn engines() -> Vec<&'static str> {
    let mut engines = vec!["model", "rtl"];
    if verilator() {
        engines.push("verilator");
    }
    engines
}

/// The program of SASS text.
#[track_caller]
pub fn assemble(text: &str) -> flexgrip_isa::Program {
    flexgrip_isa::assemble(text, "t").unwrap_or_else(|errors| {
        let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\n{text}", lines.join("\n"))
    })
}

/// A kernel of `grid` blocks of `block` threads with 16 registers, whose global memory begins with `memory`.
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

/// How small kernels run.
pub fn options(lanes: u32) -> Options {
    Options {
        configuration: configuration(lanes, GLOBAL_BYTES),
        max_cycles: 200_000,
        build: build(),
        ..Options::default()
    }
}

/// Runs a small kernel with the model beside it, which must agree; the records come in issue order.
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

/// The same, on the native circuits.
#[track_caller]
pub fn run(launch: &Launch, lanes: u32) -> (RunReport, Vec<Retire>) {
    run_on(&mut RtlEngine, launch, lanes)
}

/// Runs it to its end on the native circuits at every number of lanes; `check` sees global memory.
#[track_caller]
pub fn run_all(launch: &Launch, check: impl Fn(&[u32], &str)) {
    for lanes in LANES {
        let (report, _) = run(launch, lanes);
        assert_eq!(report.ending, Ending::Complete, "{lanes} lanes");
        check(&report.global, &format!("{lanes} lanes"));
    }
}

/// Does something with the circuits' Verilog, which is exported once; nothing, and says so, if Verilator is not there.
pub fn with_verilog<T>(work: impl FnOnce(&mut VerilatorEngine) -> T) -> Option<T> {
    static ENGINE: Mutex<Option<VerilatorEngine>> = Mutex::new(None);
    if !verilator() {
        return None;
    }
    let mut engine = ENGINE.lock().unwrap_or_else(PoisonError::into_inner);
    Some(work(engine.get_or_insert_default()))
}
