//! A launched session: which request does what, by name.

use crate::debug::adapter::arguments::{self, Configuration, Granularity};
use crate::debug::adapter::breakpoints::Placed;
use crate::debug::adapter::motion::{Exception, Motion};
use crate::debug::adapter::protocol::{Client, Gone, Incoming, Queue, Request};
use crate::debug::adapter::server::Abilities;
use crate::debug::adapter::threads::{described, warp, Nodes, Symbols};
use crate::debug::code::Code;
use crate::debug::console::Console;
use crate::debug::session::{Session, Step};
use crate::debug::target::WarpId;
use flexgrip_machine::Launch;
use serde_json::{json, Value};
use std::path::PathBuf;

/// The requests of a session, besides those of the connection.
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

/// Whether a request is one that a session may have.
pub(super) fn is_known(command: &str) -> bool {
    REQUESTS.contains(&command)
}

/// What stays the same through a session.
pub(super) struct Facts {
    /// What runs.
    pub launch: Launch,
    /// How it was asked for.
    pub wanted: Configuration,
    /// What the client can do.
    pub abilities: Abilities,
    /// The program's source, with its whole path.
    pub source: Option<PathBuf>,
    /// The program's labels.
    pub symbols: Symbols,
}

impl Facts {
    /// Of a launch.
    pub fn new(launch: &Launch, code: &Code, wanted: Configuration, abilities: Abilities) -> Self {
        let labels = code.statements();
        let labels = labels.filter_map(|(pc, _)| Some((pc, code.label(pc)?.to_string())));
        let source = code.source.as_ref().map(|source| source.path.clone());
        Facts {
            launch: launch.clone(),
            wanted,
            abilities,
            source: source.map(|path| std::path::absolute(&path).unwrap_or(path)),
            symbols: Symbols::new(labels),
        }
    }

    /// A line's number as the client counts.
    pub fn line_to_client(&self, line: u32) -> Value {
        (i64::from(line) - 1 + self.abilities.first_line).into()
    }

    /// A line's number, from 1, of the client's.
    ///
    /// # Errors
    /// There is no such line in any file.
    pub fn line_of_client(&self, line: i64) -> Result<u32, String> {
        let ours = line
            .checked_sub(self.abilities.first_line)
            .and_then(|line| line.checked_add(1));
        let ours = ours.and_then(|line| u32::try_from(line).ok()).filter(|line| *line > 0);
        ours.ok_or_else(|| format!("there is no line {line}"))
    }
}

/// A session that takes requests.
pub(super) struct Adapter<'a> {
    pub console: Console,
    pub client: &'a mut Client,
    pub queue: &'a mut Queue,
    pub facts: Facts,
    pub nodes: Nodes,
    /// The breakpoints of the client.
    pub placed: Vec<Placed>,
    /// The names of all signals, once they were asked for.
    pub signals: Option<Vec<String>>,
    /// The warp of the frame that the client showed last.
    pub focus: Option<WarpId>,
    /// The error that the session stands at.
    pub exception: Option<Exception>,
    /// What follows the answer.
    pub motion: Option<Motion>,
    /// Events that follow the answer.
    pub events: Vec<(&'static str, Value)>,
    pub is_configured: bool,
    pub is_running: bool,
    /// The client wants a run to stop.
    pub halts: Option<Halt>,
    /// The client has disconnected.
    pub is_done: bool,
}

/// How a run is to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// To be looked at.
    Pause,
    /// For good.
    Terminate,
}

/// A request's answer: the body, or what is wrong.
pub(super) type Answer = Result<Value, String>;

impl<'a> Adapter<'a> {
    /// A session with nothing done yet.
    pub fn new(session: Session, client: &'a mut Client, queue: &'a mut Queue, facts: Facts) -> Self {
        Adapter {
            console: Console { session },
            client,
            queue,
            facts,
            nodes: Nodes::new(),
            placed: Vec::new(),
            signals: None,
            focus: None,
            exception: None,
            motion: None,
            events: Vec::new(),
            is_configured: false,
            is_running: false,
            halts: None,
            is_done: false,
        }
    }

