//! The host of a board on a serial line, and a simulated board.
//!
//! Start reading at [`run`]: it loads a kernel, starts it and reads the results back. It uses a [`client`], which sends
//! requests and awaits answers, over a [`line`]: a serial device or a command, chosen by a [`port`]. [`lane_test`]
//! tests a board with only a lane. [`simulated_board`] is the other end: a board's circuits, simulated.

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
