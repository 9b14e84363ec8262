//! Assembles records from the circuits' events, and passes them to an observer and a timeline.

use crate::engine::{Coalescing, Observer, Options};
use crate::error::RunError;
use crate::trace::ending::Ending;
use crate::trace::records::{splits, Records};
use crate::trace::times::Timed;
use flexgrip_machine::trace::Event;
use flexgrip_trace::timeline::file::TimelineError;
use flexgrip_trace::timeline::instruction::Unit;
use flexgrip_trace::timeline::run::Timeline;
use flexgrip_trace::timeline::writer::Machine;
use std::ops::ControlFlow;

/// Begins the timeline requested by the options, if there is one.
///
/// # Errors
/// The file cannot be created.
pub(super) fn begin_timeline(options: &Options, unit: Unit) -> Result<Option<Timeline>, TimelineError> {
    let Some(file) = &options.timeline else {
        return Ok(None);
    };
    let machine = Machine {
        unit,
        lanes: options.configuration.lanes.count(),
        sms: options.configuration.sms,
        strict: options.coalescing == Coalescing::G80,
    };
    Timeline::create(file, machine).map(Some)
}

/// The totals of the records passed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Recorded {
    pub records: u64,
    /// Threads that executed an instruction, summed over the records.
    pub threads: u64,
    /// Branches that split a warp.
    pub divergences: u64,
}

/// Assembles records and passes them on.
pub(super) struct Recorder<'a, 'b> {
    records: Records,
    observer: Option<&'a mut Observer<'b>>,
    timeline: Option<Timeline>,
    recorded: Recorded,
    stopped: bool,
}

impl<'a, 'b> Recorder<'a, 'b> {
    /// A recorder if there is an observer or a timeline, or if the run `saves` snapshots.
    ///
    /// # Errors
    /// The timeline's file cannot be created.
    pub(super) fn new(
        options: &Options,
        observer: Option<&'a mut Observer<'b>>,
        saves: bool,
    ) -> Result<Option<Self>, RunError> {
        let mut recorder = Recorder {
            records: Records::new(
                options.configuration.lanes.count(),
                options.configuration.sms,
                options.configuration.capability,
            ),
            observer,
            timeline: begin_timeline(options, Unit::Cycles)?,
            recorded: Recorded::default(),
            stopped: false,
        };
        if saves {
            recorder.records.keep_events();
        }
        Ok(Some(recorder).filter(|recorder| saves || recorder.is_wanted()))
    }

    /// True if there is an observer or a timeline.
    pub(super) fn is_wanted(&self) -> bool {
        self.observer.is_some() || self.timeline.is_some()
    }

    /// Events with their cycles and SMs that bring a new recorder to this state, for a recorder that saves.
    pub(super) fn events(&self) -> Vec<(u64, u32, Event)> {
        self.records.events()
    }

    /// Processes an event that [`Recorder::events`] of another recorder returned.
    ///
    /// # Errors
    /// The event is impossible.
    pub(super) fn restore(&mut self, cycle: u64, sm: u32, event: &Event) -> Result<(), RunError> {
        self.event(cycle, sm, event)
    }

    /// True after the observer has ended the run.
    pub(super) fn stopped(&self) -> bool {
        self.stopped
    }

    /// The totals so far.
    pub(super) fn recorded(&self) -> Recorded {
        self.recorded
    }

    /// Processes an event.
    ///
    /// # Errors
    /// The event is impossible.
    pub(super) fn event(&mut self, cycle: u64, sm: u32, event: &Event) -> Result<(), RunError> {
        if let (Event::Launch(_), Some(timeline)) = (event, &mut self.timeline) {
            timeline.launched(sm, cycle);
        }
        Ok(self.records.event(cycle, sm, event)?)
    }

    /// Passes on the records that are complete in cycle `now`, until the observer ends the run.
    ///
    /// # Errors
    /// The timeline cannot be written.
    pub(super) fn pass_on(&mut self, now: u64) -> Result<(), RunError> {
        let mut some = false;
        while !self.stopped {
            let Some(next) = self.records.next_record() else {
                break;
            };
            self.take(&next);
            some = true;
        }
        if let Some(timeline) = self.timeline.as_mut().filter(|_| some) {
            timeline.passed(self.records.earliest_issue(now))?;
        }
        Ok(())
    }

    fn take(&mut self, next: &Timed) {
        let record = &next.record;
        self.recorded.records += 1;
        self.recorded.threads += u64::from(record.executed.count_ones());
        self.recorded.divergences += u64::from(splits(record));
        if let Some(timeline) = &mut self.timeline {
            timeline.record(record, Some(&next.times));
        }
        if let Some(observer) = &mut self.observer {
            self.stopped = observer(record) == ControlFlow::Break(());
        }
    }

    /// Ends the recording in cycle `now`: passes on the records held back, and completes the timeline.
    ///
    /// # Errors
    /// The grid has ended, but a record is incomplete; or the timeline cannot be written.
    pub(super) fn finish(&mut self, ending: &Ending, now: u64) -> Result<(), RunError> {
        if *ending == Ending::Complete {
            self.records.check_complete(now)?;
        }
        for next in self.records.remaining() {
            if self.stopped {
                break;
            }
            self.take(&next);
        }
        Ok(self.timeline.take().map_or(Ok(()), Timeline::close)?)
    }
}
