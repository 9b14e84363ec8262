//! Test equipment around circuits; none of it is in a chip.
//!
//! | module | what |
//! |---|---|
//! | [`bus_monitor`] | reports the rule of Wishbone, AXI4-Lite or AXI4 that a cycle breaks |
//! | [`axi_slave`] | a memory that answers an AXI4 master, with stalls |
//! | [`pipeline_bench`] | gives a pipelined unit an operation in every cycle and checks its results |
//! | [`material`] | where material from outside the project is |
//! | [`tools`] | whether a tool that a test needs is installed |
//! | [`integer_cases`] | random operands of an integer lane, with the expected results |
//!
//! The folders next to this crate's sources are test benches in other languages: Verilator's harness, Icarus Verilog's
//! bench, formal properties, cocotb.

pub mod axi_slave;
pub mod bus_monitor;
pub mod integer_cases;
pub mod material;
pub mod pipeline_bench;
pub mod tools;
