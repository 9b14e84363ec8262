//! Gate-level netlists that yosys synthesises from a circuit's Verilog: gates of two inputs, inverters, multiplexers
//! and flip-flops.
//!
//! ```text
//! block --export--> Verilog --yosys--> JSON --> Module --> Unit
//!                             yosys.rs          module.rs  unit.rs, names.rs
//! ```
//! A [`Module`] has the cells with yosys's numbers for the wires. A [`Unit`] is a block of a circuit, by its path: nets
//! are numbered from 0, gates are in the order of evaluation, and everything has the name that waves show, if
//! synthesis has kept it. A [`StuckPin`] is a stuck-at fault of a unit.

mod module;
mod names;
mod pin;
mod unit;
mod yosys;

pub use module::{ordered, Cell, Function, Module, Net};
pub use names::RegisterBit;
pub use pin::{Pin, StuckPin};
pub use unit::{Gate, NetId, Port, Register, Unit};
pub use yosys::{hash, synthesised, GatesError};
