//! Faults in the [`circuits`], from flipped or stuck bits, and faults in instructions, on the golden model
//! ([`instruction`]).
//!
//! [`setup`] contains what both share: a kernel, its machine and its limit of cycles. [`verdict`] compares the end of a
//! run with the golden run. [`verilog`] injects flips into the exported Verilog, with Verilator. [`campaign`] runs the
//! faults of a folder on several threads. [`unit`] is a block as gates, and [`gates`] records the ports of a unit, for
//! faults of its gates. [`grade`](mod@grade) uses both to grade a kernel as a self-test of a unit, and
//! [`compact`](mod@compact) shortens the kernel. The parts that need no machine, such as lists, results, statistics and
//! reports, are in the crate `flexgrip-faults`.

#![warn(missing_docs, clippy::unwrap_used)]

pub mod campaign;
pub mod circuits;
pub mod compact;
pub mod error;
pub mod gates;
pub mod grade;
pub mod instruction;
pub mod records;
pub mod replay;
pub mod setup;
pub mod unit;
pub mod verdict;
pub mod verilog;
pub mod writers;
