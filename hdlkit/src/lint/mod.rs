//! Kernel lint: static checks for kernels that would run differently in Verilog, or not at all.
//!
//! `#[hdl_gen]` has names, not types, so a kernel can compile and still have no exact Verilog. The lint reports
//! everything that the exporter rejects, and enforces the rules that keep kernels readable in both languages:
//!
//! | rule | why |
//! |---|---|
//! | every signal is assigned, on every path | else it is a latch, or undriven |
//! | nothing is read before it is assigned | Rust sees the last pass's value, Verilog a latch or a loop |
//! | no input of a part is read: a `let` is used in both places | the cycle engine sees the last pass's value |
//! | clocks are connected, not computed | one clock, no gating |
//! | no piece of a kernel (`hdl_part`) of more than 150 assignments | it cannot be taken in at a glance |
//! | no reserved words, no signal above 64 bits | names survive into Verilog; wide signals are slow |
//! | every `match` ends in `_`, unless it names every variant | the reader need not count |

mod check;
mod finding;
mod flow;

pub use check::{lint, lint_with, LintOptions};
pub use finding::Finding;
