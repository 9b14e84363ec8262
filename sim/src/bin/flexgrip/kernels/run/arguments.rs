//! The arguments of `flexgrip run`.

use super::input::{input, Input};
use crate::arguments::{EngineName, MachineArguments, OutcomeArguments};
use crate::kernels::results::ResultArguments;
use crate::kernels::source::SourceArguments;
use clap::Args;
use flexgrip_opencl_host::Cpu;
use flexgrip_sim::engines::engine::SaveAt;
use flexgrip_sim::error::Error;
use flexgrip_sim::job::{Job, Ran};
use flexgrip_sim::opencl::error::OpenClError;
use flexgrip_sim::timeline::file::TimelineFile;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Arguments of the subcommand.
#[derive(Args)]
pub struct RunArguments {
    #[command(flatten)]
    pub(super) machine: MachineArguments,
    /// More kernels: all are run, on several threads, and shown in a table
    #[arg(value_name = "KERNEL")]
    pub(super) kernels: Vec<PathBuf>,
    /// Run the kernel once for each input, and show a table. Inputs are .hex files in place of the launch's first contents of
    /// global memory, with the expected words in .txt files beside them, or folders of .hex files; for OpenCL C seeds of its
    /// random buffers, such as 1-64
    #[arg(long, value_name = "INPUT", num_args = 1.., value_parser = input)]
    pub(super) batch: Vec<Input>,
    /// The engine to run on [default: rtl; with --check model]
    #[arg(long, value_enum)]
    engine: Option<EngineName>,
    /// Check the kernel for errors, on the model: accesses outside a buffer, uninitialised values, races, barriers that
    /// only a part of a group reaches
    #[arg(long)]
    pub(super) check: bool,
    /// For several runs, run N at once [default: one for each processor]; for one run on the model, run independent
    /// blocks on N threads, or without N on one for each processor
    #[arg(long, value_name = "N", num_args = 0..=1)]
    pub(super) jobs: Option<Option<NonZeroUsize>>,
    /// Print how accesses to global and local memory coalesce, by instruction: requests of this machine, transactions of
    /// the GPUs of compute capability 1.0 to 1.3
    #[arg(long)]
    pub(super) accesses: bool,
    /// Write a timeline, .perfetto or .json for Perfetto, .kanata for Konata, .svg for a picture of the first 120 instructions: each warp's instructions and what it waits for
    #[arg(long, value_name = "FILE", value_parser = |name: &str| TimelineFile::new(name))]
    pub(super) timeline: Option<TimelineFile>,
    /// Write a snapshot of the whole machine at the beginning of a cycle, numbered as in the trace, and continue; only
    /// with rtl or compiled
    #[arg(long, num_args = 2, value_names = ["CYCLE", "FILE"])]
    pub(super) save_at: Option<Vec<OsString>>,
    /// Continue from a snapshot of the same kernel, with the same machine options
    #[arg(long, value_name = "FILE", conflicts_with = "timeline")]
    pub(super) from: Option<PathBuf>,
    #[command(flatten)]
    pub(super) source: SourceArguments,
    #[command(flatten)]
    pub(super) results: ResultArguments,
    #[command(flatten)]
    pub(super) outcome: OutcomeArguments,
}

impl RunArguments {
    /// The engine; it must support the other options.
    pub(super) fn engine(&self) -> Result<EngineName, Error> {
        let engine = self.engine_of_check()?;
        if self.is_with_snapshots() && !matches!(engine, EngineName::Rtl | EngineName::Compiled) {
            let message =
                "--save-at and --from are for the circuits as machine code; expected --engine rtl or compiled";
            return Err(Error::Usage(message.into()));
        }
        Ok(engine)
    }

    pub(super) fn is_with_snapshots(&self) -> bool {
        self.save_at.is_some() || self.from.is_some()
    }

    pub(super) fn save(&self) -> Result<Option<SaveAt>, Error> {
        let Some([cycle, file]) = self.save_at.as_deref() else {
            return Ok(None);
        };
        match cycle.to_string_lossy().parse() {
            Ok(cycle @ 1..) => Ok(Some(SaveAt {
                cycle,
                file: file.into(),
            })),
            _ => {
                let cycle = cycle.to_string_lossy();
                let message = format!("--save-at {cycle}: not a cycle of a run; expected 1 or more");
                Err(Error::Usage(message))
            }
        }
    }

    /// The processor to compare with, and OpenCL's build options.
    pub(super) fn other(&self, is_source: bool) -> Result<Option<(Cpu, String)>, Error> {
        match is_source {
            true => self.results.other(&self.machine.kernel.kernel, &self.source),
            false => Ok(None),
        }
    }

    /// Loads or compiles the kernel.
    pub(super) fn plan(&self, is_source: bool) -> Result<Job, Error> {
        let path = &self.machine.kernel.kernel;
        if !is_source {
            return self.machine.load_from(path);
        }
        let job = self.source.prepare(path, &self.machine, self.check)?;
        job.bound
            .iter()
            .try_for_each(|bound| self.results.check(&bound.placed))?;
        Ok(job)
    }

    /// The job with the options of this command, checked.
    pub(super) fn checked(&self, mut job: Job) -> Result<Job, Error> {
        job.options.check = self.check;
        job.options.save = self.save()?;
        job.options.from.clone_from(&self.from);
        job.options.timeline.clone_from(&self.timeline);
        job.check(&self.outcome.dump)?;
        Ok(job)
    }

    /// Compares the memory of a job without errors with another implementation, if there is one.
    pub(super) fn compare(&self, other: Option<&(Cpu, String)>, ran: &mut Ran) -> Result<(), Error> {
        if let (Some(other), Some(bound), None) = (other, &ran.bound, &ran.summary.error) {
            let sources = (self.machine.kernel.kernel.as_path(), &self.source);
            let comparison = self.results.compare(other, sources, bound, &ran.report.global)?;
            ran.summary.comparison = Some(comparison);
        }
        Ok(())
    }

    fn engine_of_check(&self) -> Result<EngineName, Error> {
        match (self.engine, self.check) {
            (None, false) => Ok(EngineName::Rtl),
            (None | Some(EngineName::Model), true) => Ok(EngineName::Model),
            (Some(engine), false) => Ok(engine),
            (Some(_), true) => {
                let message =
                    "--check is for the model; expected --engine model, or lockstep --check to check alongside another \
                     engine";
                Err(OpenClError::Usage(message.into()).into())
            }
        }
    }
}
