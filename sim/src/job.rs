//! A job: the launches of a kernel on an engine, from the plan to the report.
//!
//! ```text
//! launch file, or OpenCL C with arguments ──> Job ── run ───────> Ran: memory, Summary ──> text, JSON
//!                                              └──── lockstep ──> RunReport, the first difference
//! ```

use crate::error::Error;
use crate::opencl::argument::{Bound, Given};
use crate::opencl::error::OpenClError;
use crate::opencl::printed::{read_bytes, Output};
use crate::performance::accesses::Accesses;
use crate::report::Summary;
use flexgrip_compiler::launch::words;
use flexgrip_compiler::printf::records::{Extent, Printer};
use flexgrip_engines::check::Findings;
use flexgrip_engines::engine::{Engine, Observer, Options};
use flexgrip_engines::files::dump::Dump;
use flexgrip_engines::files::launch::Kernel;
use flexgrip_engines::files::program::SourceLines;
use flexgrip_engines::lockstep;
use flexgrip_engines::outcome::RunReport;
use flexgrip_engines::progress::{described, Watch};
use flexgrip_engines::trace::ending::Ending;
use flexgrip_engines::trace::file::Trace;
use flexgrip_engines::trace::lockstep::LockstepDifference;
use flexgrip_machine::Retire;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The launches of a kernel, with the options of the engine that runs them.
#[derive(Clone, Debug)]
pub struct Job {
    /// The launches, at least one: each continues with the memory left by the previous one. Only OpenCL C, which has no
    /// expectations, has several.
    pub launches: Vec<Kernel>,
    /// The machine, and the options of the engine.
    pub options: Options,
    /// The arguments of a kernel in OpenCL C. The guards between its buffers must not be overwritten.
    pub bound: Option<Bound>,
    /// The file for the trace; `-` is standard output.
    pub trace: Option<PathBuf>,
    /// True to count memory transactions by instruction.
    pub accesses: bool,
    /// The engine's first stage, to show the progress from there on; `None` to show none.
    pub stage: Option<&'static str>,
}

/// A job that has run.
#[derive(Debug)]
pub struct Ran {
    /// The last launch.
    pub kernel: Kernel,
    /// The outcome of all launches.
    pub report: RunReport,
    /// The summary of the outcome, with the verdict on the expected results and the output of `printf`.
    pub summary: Summary,
    /// The options of the job.
    pub options: Options,
    /// The arguments of a kernel in OpenCL C.
    pub bound: Option<Bound>,
}

impl Job {
    /// A job of one launch.
    #[must_use]
    pub fn of_launch(kernel: Kernel, options: Options) -> Job {
        Job {
            launches: vec![kernel],
            options,
            bound: None,
            trace: None,
            accesses: false,
            stage: None,
        }
    }

    /// Checks that the machine can run all launches, and has the memory for `dumps`.
    ///
    /// # Errors
    /// The first launch that does not fit, with its location, or the first dump.
    pub fn check(&self, dumps: &[Dump]) -> Result<(), Error> {
        let machine = &self.options.configuration;
        self.launches.iter().try_for_each(|kernel| kernel.check(machine))?;
        Ok(dumps.iter().try_for_each(|dump| dump.check(machine.global_bytes))?)
    }

    /// Checks the only launch, for a comparison or a debugger.
    ///
    /// # Errors
    /// There are several launches, or the errors of [`Job::check`].
    pub fn single(&self) -> Result<&Kernel, Error> {
        let [kernel] = self.launches.as_slice() else {
            let message =
                "each slice of a third dimension is a launch, and so is each part of a large grid; expected one launch";
            return Err(OpenClError::Usage(message.into()).into());
        };
        self.check(&[]).map(|()| kernel)
    }

    /// The same launch with other input: see [`Kernel::with_input`].
    ///
    /// # Errors
    /// The errors of [`Kernel::with_input`].
    pub fn with_input(&self, file: &Path) -> Result<Job, Error> {
        let launches = self.launches.iter().map(|kernel| kernel.with_input(file));
        Ok(Job {
            launches: launches.collect::<Result<_, _>>()?,
            ..self.clone()
        })
    }

    /// Refills the random buffers of a kernel in OpenCL C from a seed; false if there are none.
    pub fn reseed(&mut self, given: &[Given], seed: u64) -> bool {
        let Some(bound) = self.bound.as_mut() else { return false };
        let is_random = bound.placed.reseed(given, seed);
        // The buffers are the last memory image of the first launch.
        let images = self.launches.first_mut().map(|kernel| &mut kernel.launch.memory);
        if let Some(image) = images.and_then(|images| images.last_mut()).filter(|_| is_random) {
            image.words = words(&bound.placed.memory);
        }
        is_random
    }

    /// Runs the launches, each on the memory left by the previous one, until one fails or overwrites a guard.
    ///
    /// # Errors
    /// The engine could not run a launch, or the trace could not be written. A kernel that fails is not an error here.
    pub fn run(self, engine: &mut dyn Engine) -> Result<Ran, Error> {
        self.observed(engine, Job::launch)
    }