    pub(super) fn session(&self) -> &Session {
        &self.console.session
    }

    pub(super) fn session_mut(&mut self) -> &mut Session {
        &mut self.console.session
    }

    /// Answers requests until the client disconnects.
    ///
    /// # Errors
    /// It goes without.
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

    /// Answers a message.
    ///
    /// # Errors
    /// The client has gone.
    pub(super) fn take(&mut self, message: Incoming) -> Result<(), Gone> {
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
            "initialize" => Err("this client is initialized already".into()),
            "launch" | "attach" => Err("a kernel is launched already; `restart` begins again".into()),
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
                // Every warp stops, whichever is named.
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
            return Err("the configuration is done already".into());
        }
        self.is_configured = true;
        self.motion = Some(Motion::Start);
        Ok(Value::Null)
    }

    /// Requests that let the kernel run, or run back.
    fn motion(&mut self, request: &Request) -> Answer {
        if self.is_running {
            return Err("the kernel is running".into());
        }
        if !self.is_configured {
            return Err("`configurationDone` comes before the kernel runs".into());
        }
        let step: arguments::Step = request.arguments()?;
        match request.command.as_str() {
            // All warps go, whichever is named, and whether or not it is still there.
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
            Granularity::Statement | Granularity::Line if has_lines => Step::Line,
            _ => Step::Instruction,
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
                    let message = "a step out goes to where the warp's paths join; its threads are all on one path";
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
pub(super) mod tests {
    use super::*;
    use crate::debug::model::ModelTarget;
    use crate::engines::engine::Options;
    use crate::files::program::SourceLines;
    use flexgrip_isa::assemble;
    use std::path::Path;

    /// A client that says nothing, and stays.
    struct Silence;

    impl std::io::Read for Silence {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            loop {
                std::thread::park();
            }
        }
    }

    pub(in crate::debug::adapter) fn facts(launch: &Launch, code: &Code, first: i64) -> Facts {
        let abilities = Abilities {
            first_line: first,
            first_column: first,
            invalidated: false,
        };
        Facts::new(launch, code, Configuration::default(), abilities)
    }

    /// Calls `work` with a session of one warp, and a client that hears and says nothing.
    pub(in crate::debug::adapter) fn with_adapter(text: &str, work: impl FnOnce(Adapter)) {
        let program = assemble(text, "t.sass").unwrap();
        let source = SourceLines::of(&program, Path::new("t.sass")).unwrap();
        let code = Code::of_source(&program.words, &source, text);
        let launch = Launch {
            name: "t".into(),
            program: program.words,
            registers: 4,
            grid: [1, 1],
            block: [32, 1, 1],
            ..Launch::default()
        };
        let facts = facts(&launch, &code, 1);
        let target = ModelTarget::new(launch, Options::default().configuration).unwrap();
        let session = Session::new(Box::new(target), code, 1000, Box::new(|| false));
        let mut client = Client::new(std::io::sink());
        let mut queue = Queue::read(Silence).unwrap();
        work(Adapter::new(session, &mut client, &mut queue, facts));
    }

    #[test]
    fn every_request_that_is_known_is_carried_out() {
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

    #[test]
    fn lines_are_counted_as_the_client_does() {
        for (first, theirs, ours) in [(1, 1, 1), (1, 7, 7), (0, 0, 1), (0, 6, 7)] {
            let facts = facts(&Launch::default(), &Code::default(), first);
            assert_eq!(facts.line_to_client(ours), theirs);
            assert_eq!(facts.line_of_client(theirs), Ok(ours));
            for line in [first - 1, i64::MIN, i64::MAX] {
                assert!(facts.line_of_client(line).is_err(), "{line}");
            }
        }
    }
}
