//! What all engines have in common: how they are asked, what they report, how they fail.
//!
//! An [`Engine`] takes a launch from its initial memory to its end. It shows every executed warp instruction to an
//! observer, if there is one, and reports the final memory and its counters. A kernel that goes wrong is an outcome of a
//! run ([`Ending::Failed`]), not a failure to run; the same kernel goes wrong in the same words on every engine.

use crate::board::BoardError;
use crate::counters::{total, SmCounters};
use crate::file_error::FileError;
use crate::launch_file::off_boundary;
use crate::progress::Progress;
use crate::records::TraceError;
use flexgrip_hdl::host_map::SmCounter;
use flexgrip_model::{Configuration, ErrorKind, KernelError, Launch, LaunchError, Retire};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;

/// Sees each record of a run and may end it. `Send`, because engines may run on threads of their own.
pub type Observer<'a> = dyn FnMut(&Retire) -> ControlFlow<()> + Send + 'a;

/// Most cycles of a run unless the caller says otherwise.
pub const MAX_CYCLES: u64 = 100_000_000;
/// Cycles from a read request to its answer in the simulators' global memory unless the caller says otherwise.
pub const MEMORY_LATENCY: u32 = 20;

/// How the accesses of a warp's threads to global memory become requests. Results do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coalescing {
    /// A request serves all threads of a beat in a segment of the port's width.
    #[default]
    Segment,
    /// The strict rule of compute capability 1.0: half-warps in the order of their threads, else thread by thread.
    G80,
}

/// How waves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaveFormat {
    /// Text that every viewer reads.
    Vcd,
    /// GTKWave's own: a hundredth of the size, and opened at once.
    Fst,
}

/// A file of waves, and what of the run it is to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaveFile {
    /// Where it is written.
    pub path: PathBuf,
    /// As its name says.
    pub format: WaveFormat,
    /// Blocks or signals, such as `top.sm[0].fetch`, each with all that is in it; none means everything.
    pub scopes: Vec<String>,
    /// First cycle, numbered as the trace's; the wave of a grid begins with the cycle behind the start's acknowledge, 1.
    pub from: u64,
    /// Last cycle.
    pub to: u64,
}

impl WaveFile {
    /// All of a run, in the format that the ending of `path` says.
    ///
    /// # Errors
    /// [`RunError::Wave`] for any other ending than `.vcd` and `.fst`.
    pub fn new(path: impl Into<PathBuf>) -> Result<Self, RunError> {
        let path = path.into();
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("vcd") => WaveFormat::Vcd,
            Some("fst") => WaveFormat::Fst,
            _ => {
                let message = format!("{}: its ending says the format; expected .vcd or .fst", path.display());
                return Err(RunError::Wave(message));
            }
        };
        Ok(WaveFile {
            path,
            format,
            scopes: Vec::new(),
            from: 0,
            to: u64::MAX,
        })
    }
}

/// How to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The machine's sizes.
    pub configuration: Configuration,
    /// Most cycles from start to done; for engines without a clock, most warp instructions.
    pub max_cycles: u64,
    /// Cycles from a read request to its answer in global memory, at least 1. For engines with a clock.
    pub memory_latency: u32,
    /// How global accesses become requests. For engines with a clock.
    pub coalescing: Coalescing,
    /// Write waves. For engines with a clock.
    pub wave: Option<WaveFile>,
    /// Where engines keep what they build.
    pub build: PathBuf,
    /// Threads for blocks that are independent of each other. For the model.
    pub jobs: NonZeroUsize,
    /// Where the engine says how far it is. Changes nothing of the run.
    pub progress: Progress,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            configuration: Configuration::default(),
            max_cycles: MAX_CYCLES,
            memory_latency: MEMORY_LATENCY,
            coalescing: Coalescing::Segment,
            wave: None,
            build: PathBuf::from("build"),
            jobs: NonZeroUsize::MIN,
            progress: Progress::default(),
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All blocks have ended.
    Complete,
    /// The observer ended the run. Counters are as of somewhere near there, and global memory may be left out.
    Stopped,
    /// The kernel went wrong, or did not end within [`Options::max_cycles`] (`ErrorKind::Endless`).
    Failed(KernelError),
}

