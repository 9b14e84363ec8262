//! Runs and steps, and the messages to the client when they stop.

use crate::debug::adapter::arguments;
use crate::debug::adapter::state::kinds::Kind;
use crate::debug::adapter::state::{Adapter, Answer, Exception, Motion};
use crate::debug::adapter::threads::{calls, warp};
use crate::debug::session::{DebugError, StepExtent, Stop};
use crate::debug::target::WarpId;
use flexgrip_engines::error::RunError;
use flexgrip_engines::trace::ending::Ending;
use serde_json::{json, Value};

impl Adapter<'_> {
    /// Runs a motion until it is complete or stopped.
    ///
    /// # Errors
    /// The machine cannot be stepped, or cannot move in this direction now.
    pub(super) fn go(&mut self, motion: Motion) -> Result<Stop, DebugError> {
        let session = self.session_mut();
        match motion {
            Motion::Start | Motion::Restart | Motion::Continue => session.forward(StepExtent::Continue),
            Motion::ReverseContinue => session.backward(StepExtent::Continue),
            Motion::In(step) => session.forward(step),
            Motion::Out => session.forward(StepExtent::Join),
            Motion::Back(step) => session.backward(step),
            Motion::Next(step) => self.step_over(step),
        }
    }

    /// A step that does not stop within calls.
    fn step_over(&mut self, step: StepExtent) -> Result<Stop, DebugError> {
        let depth = self.depth();
        let line = self.line();
        loop {
            let mut stop = self.session_mut().forward(step)?;
            let calls = self.depth() > depth;
            while stop == Stop::Done && self.depth() > depth {
                stop = self.session_mut().forward(StepExtent::Join)?;
                if self.queue.waiting().is_urgent() {
                    return Ok(Stop::Interrupted);
                }
            }
            // The line of a call may continue after the call.
            let goes_on = calls && step == StepExtent::Line && line.is_some() && self.line() == line;
            if stop != Stop::Done || !goes_on {
                return Ok(stop);
            }
        }
    }

    fn depth(&self) -> usize {
        self.session().warp_state().as_ref().map_or(0, calls)
    }

    fn line(&self) -> Option<u32> {
        let pc = self.session().warp_state()?.pc?;
        self.session().code().line(pc)
    }

    /// Tells the client why a run has stopped.
    pub(super) fn stopped_at(&mut self, stop: &Stop) {
        self.show_printed();
        let reason = self.console.reason(stop);
        let reason = reason.trim_end();
        match stop {
            Stop::Done => self.stopped("step", "stepped", None, &[]),
            Stop::WarpEnded(_) => self.stopped("step", reason, None, &[]),
            Stop::Beginning => self.stopped("entry", "the beginning", None, &[]),
            Stop::Limit(_) => self.stopped("pause", reason, None, &[]),
            Stop::Interrupted => self.stopped("pause", "paused", None, &[]),
            Stop::Point(hit) => {
                let ids: Vec<u32> = self
                    .placed
                    .iter()
                    .filter(|placed| placed.point == hit.point)
                    .map(|_| hit.point)
                    .collect();
                let kind = self
                    .placed
                    .iter()
                    .find(|placed| placed.point == hit.point)
                    .map(|placed| placed.kind);
                if let Some(Kind::Exception(filter)) = kind {
                    let text = hit.text.clone();
                    self.exception = Some(Exception {
                        id: filter.id,
                        text: text.clone(),
                    });
                    self.stopped("exception", filter.label, Some(&text), &[]);
                } else {
                    let reason = kind.map_or("breakpoint", Kind::reason);
                    self.stopped(reason, &hit.text, None, &ids);
                }
            }
            Stop::Ended => self.ended(),
        }
    }

    /// Shows what the kernel has printed.
    fn show_printed(&mut self) {
        let text = self.session_mut().take_printed();
        self.client.print(&text);
    }

    /// Reports that the grid has ended or failed. The session continues: the client may look at the state, and step
    /// back.
    fn ended(&mut self) {
        let Some(error) = self.failure() else {
            let text = self.ending();
            self.client.note(&text);
            self.stopped("end", "the grid has ended", Some(&text), &[]);
            return;
        };
        let text = error.0;
        // The warp may have left its SM.
        let _ = self.session_mut().set_warp(error.1);
        self.client.complain(&format!("the kernel has failed: {text}"));
        self.exception = Some(Exception {
            id: "error",
            text: text.clone(),
        });
        self.stopped("exception", "the kernel has failed", Some(&text), &[]);
    }

    /// The kernel's error and its warp, if the kernel has failed.
    fn failure(&self) -> Option<(String, WarpId)> {
        let Some(Ending::Failed(error)) = self.session().target().ending() else {
            return None;
        };
        let warp = WarpId {
            block: error.block,
            warp: error.warp_in_block,
        };
        Some((RunError::of_launch(&self.facts.launch, *error).to_string(), warp))
    }

    fn ending(&self) -> String {
        let target = self.session().target();
        let (time, unit) = (target.time(), target.clock().unit());
        format!("the grid has ended after {time} {unit}s")
    }

    /// Reports the end of a run without debugging.
    pub(super) fn ran(&mut self, stop: &Stop) {
        self.show_printed();
        let failure = self.failure();
        let code = match (stop, &failure) {
            (_, Some((text, _))) => {
                self.client.complain(&format!("the kernel has failed: {text}"));
                1
            }
            (Stop::Ended, None) => {
                let text = self.ending();
                self.client.note(&text);
                0
            }
            (stop, None) => {
                let text = self.console.reason(stop);
                self.client.complain(&text);
                1
            }
        };
        self.client.event("exited", json!({ "exitCode": code }));
        self.client.event("terminated", Value::Null);
    }

    /// Reports that the machine cannot be stepped.
    pub(super) fn failed(&mut self, error: &DebugError) {
        let text = error.to_string();
        self.client.complain(&text);
        self.exception = Some(Exception {
            id: "error",
            text: text.clone(),
        });
        self.stopped("exception", "the step has failed", Some(&text), &[]);
    }

    /// The body of a `stopped` event.
    pub(super) fn stop_of(&mut self, reason: &str, description: &str) -> Value {
        // The client will show the warp in the event.
        self.focus = self.session().warp();
        json!({
            "reason": reason,
            "description": description,
            "threadId": self.chosen_thread(),
            "allThreadsStopped": true,
        })
    }

    /// Tells the client that the session has stopped, the reason, and the breakpoints hit.
    pub(super) fn stopped(&mut self, reason: &str, description: &str, text: Option<&str>, points: &[u32]) {
        let mut body = self.stop_of(reason, description);
        if let Some(text) = text {
            body["text"] = text.into();
        }
        if !points.is_empty() {
            body["hitBreakpointIds"] = points.into();
        }
        self.client.event("stopped", body);
    }

    /// Handles `exceptionInfo`.
    ///
    /// # Errors
    /// The session has not stopped at an error.
    pub(super) fn exception_info(&self, arguments: arguments::Thread) -> Answer {
        warp(arguments.thread_id)?;
        let exception = self.exception.as_ref().ok_or("there is no exception here")?;
        Ok(json!({
            "exceptionId": exception.id,
            "description": exception.text,
            "breakMode": "always",
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::adapter::state::tests::with_adapter;

    const CALLS: &str = "\
    CAL double
    CAL double
    RET
double:
    IADD R1, R1, R1
    RET
";

    #[test]
    fn steps_over_and_into_calls_end_correctly() {
        with_adapter(CALLS, |mut adapter| {
            let mut lines = Vec::new();
            for motion in [
                Motion::Next(StepExtent::Line),
                Motion::In(StepExtent::Line),
                Motion::Next(StepExtent::Line),
                Motion::Out,
            ] {
                assert!(
                    matches!(adapter.go(motion), Ok(Stop::Done)),
                    "{motion:?} after {lines:?}"
                );
                lines.push(adapter.line().unwrap());
            }
            assert_eq!(lines, [2, 5, 6, 3]);
            assert!(matches!(adapter.go(Motion::Next(StepExtent::Line)), Ok(Stop::Ended)));
            assert_eq!(adapter.ending(), "the grid has ended after 7 instructions");
        });
    }

    #[test]
    fn the_first_instruction_stops_once() {
        with_adapter("first: MOV R1, R0\nRET\n", |mut adapter| {
            adapter.console.run("break first of 0.1").unwrap();
            adapter.console.run("break first").unwrap();
            let stop = adapter.go(Motion::Start);
            assert!(matches!(&stop, Ok(Stop::Point(hit)) if hit.point == 2), "{stop:?}");
            assert_eq!(adapter.session().target().time(), 0);
            assert!(matches!(adapter.go(Motion::Continue), Ok(Stop::Ended)));
        });
    }
}
