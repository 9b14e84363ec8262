//! Test equipment for circuits, which is not part of any chip.
//!
//! | module | what |
//! |---|---|
//! | [`bus_monitor`] | reports the rule of Wishbone, AXI4-Lite or AXI4 that a cycle breaks |
//! | [`axi_slave`] | a memory that answers an AXI4 master, with stalls |
//! | [`pipeline_bench`] | gives a pipelined unit an operation in every cycle and checks its results |
//! | [`tools`] | checks that a tool is installed that a test needs |
//! | [`integer_cases`] | random operands of an integer lane, with the expected results |
//!
//! The folders next to this crate's sources contain test benches in other languages: the harness for Verilator, the
//! bench for Icarus Verilog, formal properties, cocotb.

#![warn(missing_docs, clippy::unwrap_used)]

pub mod axi_slave;
pub mod bus_monitor;
pub mod integer_cases;
pub mod pipeline_bench;
pub mod tools;
