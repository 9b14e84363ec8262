//! A Debug Adapter Protocol server: a session for editors.
//!
//! | file | contents |
//! |---|---|
//! | `protocol.rs` | messages: their framing, the reader's queue, responses and events |
//! | `arguments.rs` | the arguments of requests; the launch configuration |
//! | `server.rs` | a connection: from `initialize` through a launch to its end |
//! | `requests.rs` | a launched session: calls the handler of each request, between runs and during them |
//! | `state/` | the state of such a session; the files below add its abilities |
//! | `motion.rs` | runs and steps, and the messages to the client when they stop |
//! | `breakpoints.rs` | breakpoints of all kinds, as breakpoints of the session |
//! | `threads.rs` | warps as threads, and their stacks |
//! | `variables.rs` | scopes and variables, and changes to them |
//! | `expressions.rs` | evaluation, and the console's commands |
//! | `memory.rs` | memories by reference |
//! | `disassembly.rs` | lists the program around an address |
//!
//! Conditions, changes and commands are texts in the language of the debugger's console, which executes them.

mod arguments;
mod breakpoints;
mod disassembly;
mod expressions;
mod memory;
mod motion;
mod protocol;
mod requests;
mod server;
mod state;
mod threads;
mod variables;

pub use arguments::{Configuration, Sizes};
pub use protocol::Gone;
pub use server::{serve, Loaded};
