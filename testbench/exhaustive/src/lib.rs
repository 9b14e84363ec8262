//! Compares the float and special function circuits with `flexgrip_arith` over all inputs: `make exhaustive`.
//!
//! All 2^32 inputs of an operation are too many for a simulator that computes one at a time. So yosys synthesises the
//! circuit's Verilog to gates, which are evaluated for 2,048 inputs at once, one in each bit of a wide word. Operands
//! with the same upper bits share a specialised program: the logic that only depends on these bits needs no gates.
//!
//! ```text
//!  circuit -- hdlkit --> Verilog -- yosys --> gates -- fix the control --> Program -- 2,048 inputs --> results
//!  (hdl)                 circuit.rs           netlist.rs    logic.rs       program.rs                     |
//!                                                                                                      compare
//!  cases, modes (cases, plan.rs) ----------------------------- flexgrip_arith --> expected results --------+
//! ```
//!
//! Both units are pipelines without loops and stalls. Reading the gates proves that all paths from the inputs to a gate
//! have the same number of registers. So the results of a cycle only depend on the inputs a fixed number of cycles
//! before, and registers can be ignored.
//!
//! Logic that depends on few bits at a time, such as decode, is proven instead: its gates become decision diagrams
//! ([`bdd`]), which are compared as a whole (`hdl/tests/decode/proof`).
//!
//! [`conformance`] records the comparisons made with the circuits, here and elsewhere, for `docs/conformance.md`.
//!
//! The checked inputs are recorded in a file ([`state`]), from which an interrupted run resumes. [`ports`] finds the
//! fields of a structured port.

#![warn(missing_docs, clippy::unwrap_used)]

pub mod bdd;
pub mod cases;
pub mod circuit;
pub mod conformance;
pub mod logic;
pub mod netlist;
pub mod plan;
pub mod ports;
pub mod program;
pub mod run;
pub mod state;
