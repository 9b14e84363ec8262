//! The state of a launched session, which every request works on. Nothing here knows the requests.
//!
//! | file | contents |
//! |---|---|
//! | `facts.rs` | what stays the same: the launch, the client's abilities, the program's labels |
//! | `kinds.rs` | the kinds of breakpoints, and what may stop a kernel without one |
//! | `nodes.rs` | the numbers of everything that a client may look into |

pub(super) mod facts;
pub(super) mod kinds;
pub(super) mod nodes;

use crate::debug::adapter::protocol::{Client, Queue};
use crate::debug::adapter::state::facts::Facts;
use crate::debug::adapter::state::kinds::Placed;
use crate::debug::adapter::state::nodes::Nodes;
use crate::debug::console::Console;
use crate::debug::session::{Session, Step};
use crate::debug::target::WarpId;
use serde_json::Value;

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

    /// The session below.
    pub(super) fn session(&self) -> &Session {
        &self.console.session
    }

    /// The same, to change it.
    pub(super) fn session_mut(&mut self) -> &mut Session {
        &mut self.console.session
    }
}

/// What a client lets a kernel do. Steps are of the chosen warp; the others go on meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    /// Begin, once the client has set its breakpoints.
    Start,
    /// Begin again.
    Restart,
    /// To the next point.
    Continue,
    /// Back to the point before.
    ReverseContinue,
    /// A step over calls.
    Next(Step),
    /// A step into calls.
    In(Step),
    /// To where the paths join.
    Out,
    /// A step back.
    Back(Step),
}

/// Why a session stands as it does, for `exceptionInfo`.
#[derive(Clone, Debug)]
pub(super) struct Exception {
    /// The filter's name; `error` for the kernel's.
    pub id: &'static str,
    /// What has happened.
    pub text: String,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::debug::adapter::state::facts::tests::facts;
    use crate::debug::code::Code;
    use crate::debug::model::ModelTarget;
    use crate::engines::engine::Options;
    use crate::files::program::SourceLines;
    use flexgrip_isa::assemble;
    use flexgrip_machine::Launch;
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
}