    /// Runs the only launch in lockstep with the golden model, like [`lockstep::run`].
    ///
    /// # Errors
    /// The errors of [`Job::single`] and [`Job::run`].
    pub fn lockstep(self, engine: &mut dyn Engine) -> Result<(RunReport, u64, Option<LockstepDifference>), Error> {
        self.observed(engine, |job, engine, mut observer| {
            let launch = &job.single()?.launch;
            Ok(lockstep::run(engine, launch, &job.options, |record| {
                if let Some(observer) = &mut observer {
                    // A write error is reported when the trace is closed; the comparison continues.
                    let _ = observer(record);
                }
            })?)
        })
    }

    /// Runs with the timeline's names, the progress and the trace.
    fn observed<T>(
        mut self,
        engine: &mut dyn Engine,
        run: impl FnOnce(Job, &mut dyn Engine, Option<&mut Observer>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let first = self.launches.first();
        let source = first.and_then(|kernel| kernel.source.as_ref());
        let places = || source.map_or_else(BTreeMap::new, SourceLines::places);
        if let (Some(timeline), Some(kernel)) = (&mut self.options.timeline, first) {
            timeline.title = format!("{} on {}", kernel.launch.name, engine.name());
            timeline.places = places();
        }
        let mut trace = self.trace.as_deref().map(Trace::open).transpose()?;
        let watch = self.stage.map(|stage| {
            let watch = Watch::start(true, engine.name(), stage);
            let places = places();
            self.options.progress = watch.progress();
            self.options.watched = watch.watched(move |warps| described(&places, warps));
            watch
        });
        let done = match &mut trace {
            None => run(self, engine, None),
            Some(trace) => run(self, engine, Some(&mut |record| trace.record(record))),
        }?;
        drop(watch);
        trace.map_or(Ok(()), Trace::close)?;
        Ok(done)
    }

    fn launch(mut self, engine: &mut dyn Engine, mut observer: Option<&mut Observer>) -> Result<Ran, Error> {
        let printing = self.launches.first().and_then(|kernel| kernel.printing.as_ref());
        let printer = printing.map(Printer::new).transpose();
        let mut printer = printer.map_err(OpenClError::Usage)?;
        let is_observed = self.accesses || observer.is_some();
        let mut accesses = self.accesses.then(|| Accesses::new(&self.options));
        let mut observe = |record: &Retire| {
            if let Some(accesses) = &mut accesses {
                accesses.record(record);
            }
            observer
                .as_deref_mut()
                .map_or(ControlFlow::Continue(()), |observer| observer(record))
        };
        let mut last: Option<(Kernel, RunReport)> = None;
        let mut check: Option<Findings> = None;
        let mut overwritten = None;
        for mut kernel in self.launches {
            if let Some((_, before)) = &mut last {
                self.options.memory = Some(std::mem::take(&mut before.global));
                let written = before.check.iter().flat_map(|check| &check.written);
                for (region, written) in kernel.launch.facts.regions.iter_mut().zip(written) {
                    region.written.clone_from(written);
                }
            }
            let observer: Option<&mut Observer> = if is_observed { Some(&mut observe) } else { None };
            let mut report = engine.run(&kernel.launch, &self.options, observer)?;
            if let Some(printer) = &mut printer {
                collect(printer, &Extent::from(&kernel.launch), &mut report.global);
            }
            if let Some(found) = report.check.as_ref().map(|check| Findings::new(&kernel, check)) {
                match &mut check {
                    Some(check) => check.append(found),
                    None => check = Some(found),
                }
            }
            let is_complete = report.ending == Ending::Complete;
            // With a checker, the overwritten guard is already a finding, with its location.
            let guarded = self.bound.as_ref().filter(|_| is_complete && !self.options.check);
            overwritten = guarded.and_then(|bound| bound.placed.placement.overwritten_words(&report.global));
            let report = match last {
                Some((_, before)) => report.after(&before),
                None => report,
            };
            last = Some((kernel, report));
            if !is_complete || overwritten.is_some() {
                break;
            }
        }
        let Some((kernel, report)) = last else {
            return Err(OpenClError::Usage("there is no kernel to run".into()).into());
        };
        let machine = &self.options.configuration;
        let mut summary = Summary::new(&kernel, engine.name(), machine.lanes.count(), machine.sms, &report);
        if let Some(overwritten) = overwritten {
            let (path, name) = (kernel.path.display(), &kernel.launch.name);
            summary.refuse(format!("{path}: kernel {name} {overwritten}; --check names the line"));
        }
        summary.check = check;
        summary.accesses = accesses.map(|accesses| accesses.finish(kernel.source.as_ref()));
        summary.printed = printer.map(|printer| Output::from(printer.finish()));
        Ok(Ran {
            kernel,
            report,
            summary,
            options: Options {
                memory: None,
                ..self.options
            },
            bound: self.bound,
        })
    }
}

/// Takes the records of a launch out of global memory, and clears the buffer for the next.
fn collect(printer: &mut Printer, extent: &Extent, memory: &mut [u32]) {
    printer.collect(extent, &mut |at, bytes| read_bytes(memory, at, bytes));
    let all = printer.range(extent);
    if let Some(buffer) = memory.get_mut(all.start as usize / 4..all.end as usize / 4) {
        buffer.fill(0);
    }
}
