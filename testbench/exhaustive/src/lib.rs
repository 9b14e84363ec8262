//! The float and special function circuits against `flexgrip_arith`, over all inputs: `make exhaustive`.
//!
//! All 2^32 inputs of an operation are too many for a simulator that computes one at a time. So yosys synthesises the
//! circuit's Verilog to gates, and the gates are evaluated for 2,048 inputs at once, one in each bit of a wide word.
//! Operands with the same upper bits share a separate program: the logic that depends on these bits alone needs no gates.
//!
//! ```text
//!  circuit -- hdlkit --> Verilog -- yosys --> gates -- fix the control --> Program -- 2,048 inputs --> results
//!  (hdl)                 circuit.rs           netlist.rs    logic.rs       program.rs                     |
//!                                                                                                      compare
//!  cases, modes (cases, plan.rs) ----------------------------- flexgrip_arith --> expected results --------+
//! ```
//!
//! Both units are pipelines without loops and without stalls. Reading the gates proves that every path from an input to a
//! gate has the same number of registers; so a cycle's results are a function of the inputs some cycles before and of
//! nothing else, and registers can be ignored.
//!
//! Logic that depends on few bits at a time, like decode, is proven instead: its gates become decision diagrams
//! ([`bdd`]), which are compared as a whole (`hdl/tests/decode/proof`).
//!
//! [`conformance`] records the comparisons made with the circuits, here and elsewhere, for `docs/conformance.md`.
//!
//! The checked inputs are recorded in a file ([`state`]), so that an interrupted run resumes where it was. [`ports`] knows
//! where the fields of a structured port are.

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
