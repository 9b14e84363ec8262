//! The host interface, driven by a Wishbone host: every register of the map, every error, the ports to the rest of the
//! GPU; and against its own Verilog.

mod bench;
mod counters;
mod launch;
mod memory;
mod registers;
mod verilog;
