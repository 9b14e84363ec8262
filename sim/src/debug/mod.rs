//! A debugging session: a launch that runs forwards and backwards, with a look at everything in between.
//!
//! | file | contents |
//! |---|---|
//! | `target.rs` | what a session needs of a machine: one step, a copy, a look at warps and memories, a change |
//! | `model.rs` | the golden model, a warp instruction a step |
//! | `circuits/` | the circuits as machine code, a cycle a step; where they keep what a warp has |
//! | `verilog/` | the circuits' Verilog under Verilator, a cycle a step, forwards only; what a warp has, from the trace |
//! | `tracker.rs` | what each warp of the circuits does, and what it waits for, from their trace |
//! | `past.rs` | copies of the machine on the way, and changes by hand: every earlier moment again |
//! | `value.rs` | registers, memory words, signals and numbers in commands and conditions |
//! | `code.rs` | instructions, labels and source lines |
//! | `points.rs` | where to stop |
//! | `session.rs`, `open.rs` | the session itself: stepping in both directions; opening one |
//! | `command.rs`, `console.rs` | a session by commands in text, for scripts and terminals |
//! | `terminal/` | a session on a full screen |
//! | `adapter/` | a session for editors, by the Debug Adapter Protocol |
//!
//! **Going back** is going forward from an earlier copy: a launch always runs the same way, so the same moment comes again,
//! to the last bit. Copies are made on the way, at most some tens of them; the longer a run, the farther apart.

pub mod adapter;
mod check;
pub mod circuits;
pub mod code;
pub mod command;
pub mod console;
pub mod model;
pub mod open;
mod past;
pub mod points;
pub mod session;
pub mod target;
pub mod terminal;
mod tracker;
pub mod value;
pub mod verilog;
