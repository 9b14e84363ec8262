//! The circuits' exported Verilog as engines: compiled, under [`verilator`], and plain, under [`iverilog`].

pub mod harness;
pub mod iverilog;
pub mod result;
pub mod verilator;
