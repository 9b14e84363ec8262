//! The circuits' exported Verilog as engines: compiled, under [`verilator`], and plain, under [`iverilog`].

pub mod iverilog;
mod result;
pub mod verilator;
