//! Tests the host interface with a Wishbone host: every register of the map, every error, and the ports to the rest of
//! the GPU. Also compares it with its own Verilog.

mod bench;
mod counters;
mod launch;
mod memory;
mod registers;
mod verilog;
