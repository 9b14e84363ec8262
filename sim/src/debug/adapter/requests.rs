//! Requests of a launched session, between runs and during them: calls the handler of each request by its name.

use crate::debug::adapter::arguments::{self, Granularity};
use crate::debug::adapter::protocol::{Gone, Incoming, Request};
use crate::debug::adapter::state::{Adapter, Answer, Halt, Motion};
use crate::debug::adapter::threads::{described, warp};
use crate::debug::session::{DebugError, StepExtent, Stop};
use serde_json::{json, Value};

/// The requests of a session, and the requests of the connection.
const REQUESTS: [&str; 34] = [
    "breakpointLocations",
    "completions",
    "configurationDone",
    "continue",
    "dataBreakpointInfo",
    "disassemble",
    "disconnect",
    "evaluate",
    "exceptionInfo",
    "initialize",
    "launch",
    "loadedSources",
    "next",
    "pause",
    "readMemory",
    "restart",
    "reverseContinue",
    "scopes",
    "setBreakpoints",
    "setDataBreakpoints",
    "setExceptionBreakpoints",
    "setExpression",
    "setFunctionBreakpoints",
    "setInstructionBreakpoints",
    "setVariable",
    "stackTrace",
    "stepBack",
    "stepIn",
    "stepOut",
    "terminate",
    "threads",
    "variables",
    "writeMemory",
    "attach",
];

/// True if a session may get this request.
pub(super) fn is_known(command: &str) -> bool {
    REQUESTS.contains(&command)
}

