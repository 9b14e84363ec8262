//! Tests of the host's side of the chip: registers and windows, the bridge from AXI4-Lite, and a board's circuits.

mod axi_lite;
mod board;
mod host_interface;
