//! The receiving half of a UART: bytes of 8 data bits, no parity, one stop bit, lowest bit first.
//!
//! ```text
//! line    ‾‾‾‾\_____/ b0  X b1  X  ...  X b7  /‾‾‾‾‾
//!              start ^     ^     ^          ^     ^ stop
//! sampled      |---|-----|-----|   ...   --|-----|──> valid, or framing_error
//!          half a bit, then whole ones
//! ```
//! The line passes two registers before it is used. A start bit that has ended by its middle is treated as a glitch. If
//! the stop bit is low the byte is dropped with a pulse on `framing_error`; the receiver then waits for the line to
//! rise, so a line held low is a single error. The next start bit may begin after half a stop bit: the sender may be up
//! to 5 % faster.

use hdlkit::prelude::*;

/// A byte from the line.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ReceivedByte {
    /// Pulse: the byte has been received.
    pub valid: Bit,
    pub byte: Bits<8>,
    /// Pulse: a byte's stop bit was low.
    pub framing_error: Bit,
}

/// The event that the receiver waits for.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum ReceiverState {
    /// A falling line.
    Idle,
    /// The middle of the start bit.
    Start,
    /// The middle of a data bit.
    Data,
    /// The middle of the stop bit.
    Stop,
    /// A rising line.
    Low,
}

#[circuit]
pub struct UartReceiver {
    pub clock: Signal<In, Clock>,
    /// The line, high at rest; may be asynchronous.
    pub uart_rx: Signal<In, Bit>,
    pub received: Signal<Out, ReceivedByte>,

    // The inverted line, because registers start at 0 and the line rests high.
    entry: DFF<Bit>,
    low: DFF<Bit>,
    state: DFF<ReceiverState>,
    /// Cycles until the line is sampled.
    countdown: DFF<Bits<16>>,
    place: DFF<Bits<3>>,
    data: DFF<Bits<8>>,

    half_bit: Constant<Bits<16>>,
    whole_bit: Constant<Bits<16>>,
}

impl UartReceiver {
    /// A receiver for bits of `clocks_per_bit` clock cycles.
    ///
    /// # Panics
    /// If `clocks_per_bit` is not 4 to 65,536.
    pub fn new(clocks_per_bit: u32) -> Self {
        super::check_clocks_per_bit(clocks_per_bit);
        UartReceiver {
            half_bit: Constant::new((clocks_per_bit as u64 / 2 - 1).into()),
            whole_bit: Constant::new((clocks_per_bit as u64 - 1).into()),
            ..Default::default()
        }
    }
}

impl Logic for UartReceiver {
    #[hdl_gen]
    fn update(&mut self) {
        self.entry.d.next = !self.uart_rx.val();
        self.low.d.next = self.entry.q.val();

        let low = self.low.q.val();
        let due = !self.countdown.q.val().any();
        if !due {
            self.countdown.d.next = self.countdown.q.val() - 1;
        }
        let stops = due && self.state.q.val() == ReceiverState::Stop;
        self.received.next =
            ReceivedByte { valid: stops && !low, byte: self.data.q.val(), framing_error: stops && low };
        match self.state.q.val() {
            ReceiverState::Idle => {
                if low {
                    self.countdown.d.next = self.half_bit.val();
                    self.state.d.next = ReceiverState::Start;
                }
            }
            ReceiverState::Start => {
                if due && low {
                    self.countdown.d.next = self.whole_bit.val();
                    self.place.d.next = 0.into();
                    self.state.d.next = ReceiverState::Data;
                } else if due {
                    self.state.d.next = ReceiverState::Idle;
                }
            }
            ReceiverState::Data => {
                if due {
                    self.countdown.d.next = self.whole_bit.val();
                    self.data.d.next = (self.data.q.val() >> 1).replace_bit(7, !low);
                    self.place.d.next = self.place.q.val() + 1;
                    if self.place.q.val() == 7 {
                        self.state.d.next = ReceiverState::Stop;
                    }
                }
            }
            ReceiverState::Stop => {
                if due {
                    self.state.d.next = if low { ReceiverState::Low } else { ReceiverState::Idle };
                }
            }
            ReceiverState::Low => {
                if !low {
                    self.state.d.next = ReceiverState::Idle;
                }
            }
            _ => {}
        }
    }
}
