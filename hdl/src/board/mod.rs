//! The chip on a board of its own: a serial line to a host, global memory in block RAM, lights.
//!
//! ```text
//! uart_rx ─> receiver ─> frame reader ─┐               host bus          ┌──> block memory
//!                                      ├─ serial host ──────────> gpgpu ─┤
//! uart_tx <─ transmitter <─ frame writer ┘                        │      └──> trace: open
//! leds <──────────────────────────────────────────────────────────┘
//! ```
//! A board too small for the chip has a lane of it instead (`lane_board.rs`), on the same line, for the same client.
//!
//! `protocol.rs` says what goes over the line, for these circuits and for the client; `docs/board.md` how to use it.
//!
//! The UART is our own: rust-hdl 0.46 and its widgets have none, and nothing of rust-hdl's would have `Cycle`.

pub mod block_memory;
pub mod checksum;
pub mod frame_reader;
pub mod frame_writer;
pub mod gpgpu_board;
pub mod lane_board;
pub mod lane_host;
pub mod protocol;
pub mod serial_host;
pub mod uart_receiver;
pub mod uart_transmitter;

use std::ops::RangeInclusive;

/// Clock cycles that a bit on the serial line can have: the middle of a bit must be found, and a counter hold it.
pub const CLOCKS_PER_BIT: RangeInclusive<u32> = 4..=1 << 16;

/// # Panics
/// If it is none of [`CLOCKS_PER_BIT`].
fn check_clocks_per_bit(clocks_per_bit: u32) {
    assert!(
        CLOCKS_PER_BIT.contains(&clocks_per_bit),
        "a bit has 4 to 65,536 clock cycles, not {clocks_per_bit}"
    );
}