impl Adapter<'_> {
    /// Answers requests until the client disconnects.
    ///
    /// # Errors
    /// The client closes the connection without a `disconnect`.
    pub fn serve(mut self) -> Result<(), Gone> {
        loop {
            if let Some(gone) = self.client.failure() {
                return Err(gone);
            }
            if self.is_done {
                return Ok(());
            }
            match self.motion.take() {
                Some(motion) => self.run(motion)?,
                None => {
                    let message = self.queue.next();
                    self.take(message)?;
                }
            }
        }
    }

    /// Runs a motion, and tells the client why it has stopped.
    ///
    /// # Errors
    /// The client has gone.
    fn run(&mut self, motion: Motion) -> Result<(), Gone> {
        self.exception = None;
        self.halts = None;
        self.nodes.clear();
        if motion == Motion::Restart {
            self.is_configured = true;
            if let Err(error) = self.session_mut().go_to(0) {
                self.failed(&error);
                return Ok(());
            }
            let changes = self.session().edits().len();
            if changes > 0 {
                self.client.note(&format!(
                    "note: {changes} changes by `set` or `flip` were made; each is made again at its time"
                ));
            }
        }
        let motion = match motion {
            Motion::Start | Motion::Restart => {
                if self.facts.wanted.stop_on_entry && !self.facts.wanted.no_debug {
                    self.stopped("entry", "the beginning", None, &[]);
                    return Ok(());
                }
                Motion::Continue
            }
            motion => motion,
        };
        self.is_running = true;
        let result = self.go_on(motion);
        self.is_running = false;
        let halts = self.halts.take();
        match result? {
            None => {
                if halts == Some(Halt::Pause) {
                    self.stopped_at(&Stop::Interrupted);
                }
            }
            Some(Ok(stop)) if self.facts.wanted.no_debug => self.ran(&stop),
            Some(Ok(stop)) => self.stopped_at(&stop),
            Some(Err(error)) => self.failed(&error),
        }
        Ok(())
    }

    /// Runs until the motion stops, and answers requests meanwhile. `None` if a request has stopped it.
    fn go_on(&mut self, motion: Motion) -> Result<Option<Result<Stop, DebugError>>, Gone> {
        loop {
            self.nodes.clear();
            self.queue.waiting().set_resumes(motion == Motion::Continue);
            let result = self.go(motion);
            self.queue.waiting().set_resumes(false);
            let is_interrupted = match &result {
                Ok(stop) => *stop == Stop::Interrupted,
                // The session was interrupted on the way back to the cycle that it had found.
                Err(DebugError::Request(_)) => self.queue.waiting().is_urgent(),
                Err(DebugError::Run(_)) => false,
            };
            if !is_interrupted {
                return Ok(Some(result));
            }
            while let Some(message) = self.queue.next_now() {
                self.take(message)?;
                if self.halts.is_some() || self.is_done || self.motion.is_some() {
                    return Ok(None);
                }
            }
            if let Some(gone) = self.client.failure() {
                return Err(gone);
            }
        }
    }

    /// Answers a message.
    ///
    /// # Errors
    /// The client has gone.
    fn take(&mut self, message: Incoming) -> Result<(), Gone> {
        match message {
            Incoming::Request(request) => {
                let answer = self.answer(&request);
                self.client.respond(&request, answer);
                for (name, body) in std::mem::take(&mut self.events) {
                    self.client.event(name, body);
                }
            }
            Incoming::Unusable(what) => self.client.complain(&what),
            Incoming::Gone(gone) => {
                self.client.complain(&gone.to_string());
                return Err(gone);
            }
        }
        Ok(())
    }

    fn answer(&mut self, request: &Request) -> Answer {
        match request.command.as_str() {
            "initialize" => Err("the client is already initialized".into()),
            "launch" | "attach" => Err("a kernel is already launched; `restart` restarts it".into()),
            "configurationDone" => self.configuration_done(),
            "disconnect" => {
                self.is_done = true;
                Ok(Value::Null)
            }
            "terminate" => {
                self.halts = Some(Halt::Terminate);
                self.events.push(("terminated", Value::Null));
                Ok(Value::Null)
            }
            "restart" => {
                self.motion = Some(Motion::Restart);
                Ok(Value::Null)
            }
            "pause" => {
                let arguments::Thread { thread_id } = request.arguments()?;
                // All warps stop, whichever thread is named.
                warp(thread_id)?;
                self.halts = Some(Halt::Pause);
                Ok(Value::Null)
            }
            "continue" | "reverseContinue" | "next" | "stepIn" | "stepOut" | "stepBack" => self.motion(request),
            "threads" => Ok(self.threads()),
            "stackTrace" => self.stack_trace(request.arguments()?),
            "scopes" => self.scopes(request.arguments()?),
            "variables" => self.variables(request.arguments()?),
            "setVariable" => self.set_variable(request.arguments()?),
            "evaluate" => self.evaluate(request.arguments()?),
            "setExpression" => self.set_expression(request.arguments()?),
            "completions" => Ok(self.completions(request.arguments()?)),
            "exceptionInfo" => self.exception_info(request.arguments()?),
            "setBreakpoints" => self.set_breakpoints(request.arguments()?),
            "setInstructionBreakpoints" => Ok(self.set_instruction_breakpoints(request.arguments()?)),
            "setFunctionBreakpoints" => Ok(self.set_function_breakpoints(request.arguments()?)),
            "setDataBreakpoints" => Ok(self.set_data_breakpoints(request.arguments()?)),
            "setExceptionBreakpoints" => Ok(self.set_exception_breakpoints(request.arguments()?)),
            "dataBreakpointInfo" => self.data_breakpoint_info(request.arguments()?),
            "breakpointLocations" => self.breakpoint_locations(request.arguments()?),
            "disassemble" => self.disassemble(request.arguments()?),
            "readMemory" => self.read_memory(request.arguments()?),
            "writeMemory" => self.write_memory(request.arguments()?),
            "loadedSources" => {
                let sources: Vec<Value> = self.facts.source.iter().map(|path| described(path)).collect();
                Ok(json!({ "sources": sources }))
            }
            command => Err(format!("the request `{command}` is not supported")),
        }
    }

    fn configuration_done(&mut self) -> Answer {
        if self.is_configured {
            return Err("the configuration is already done".into());
        }
        self.is_configured = true;
        self.motion = Some(Motion::Start);
        Ok(Value::Null)
    }

    /// Handles requests that run the kernel, in either direction.
    fn motion(&mut self, request: &Request) -> Answer {
        if self.is_running {
            return Err("the kernel is running".into());
        }
        if !self.is_configured {
            return Err("the kernel cannot run before `configurationDone`".into());
        }
        let step: arguments::Step = request.arguments()?;
        match request.command.as_str() {
            // All warps run, whichever thread is named, and even if it has ended.
            "continue" | "reverseContinue" => {
                warp(step.thread_id)?;
            }
            _ => self.choose(step.thread_id)?,
        }
        if matches!(request.command.as_str(), "reverseContinue" | "stepBack") {
            let checked = self.session().check_goes_back();
            checked.map_err(|error| error.to_string())?;
        }
        let has_lines = self.session().code().source.is_some();
        let by = match step.granularity {
            Granularity::Statement | Granularity::Line if has_lines => StepExtent::Line,
            _ => StepExtent::Instruction,
        };
        let motion = match request.command.as_str() {
            "continue" => Motion::Continue,
            "reverseContinue" => Motion::ReverseContinue,
            "next" => Motion::Next(by),
            "stepIn" => Motion::In(by),
            "stepBack" => Motion::Back(by),
            _ => {
                let warp = self.session().warp_state();
                if warp.is_none_or(|warp| warp.stack.is_empty()) {
                    let message =
                        "a step out runs to where the warp's paths reconverge; all of its threads are on one path";
                    return Err(message.into());
                }
                Motion::Out
            }
        };
        self.motion = Some(motion);
        Ok(match motion {
            Motion::Continue => json!({ "allThreadsContinued": true }),
            _ => Value::Null,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::adapter::state::tests::with_adapter;

    #[test]
    fn every_known_request_is_handled() {
        with_adapter("RET\n", |mut adapter| {
            let request = |command: &str| Request {
                seq: 1,
                command: command.into(),
                arguments: Value::Null,
            };
            for command in REQUESTS {
                if let Err(error) = adapter.answer(&request(command)) {
                    assert!(!error.contains("is not supported"), "{error}");
                }
            }
            for command in ["goto", "cancel", "", "Next"] {
                let error = adapter.answer(&request(command)).unwrap_err();
                assert!(error.contains("is not supported"), "{error}");
            }
        });
    }
}
