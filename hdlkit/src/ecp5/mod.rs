//! Circuits on Lattice's ECP5 through yosys: the synthesis script, and the resulting netlist as Verilog that simulates.

mod netlist;
mod script;

pub use netlist::{netlist, NetlistError};
pub use script::script;
