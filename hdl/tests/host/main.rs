//! The host's side: its registers and windows, the bridge from AXI4-Lite, and the circuits around them on a board.

mod axi_lite;
mod board;
mod host_interface;
