//! The circuits of floats and special functions against `flexgrip_arith`, over all inputs: `make exhaustive`.
//!
//! All 2^32 inputs of an operation are too many for a simulator that computes one of them at a time. So the circuit's
//! Verilog is synthesised to gates by yosys, and the gates are evaluated for 2,048 inputs at once, one in each bit of a
//! wide word. Operands whose upper bits are the same have a program of their own: what these bits decide needs no gates.
//!
//! ```text
//!  circuit -- hdlkit --> Verilog -- yosys --> gates -- fix the control --> Program -- 2,048 inputs --> results
//!  (hdl)                 circuit.rs           netlist.rs    logic.rs       program.rs                     |
//!                                                                                                      compare
//!  cases, modes (cases, plan.rs) ----------------------------- flexgrip_arith --> expected results --------+
//! ```
//!
//! Both units are pipelines without a loop and without a stall. Reading the gates establishes that every way from an
//! input to a gate has the same number of registers; so a cycle's results are a function of the inputs some cycles
//! before and of nothing else, and registers can be passed over.
//!
//! What depends on few bits at a time, as decode does, is proven instead: its gates become decision diagrams ([`bdd`]),
//! which are compared as a whole (`hdl/tests/decode_proof`).
//!
//! [`conformance`] keeps what the circuits have been compared with, here and elsewhere, for `docs/conformance.md`.
//!
//! What was checked is kept in a file ([`state`]), so that a run that was interrupted goes on where it was.

pub mod bdd;
pub mod cases;
pub mod circuit;
pub mod conformance;
pub mod files;
pub mod logic;
pub mod netlist;
pub mod plan;
pub mod ports;
pub mod program;
pub mod run;
pub mod state;
