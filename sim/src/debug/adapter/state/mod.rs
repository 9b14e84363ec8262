//! The state of a launched session, shared by all requests. It is independent of the requests.
//!
//! | file | contents |
//! |---|---|
//! | `facts.rs` | the constants: the launch, the client's abilities, the program's labels |
//! | `kinds.rs` | the kinds of breakpoints, and the exception filters |
//! | `nodes.rs` | the numbers of everything that a client can expand |

pub(super) mod facts;
pub(super) mod kinds;
pub(super) mod nodes;

use crate::debug::adapter::protocol::{Client, Queue};
use crate::debug::adapter::state::facts::Facts;
use crate::debug::adapter::state::kinds::Placed;
use crate::debug::adapter::state::nodes::Nodes;
use crate::debug::console::Console;
use crate::debug::session::{Session, StepExtent};
use crate::debug::target::WarpId;
use serde_json::Value;

/// A session that handles requests.
pub(super) struct Adapter<'a> {
    pub console: Console,
    pub client: &'a mut Client,
    pub queue: &'a mut Queue,
    pub facts: Facts,
    pub nodes: Nodes,
    /// The breakpoints of the client.
    pub placed: Vec<Placed>,
    /// The paths of all signals, after the first request for them.
    pub signals: Option<Vec<String>>,
    /// The warp of the frame that the client last showed.
    pub focus: Option<WarpId>,
    /// The error at which the session has stopped.
    pub exception: Option<Exception>,
    /// The motion to run after the answer.
    pub motion: Option<Motion>,
    /// The events to send after the answer.
    pub events: Vec<(&'static str, Value)>,
    pub is_configured: bool,
    pub is_running: bool,
    /// The client's request to stop a run, if there is one.
    pub halts: Option<Halt>,
    /// True after the client has disconnected.
    pub is_done: bool,
}

/// The way in which a run should stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// The run can be continued.
    Pause,
    /// The run is over.
    Terminate,
}

/// The answer to a request: its body, or an error message.
pub(super) type Answer = Result<Value, String>;

impl<'a> Adapter<'a> {
    /// A session before the first request.
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

    /// The debugging session, for reading.
    pub(super) fn session(&self) -> &Session {
        &self.console.session
    }

    /// The session, to change it.
    pub(super) fn session_mut(&mut self) -> &mut Session {
        &mut self.console.session
    }
}

/// A motion of the kernel. Steps are for the selected warp; the other warps run meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    /// Begin, after the client has set its breakpoints.
    Start,
    /// Restart the kernel.
    Restart,
    /// Run to the next breakpoint.
    Continue,
    /// Run back to the previous breakpoint.
    ReverseContinue,
    /// Step over calls.
    Next(StepExtent),
    /// Step into calls.
    In(StepExtent),
    /// Run to the end of the current path, where it joins the others.
    Out,
    /// Step backward.
    Back(StepExtent),
}

/// The error at which the session has stopped, for `exceptionInfo`.
#[derive(Clone, Debug)]
pub(super) struct Exception {
    /// The filter's name; `error` for an error of the kernel.
    pub id: &'static str,
    /// The description of the error.
    pub text: String,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::debug::adapter::state::facts::tests::facts;
    use crate::debug::code::Code;
    use crate::debug::model::ModelTarget;
    use flexgrip_engines::engine::Options;
    use flexgrip_engines::files::program::SourceLines;
    use flexgrip_isa::assemble;
    use flexgrip_machine::Launch;
    use std::path::Path;

    /// A client that sends nothing and stays connected.
    struct Silence;

    impl std::io::Read for Silence {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            loop {
                std::thread::park();
            }
        }
    }

    /// Calls `work` with a session of one warp, and a client that sends nothing.
    pub(in crate::debug::adapter) fn with_adapter(text: &str, work: impl FnOnce(Adapter)) {
        let program = assemble(text, "t.sass").unwrap();
        let source = SourceLines::of(&program, Path::new("t.sass")).unwrap();
        let code = Code::of_source(&program.words, program.capability, &source, text);
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
}
