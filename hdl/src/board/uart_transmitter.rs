//! The sending half of a UART: bytes of 8 data bits, no parity, one stop bit, lowest bit first.
//!
//! ```text
//! cycle      t               t+1 .. t+N   ... each N cycles ...  t+1+9N .. t+10N   t+10N+1
//! data       valid, ready    start bit    b0 to b7               stop bit          ready again
//! ```

use hdlkit::prelude::*;

/// Bytes to a transmitter.
#[interface(mirror = SentPort)]
pub struct SenderPort {
    pub valid: Signal<Out, Bit>,
    pub byte: Signal<Out, Bits<8>>,
    /// A byte transfers in a cycle with valid and ready.
    pub ready: Signal<In, Bit>,
}

#[circuit]
pub struct UartTransmitter {
    pub clock: Signal<In, Clock>,
    pub sent: SentPort,
    /// The line, high at rest.
    pub uart_tx: Signal<Out, Bit>,

    /// The bits still to send, inverted: registers start at 0, and the line rests high.
    line: DFF<Bits<10>>,
    bits_left: DFF<Bits<4>>,
    /// Cycles until the next bit.
    countdown: DFF<Bits<16>>,

    whole_bit: Constant<Bits<16>>,
}

impl UartTransmitter {
    /// A transmitter for bits of `clocks_per_bit` clock cycles.
    ///
    /// # Panics
    /// If `clocks_per_bit` is not 4 to 65,536.
    pub fn new(clocks_per_bit: u32) -> Self {
        super::check_clocks_per_bit(clocks_per_bit);
        UartTransmitter { whole_bit: Constant::new((clocks_per_bit as u64 - 1).into()), ..Default::default() }
    }
}

impl Logic for UartTransmitter {
    #[hdl_gen]
    fn update(&mut self) {
        let idle = !self.bits_left.q.val().any();
        self.sent.ready.next = idle;
        self.uart_tx.next = !self.line.q.val().get_bit(0);
        if idle {
            if self.sent.valid.val() {
                self.line.d.next = ((!self.sent.byte.val()).resize::<10>() << 1) | 1;
                self.bits_left.d.next = 10.into();
                self.countdown.d.next = self.whole_bit.val();
            }
        } else if self.countdown.q.val().any() {
            self.countdown.d.next = self.countdown.q.val() - 1;
        } else {
            self.line.d.next = self.line.q.val() >> 1;
            self.bits_left.d.next = self.bits_left.q.val() - 1;
            self.countdown.d.next = self.whole_bit.val();
        }
    }
}
