//! The golden model as an engine.

use crate::engine::{Engine, Observer, Options};
use crate::error::RunError;
use crate::outcome::RunReport;
use crate::recorder::begin_timeline;
use crate::trace::ending::Ending;
use flexgrip_machine::{Launch, LaunchError, Retire};
use flexgrip_model::{InTurns, Machine};
use flexgrip_trace::timeline::file::TimelineError;
use flexgrip_trace::timeline::instruction::Unit;
use flexgrip_trace::timeline::run::Timeline;
use std::ops::ControlFlow;
use std::time::Instant;

/// The model with a launch, its checker, and the memory carried over, as the options request.
pub(crate) fn loaded(launch: &Launch, options: &Options) -> Result<Machine, LaunchError> {
    let mut machine = Machine::new(launch.clone(), options.configuration.clone())?;
    if options.check {
        machine.check();
    }
    if let Some(memory) = &options.memory {
        machine.carry_over(memory)?;
    }
    Ok(machine)
}

/// Runs launches on the golden model: one instruction at a time, no clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelEngine;

impl Engine for ModelEngine {
    fn name(&self) -> &'static str {
        "model"
    }

    /// [`Options::max_cycles`] limits the warp instructions. No instruction is executed after the record at which an
    /// observer ends the run. With several [`Options::jobs`] and no observer, independent blocks run in parallel, with
    /// the same outcome; a note is printed if the blocks are not independent.
    fn run(
        &mut self,
        launch: &Launch,
        options: &Options,
        observer: Option<&mut Observer>,
    ) -> Result<RunReport, RunError> {
        options.refuse_snapshots(self.name())?;
        options.refuse_protection(self.name())?;
        if options.wave.is_some() {
            let reason = "has no signals for waves; choose rtl or verilator".into();
            return Err(RunError::Unsupported {
                engine: self.name(),
                reason,
            });
        }
        let observed = observer.is_some() || options.timeline.is_some();
        if options.jobs.get() > 1 && observed {
            let reason = "traces instructions with one job only".into();
            return Err(RunError::Unsupported {
                engine: self.name(),
                reason,
            });
        }
        let mut machine = loaded(launch, options)?;
        machine.watch(options.watched.clone());
        let mut timeline = begin_timeline(options, Unit::Instructions)?;
        // Without an observer, the model reports no progress before its end.
        let counted = observed.then_some("warp instructions");
        options.progress.begin("running", counted);
        let start = Instant::now();
        let mut failed = Ok(());
        let result = match (observer, &mut timeline) {
            (None, None) => machine
                .run_parallel(options.max_cycles, options.jobs)
                .map(|(outcome, in_turns)| {
                    if let Some(reason) = in_turns.filter(|reason| *reason != InTurns::Stopped) {
                        let text = format!("the blocks ran one after another, not in parallel: {reason}");
                        options.progress.note(text);
                    }
                    ControlFlow::Continue(outcome)
                }),
            (observer, timeline) => {
                let mut executed = 0;
                // The timeline is first, so that it has the record at which an observer ends the run.
                let mut show = |record: &Retire| {
                    executed += 1;
                    options.progress.count(executed);
                    let Some(timeline) = timeline.as_mut() else {
                        return ControlFlow::Continue(());
                    };
                    failed = note(timeline, record, executed);
                    match failed {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(_) => ControlFlow::Break(()),
                    }
                };
                match observer {
                    None => machine.run_outlined(options.max_cycles, &mut show),
                    Some(observer) => machine.run_while(options.max_cycles, &mut |record| {
                        show(record)?;
                        observer(record)
                    }),
                }
            }
        };
        let wall = start.elapsed();
        failed?;
        timeline.map_or(Ok(()), Timeline::close)?;
        let ending = match result {
            Ok(ControlFlow::Break(())) => Ending::Stopped,
            Ok(ControlFlow::Continue(_)) => Ending::Complete,
            Err(error) => Ending::Failed(error),
        };
        Ok(RunReport::of_model(&machine, ending, wall))
    }
}

/// Adds the record of instruction `number`, from 1, to the timeline.
fn note(timeline: &mut Timeline, record: &Retire, number: u64) -> Result<(), TimelineError> {
    timeline.record(record, None);
    timeline.passed(number)
}
