//! The top of a board too small for an SM: a serial line and one integer lane. The host sends it operations and checks
//! the results against its own.
//!
//! ```text
//! uart_rx ─> receiver ───> request link <─> lane host <──> integer lane
//! uart_tx <─ transmitter <──────┘
//! ```
//! An operation takes 30 bytes to the board and 14 from it, of ten bits each, plus escapes:
//!
//! ```text
//! uart_rx   flag header words checksum ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾
//! lane                                 a few cycles
//! uart_tx   ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾ flag header words checksum
//! light 0   ___________________________________________________________/‾‾  and back with the next answer
//! ```
//!
//! | light | lit |
//! |---|---|
//! | 0 | toggles with each answer |
//! | 1 | the last input on the line was garbled |
//! | 2 | a request is being executed or answered |
//!
//! `reset` is a button, high when pressed, synchronised by two registers. It may be tied low.

use super::lane_host::LaneHost;
use super::uart_receiver::UartReceiver;
use super::uart_transmitter::{SenderPort, UartTransmitter};
use hdlkit::prelude::*;

/// Bit of `leds`, see the table above: toggles with each answer.
pub const LANE_LIGHT_ANSWER: u64 = 1 << 0;
/// Lit when the last input was garbled.
pub const LANE_LIGHT_GARBLED: u64 = 1 << 1;
/// Lit while a request is being executed or answered.
pub const LANE_LIGHT_REQUEST: u64 = 1 << 2;

/// A board with one integer lane.
#[circuit]
#[derive(Ports)]
pub struct LaneBoard {
    pub clock: Signal<In, Clock>,
    /// A button, high when pressed.
    pub reset: Signal<In, Bit>,
    /// Serial line from the host, high at rest.
    pub uart_rx: Signal<In, Bit>,
    /// Serial line to the host, high at rest.
    pub uart_tx: Signal<Out, Bit>,
    /// The lights, in the order of the table above.
    pub leds: Signal<Out, Bits<3>>,

    receiver: UartReceiver,
    transmitter: UartTransmitter,
    host: LaneHost,
    pressed: DFF<Bit>,
    resets: DFF<Bit>,
    turns: DFF<Bit>,
}

impl LaneBoard {
    /// A board at rest, with a line of `clocks_per_bit` clock cycles per bit, one of [`super::CLOCKS_PER_BIT`].
    ///
    /// # Panics
    /// If `clocks_per_bit` is not in that range.
    pub fn new(clocks_per_bit: u32) -> Self {
        LaneBoard {
            receiver: UartReceiver::new(clocks_per_bit),
            transmitter: UartTransmitter::new(clocks_per_bit),
            ..Default::default()
        }
    }
}

impl Logic for LaneBoard {
    #[hdl_gen]
    fn update(&mut self) {
        self.pressed.d.next = self.reset.val();
        self.resets.d.next = self.pressed.q.val();
        self.host.line.reset.next = self.resets.q.val();

        self.receiver.uart_rx.next = self.uart_rx.val();
        self.host.line.received.next = self.receiver.received.val();
        SenderPort::join(&mut self.host.line.sent, &mut self.transmitter.sent);
        self.uart_tx.next = self.transmitter.uart_tx.val();

        if self.host.line.answered.val() {
            self.turns.d.next = !self.turns.q.val();
        }
        self.leds.next = bits::<3>(0)
            .replace_bit(0, self.turns.q.val())
            .replace_bit(1, self.host.line.error.val())
            .replace_bit(2, self.host.line.busy.val());
    }
}
