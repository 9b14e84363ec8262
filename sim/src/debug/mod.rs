//! A debugging session: a launch that runs forward and backward, with access to its state at every step.
//!
//! | file | contents |
//! |---|---|
//! | `target.rs` | the interface of a machine: one step, a copy, access to warps and memories, changes |
//! | `model.rs` | the golden model, with a warp instruction per step |
//! | `circuits/` | the circuits as machine code, with a cycle per step; the registers and memories with a warp's state |
//! | `verilog/` | the circuits' Verilog under Verilator, with a cycle per step, forward only; a warp's state, from the trace |
//! | `tracker.rs` | the activity and the stall reason of each warp of the circuits, from the trace |
//! | `past.rs` | copies of the machine and manual changes, which restore every earlier moment |
//! | `value.rs` | registers, memory words, signals and numbers in commands and conditions |
//! | `code.rs` | instructions, labels and source lines |
//! | `points.rs` | breakpoints and watchpoints |
//! | `session.rs`, `open.rs` | the session itself: steps in both directions; opening a session |
//! | `printed.rs` | the output of `printf`, as soon as a call has executed |
//! | `command.rs`, `console.rs` | a session controlled by commands in text, for scripts and terminals |
//! | `terminal/` | a session on a full screen |
//! | `adapter/` | a session for editors, with the Debug Adapter Protocol |
//!
//! **Stepping backward** is running forward from an earlier copy: a launch always runs in the same way, so the machine
//! reaches the same moment again, bit for bit. Copies are made during the run, at most a few dozen; the longer the run,
//! the larger their distance.

pub mod adapter;
pub mod circuits;
pub mod code;
pub mod command;
pub mod console;
pub mod model;
pub mod open;
mod past;
pub mod points;
mod printed;
pub mod session;
pub mod target;
pub mod terminal;
mod tracker;
pub mod value;
pub mod verilog;
