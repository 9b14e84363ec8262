//! The chip on a board of its own: a serial line to a host, global memory in block RAM, lights.
//!
//! ```text
//! uart_rx ─> receiver ─> frame reader ─┐               host bus          ┌──> block memory
//!                                      ├─ serial host ──────────> gpgpu ─┤
//! uart_tx <─ transmitter <─ frame writer ┘                        │      └──> trace: open
//! leds <──────────────────────────────────────────────────────────┘
//! ```
//! `protocol.rs` says what goes over the line, for these circuits and for the client; `docs/board.md` how to use it.
//!
//! The UART is our own: rust-hdl 0.46 and its widgets have none, and nothing of rust-hdl's would have `Cycle`.

pub mod block_memory;
pub mod checksum;
pub mod frame_reader;
pub mod frame_writer;
pub mod gpgpu_board;
pub mod protocol;
pub mod serial_host;
pub mod uart_receiver;
pub mod uart_transmitter;

/// Clock cycles that a bit can have: the middle of a bit must be found, and a counter hold it.
///
/// # Panics
/// If it is not 4 to 65,536.
fn check_clocks_per_bit(clocks_per_bit: u32) {
    assert!(
        (4..=1 << 16).contains(&clocks_per_bit),
        "a bit has 4 to 65,536 clock cycles, not {clocks_per_bit}"
    );
}
