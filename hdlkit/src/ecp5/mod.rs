//! Circuits on Lattice's ECP5, by yosys: how it is told to synthesise, and what it makes of a circuit as Verilog that simulates.

mod netlist;
mod script;

pub use netlist::{netlist, NetlistError};
pub use script::script;
