//! The common interface of all engines: options, observer, trait.
//!
//! An [`Engine`] runs a launch from its initial memory to its end. It passes every executed warp instruction to an
//! observer, if there is one, and reports the final memory and its counters. A kernel that fails is an outcome of a run
//! ([`Ending::Failed`](crate::trace::ending::Ending)), not an error of the engine; every engine reports the same
//! kernel's error in the same words.

use crate::error::RunError;
use crate::gate_level::GateLevel;
use crate::outcome::RunReport;
use crate::progress::Progress;
use crate::waves::file::WaveFile;
use flexgrip_machine::{Configuration, Launch, Protect, Retire, Watched};
use flexgrip_trace::timeline::file::TimelineFile;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// Gets each record of a run, and may end the run. `Send`, because engines may run on separate threads.
pub type Observer<'a> = dyn FnMut(&Retire) -> ControlFlow<()> + Send + 'a;

/// The default cycle limit of a run.
pub const MAX_CYCLES: u64 = 100_000_000;
/// The default number of cycles from a read request to its answer in the simulators' global memory.
pub const MEMORY_LATENCY: u32 = 20;

/// The rule by which accesses of a warp's threads to global memory are coalesced into requests. Results do not depend
/// on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coalescing {
    /// One request serves all threads of a beat within a segment of the port's width.
    #[default]
    Segment,
    /// The strict rule of compute capability 1.0: half-warps in the order of their threads, otherwise thread by thread.
    G80,
}

/// The options of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The machine's sizes.
    pub configuration: Configuration,
    /// Limit of clock cycles from start to done; for engines without a clock, of warp instructions.
    pub max_cycles: u64,
    /// Cycles from a read request to its answer in global memory, at least 1. For engines with a clock.
    pub memory_latency: u32,
    /// The rule for coalescing global accesses. For engines with a clock.
    pub coalescing: Coalescing,
    /// The circuits' protection from flipped bits; none on the model.
    pub protect: Protect,
    /// Global memory as an earlier launch left it, in words from address 0, in place of the launch's own contents.
    pub memory: Option<Vec<u32>>,
    /// Waves to write. For engines with a clock.
    pub wave: Option<WaveFile>,
    /// A timeline to write. An engine without a clock counts warp instructions as time.
    pub timeline: Option<TimelineFile>,
    /// A snapshot to write. For the circuits as machine code.
    pub save: Option<SaveAt>,
    /// The file of a snapshot to continue from, which excludes a timeline. For the circuits as machine code.
    pub from: Option<PathBuf>,
    /// A block of the circuits to simulate as gates. For the circuits as machine code.
    pub gates: Option<Arc<GateLevel>>,
    /// The folder for engines' builds.
    pub build: PathBuf,
    /// True to check the kernel for errors. For the model.
    pub check: bool,
    /// Threads for independent blocks. For the model.
    pub jobs: NonZeroUsize,
    /// The progress, which the engine updates. Does not affect the run.
    pub progress: Progress,
    /// The watch that may request the warps' places, and stop the run.
    pub watched: Watched,
}

/// A snapshot to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveAt {
    /// The cycle, numbered as in the trace, at the beginning of which the snapshot is taken: at least 1.
    pub cycle: u64,
    /// The file to write.
    pub file: PathBuf,
}

impl Options {
    /// Rejects snapshots, for an engine without them.
    pub fn refuse_snapshots(&self, engine: &'static str) -> Result<(), RunError> {
        if self.save.is_none() && self.from.is_none() {
            return Ok(());
        }
        let reason = "has no snapshots; choose rtl or compiled, on a processor with machine code".into();
        Err(RunError::Unsupported { engine, reason })
    }

    /// Rejects protection, for an engine without the circuits.
    ///
    /// # Errors
    /// `protect` is not [`Protect::None`].
    pub fn refuse_protection(&self, engine: &'static str) -> Result<(), RunError> {
        match self.protect {
            Protect::None => Ok(()),
            protect => {
                let reason = format!(
                    "has no circuits to protect, and --protect {protect} would change nothing; expected an engine or a model \
                     of faults of the circuits"
                );
                Err(RunError::Unsupported { engine, reason })
            }
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            configuration: Configuration::default(),
            max_cycles: MAX_CYCLES,
            memory_latency: MEMORY_LATENCY,
            coalescing: Coalescing::Segment,
            protect: Protect::None,
            memory: None,
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

/// The number of threads that the computer runs at once; 1 if unknown.
pub fn processors() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// An engine that runs launches.
pub trait Engine {
    /// The name of the engine, as on the command line.
    fn name(&self) -> &'static str;

    /// Runs a launch to its end. With an observer, engines with a clock trace every instruction, which is slower.
    ///
    /// # Errors
    /// [`RunError`] if the launch could not be run as requested. A kernel that fails is not an error here.
    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError>;
}
