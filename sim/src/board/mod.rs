//! The host of a board at the end of a serial line, and such a board without one.
//!
//! A reader starts at [`run`]: a kernel is loaded, started and read back. That goes through a [`client`], which asks and is
//! answered, over a [`line`]: a serial device or a command, as a [`port`] says. [`lane_test`] is for a board with a lane alone.
//! [`simulated_board`] is the other end: a board's circuits, simulated.

pub mod client;
pub mod error;
pub mod lane_test;
pub mod line;
pub mod pipe;
pub mod port;
pub mod run;
mod serial;
pub mod simulated_board;
mod stream;
