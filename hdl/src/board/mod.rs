//! The chip on an FPGA board: a serial line to a host, global memory in block RAM, lights.
//!
//! ```text
//! uart_rx ─> receiver ───> request link <─> serial host <─ host bus ─> gpgpu ─┬──> block memory
//! uart_tx <─ transmitter <──────┘                                       │     └──> trace: open
//! leds <────────────────────────────────────────────────────────────────┘
//! ```
//! A board too small for the chip has a single lane (`lane_board.rs`), with the same line and the same client.
//!
//! `protocol.rs` defines the serial protocol, for these circuits and for the client; `docs/board.md` explains how to
//! use it.
//!
//! The UART is written here: rust-hdl 0.46 and its widgets have none, and a block of theirs could not run in the cycle
//! engine.

pub mod block_memory;
pub mod checksum;
pub mod frame_reader;
pub mod frame_writer;
pub mod gpgpu_board;
pub mod lane_board;
pub mod lane_host;
pub mod protocol;
pub mod request_link;
pub mod serial_host;
pub mod uart_receiver;
pub mod uart_transmitter;

use std::ops::RangeInclusive;

/// The range of clock cycles per bit on the serial line: enough to find the middle of a bit, few enough for the
/// counter.
pub const CLOCKS_PER_BIT: RangeInclusive<u32> = 4..=1 << 16;

/// Checks the number of clock cycles per bit.
///
/// # Panics
/// If it is not in [`CLOCKS_PER_BIT`].
fn check_clocks_per_bit(clocks_per_bit: u32) {
    assert!(CLOCKS_PER_BIT.contains(&clocks_per_bit), "{clocks_per_bit} clock cycles per bit; expected 4 to 65,536");
}
