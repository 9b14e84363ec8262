//! What tests put around circuits, none of it in a chip.
//!
//! | module | what |
//! |---|---|
//! | [`bus_monitor`] | says which rule of Wishbone, AXI4-Lite or AXI4 a cycle breaks |
//! | [`axi_slave`] | a memory that answers an AXI4 master, with stalls |
//! | [`tools`] | whether a tool that a test needs is there |
//! | [`integer_cases`] | random operands of an integer lane, with what must come of them |
//!
//! The folders beside this crate's sources are test benches in other languages: Verilator's harness, Icarus Verilog's bench,
//! formal properties, cocotb.

pub mod axi_slave;
pub mod bus_monitor;
pub mod integer_cases;
pub mod tools;
