//! The circuits' exported Verilog as engines: compiled, under [`verilator`], and plain, under [`iverilog`].

pub(crate) mod harness;
pub mod iverilog;
pub(crate) mod result;
pub mod verilator;
