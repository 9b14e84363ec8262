//! The circuits' exported Verilog as engines: under [`verilator`], compiled, and under [`iverilog`], as plain as it is.

pub mod iverilog;
mod result;
pub mod verilator;
