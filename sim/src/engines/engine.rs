//! The common interface of all engines: options, observer, trait.
//!
//! An [`Engine`] runs a launch from its initial memory to its end. It shows every executed warp instruction to an
//! observer, if there is one, and reports the final memory and its counters. A kernel that goes wrong is an outcome of
//! a run ([`Ending::Failed`](crate::trace::ending::Ending)), not a failure to run; every engine reports the same
//! kernel's error in the same words.

use crate::engines::error::RunError;
use crate::engines::native::machine_code::GateLevel;
use crate::engines::outcome::RunReport;
use crate::progress::Progress;
use crate::timeline::file::TimelineFile;
use crate::waves::file::WaveFile;
use flexgrip_machine::{Configuration, Launch, Retire, Watched};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// Sees each record of a run and may end it. `Send`, because engines may run on threads of their own.
pub type Observer<'a> = dyn FnMut(&Retire) -> ControlFlow<()> + Send + 'a;

/// Limit of cycles of a run, by default.
pub const MAX_CYCLES: u64 = 100_000_000;
/// Cycles from a read request to its answer in the simulators' global memory, by default.
pub const MEMORY_LATENCY: u32 = 20;

/// How the accesses of a warp's threads to global memory are coalesced into requests. Results do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coalescing {
    /// One request serves all threads of a beat within a segment of the port's width.
    #[default]
    Segment,
    /// The strict rule of compute capability 1.0: half-warps in the order of their threads, otherwise thread by thread.
    G80,
}

/// How to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The machine's sizes.
    pub configuration: Configuration,
    /// Limit of cycles from start to done; for engines without a clock, of warp instructions.
    pub max_cycles: u64,
    /// Cycles from a read request to its answer in global memory, at least 1. For engines with a clock.
    pub memory_latency: u32,
    /// How global accesses are coalesced. For engines with a clock.
    pub coalescing: Coalescing,
    /// Write waves. For engines with a clock.
    pub wave: Option<WaveFile>,
    /// Write a timeline. An engine without a clock counts warp instructions.
    pub timeline: Option<TimelineFile>,
    /// Write a snapshot. For the circuits as machine code.
    pub save: Option<SaveAt>,
    /// Continue from the snapshot in this file. Likewise, and without a timeline.
    pub from: Option<PathBuf>,
    /// A block as gates, in place of its kernel. For the circuits as machine code.
    pub gates: Option<Arc<GateLevel>>,
    /// Where engines keep what they build.
    pub build: PathBuf,
    /// Look for what the kernel does wrong. For the model.
    pub check: bool,
    /// Threads for independent blocks. For the model.
    pub jobs: NonZeroUsize,
    /// Where the engine reports its progress. Does not affect the run.
    pub progress: Progress,
    /// Who may ask where the warps are, and stop the run.
    pub watched: Watched,
}

/// A snapshot to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveAt {
    /// The cycle, numbered as in the trace, at whose beginning it is taken: at least 1.
    pub cycle: u64,
    /// Where to.
    pub file: PathBuf,
}

impl Options {
    /// Refuses snapshots, for an engine that has none.
    pub(crate) fn refuse_snapshots(&self, engine: &'static str) -> Result<(), RunError> {
        if self.save.is_none() && self.from.is_none() {
            return Ok(());
        }
        let reason = "has no snapshots; choose rtl or compiled, on a processor with machine code".into();
        Err(RunError::Unsupported { engine, reason })
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            configuration: Configuration::default(),
            max_cycles: MAX_CYCLES,
            memory_latency: MEMORY_LATENCY,
            coalescing: Coalescing::Segment,
            wave: None,
            timeline: None,
            save: None,
            from: None,
            gates: None,
            build: PathBuf::from("build"),
            check: false,
            jobs: NonZeroUsize::MIN,
            progress: Progress::default(),
            watched: Watched::default(),
        }
    }
}

/// How many threads the computer runs at once; 1 if unknown.
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
    /// [`RunError`] if the launch could not be run as requested; a kernel that goes wrong is not an error here.
    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError>;
}
