//! From the bytes of a frame to bytes on the line: flag, escapes, checksum. `protocol.rs` defines frames.
//!
//! ```text
//! input    flag   a    FLAG             c    checksum, checksum
//! sent     FLAG   a    ESCAPE, FLAG^0x20  c    high byte, low byte
//! ```
//! Sent in the same cycle in which the transmitter is ready; an input that takes two bytes is ready with the second.

use super::checksum::checksum_after;
use super::protocol::{CHECKSUM_START, ESCAPE, ESCAPED_BY, FLAG};
use hdlkit::prelude::*;

/// The frame writer.
#[circuit]
pub struct FrameWriter {
    pub clock: Signal<In, Clock>,
    /// Something to send; stays until `ready`.
    pub valid: Signal<In, Bit>,
    /// Send the flag; `data` is ignored.
    pub flag_begins: Signal<In, Bit>,
    /// Send the high byte of the checksum of everything sent; if sent again, the low byte. `data` is ignored.
    pub checksum_ends: Signal<In, Bit>,
    pub data: Signal<In, Bits<8>>,
    /// The input has been sent.
    pub ready: Signal<Out, Bit>,

    // To the transmitter.
    pub byte_valid: Signal<Out, Bit>,
    pub sent_byte: Signal<Out, Bits<8>>,
    pub byte_ready: Signal<In, Bit>,

    escaped: DFF<Bit>,
    sum: DFF<Bits<16>>,
}

impl FrameWriter {
    /// A writer that has sent nothing.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for FrameWriter {
    #[hdl_gen]
    fn update(&mut self) {
        let sum = self.sum.q.val();
        // Sending the checksum's high byte moves the low byte up.
        let data = if self.checksum_ends.val() { sum.bits::<8>(8) } else { self.data.val() };
        let special = data == FLAG as u64 || data == ESCAPE as u64;
        let escapes = special && !self.flag_begins.val() && !self.escaped.q.val();

        self.byte_valid.next = self.valid.val();
        self.sent_byte.next = if self.flag_begins.val() {
            bits::<8>(FLAG as u64)
        } else if escapes {
            bits(ESCAPE as u64)
        } else {
            data ^ mask(self.escaped.q.val(), bits::<8>(ESCAPED_BY as u64))
        };
        self.ready.next = self.byte_ready.val() && !escapes;
        if self.valid.val() && self.byte_ready.val() {
            self.escaped.d.next = escapes;
            if self.flag_begins.val() {
                self.sum.d.next = bits(CHECKSUM_START as u64);
            } else if !escapes {
                self.sum.d.next = checksum_after(sum, data);
            }
        }
    }
}
