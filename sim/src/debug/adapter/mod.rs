//! A Debug Adapter Protocol server: a session for editors.
//!
//! | file | contents |
//! |---|---|
//! | `protocol.rs` | messages: their framing, the reader's queue, responses and events |
//! | `arguments.rs` | what belongs to requests; the launch configuration |
//! | `server.rs` | a connection: from initialize through a launch to its end |
//! | `requests.rs` | a launched session: which request does what, by name; between runs and during them |
//! | `state/` | what such a session has; the files below add to what it can do |
//! | `motion.rs` | runs and steps, and what a client is told when they stop |
//! | `breakpoints.rs` | breakpoints of all kinds, as points of the session |
//! | `threads.rs` | warps as threads, and their stacks |
//! | `variables.rs` | scopes and variables, and changes to them |
//! | `expressions.rs` | evaluation, and the console's commands |
//! | `memory.rs` | memories by reference |
//! | `disassembly.rs` | the program around an address |
//!
//! What the console can do is done by it: conditions, changes and commands are texts in its language.

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