/// What a run has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunReport {
    /// How it ended.
    pub ending: Ending,
    /// Clock cycles from start to done; `None` for an engine without a clock.
    pub cycles: Option<u64>,
    /// Warp instructions executed.
    pub warp_instructions: u64,
    /// The same, each counted once for every thread that executed it.
    pub thread_instructions: u64,
    /// Branches that split a warp.
    pub divergent_branches: u64,
    /// What each SM counted; empty for an engine without a clock, and after a stopped run where it was not read.
    pub counters: Vec<SmCounters>,
    /// Global memory afterwards, in words from address 0.
    pub global: Vec<u32>,
    /// Time that the run itself took: without building, loading and reading back.
    pub wall: Duration,
}

impl RunReport {
    /// Of a run on a machine with a clock, whose SMs have counted.
    pub fn of_machine(
        ending: Ending,
        cycles: u64,
        counters: Vec<SmCounters>,
        global: Vec<u32>,
        wall: Duration,
    ) -> Self {
        RunReport {
            ending,
            cycles: Some(cycles),
            warp_instructions: total(&counters, SmCounter::Issued),
            thread_instructions: total(&counters, SmCounter::ThreadInstructions),
            divergent_branches: total(&counters, SmCounter::DivergentBranches),
            counters,
            global,
            wall,
        }
    }
}

/// Why an engine could not run a launch.
#[derive(Debug, Error)]
pub enum RunError {
    /// The launch does not fit the machine.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The kernel went wrong: for callers that take this as an error; engines report it as [`Ending::Failed`].
    #[error(transparent)]
    Kernel(KernelError),
    /// The same where a long instruction off its boundary is the reason, with the ways out.
    #[error("{0}: {ways}", ways = off_boundary(.0.pc))]
    OffBoundary(KernelError),
    /// An input file is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// The engine cannot do what was asked.
    #[error("the {engine} engine {reason}")]
    Unsupported {
        /// The engine's name.
        engine: &'static str,
        /// What it cannot do, and what it can.
        reason: String,
    },
    /// The circuits did not keep to their interfaces: a defect in them or in the test bench, not in the kernel.
    #[error("test bench: {0}")]
    Bench(String),
    /// There is no machine of these sizes.
    #[error("{0}")]
    Machine(String),
    /// Waves cannot be written as asked for.
    #[error("waves: {0}")]
    Wave(String),
    /// As [`RunError::Bench`], in the trace.
    #[error("trace: {0}")]
    Trace(#[from] TraceError),
    /// Part of global memory cannot be shown as asked.
    #[error("{0}")]
    Dump(String),
    /// A board, or the line to it.
    #[error("{0}")]
    Board(#[from] BoardError),
    /// A tool is missing or failed.
    #[error("{tool}: {message}")]
    Tool {
        /// The tool's name.
        tool: &'static str,
        /// What happened, and what to do.
        message: String,
    },
    /// A file could not be written or a process not be started.
    #[error("{what}: {error}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it failed.
        error: std::io::Error,
    },
}

impl RunError {
    /// Of a kernel that went wrong in this launch.
    pub fn of_kernel(launch: &Launch, error: KernelError) -> RunError {
        match error.kind {
            ErrorKind::ProgramCounter if launch.off_boundary(error.pc) => RunError::OffBoundary(error),
            _ => RunError::Kernel(error),
        }
    }

    /// For `map_err`: an I/O error with what was tried.
    pub fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> RunError {
        let what = what.into();
        move |error| RunError::Io { what, error }
    }

    /// For `map_err`: the error of a tool that could not be started.
    pub fn not_started(tool: &'static str) -> impl FnOnce(std::io::Error) -> RunError {
        move |error| RunError::Tool {
            tool,
            message: match error.kind() {
                std::io::ErrorKind::NotFound => {
                    "is not installed; install its package, or run `make tools` in the project's folder".into()
                }
                _ => format!("cannot be run: {error}"),
            },
        }
    }
}

/// How many threads the computer runs at once; 1 if it does not tell.
pub fn processors() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Runs launches.
pub trait Engine {
    /// The name, as on the command line.
    fn name(&self) -> &'static str;

    /// Runs a launch to its end. An observer makes engines with a clock record what they execute, which costs time.
    ///
    /// # Errors
    /// [`RunError`] if the launch could not be run as asked; a kernel that goes wrong is no error here.
    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError>;
}
