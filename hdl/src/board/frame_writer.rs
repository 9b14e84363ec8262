//! The frame writer sends the bytes of a frame, with flag, escapes and checksum. `protocol.rs` defines frames.
//!
//! ```text
//! input    flag   a    FLAG               c    checksum, checksum
//! sent     FLAG   a    ESCAPE, FLAG^0x20  c    high byte, low byte
//! ```
//! A byte is sent in the cycle in which the transmitter is ready; an input that takes two bytes is ready with the
//! second.

use super::checksum::checksum_after;
use super::protocol::{CHECKSUM_START, ESCAPE, ESCAPED_BY, FLAG};
use super::uart_transmitter::SenderPort;
use hdlkit::prelude::*;

/// The next item to send.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FrameItem {
    /// There is an item; it stays until `ready`.
    pub valid: Bit,
    /// Send the flag; `data` is ignored.
    pub flag: Bit,
    /// Send the high byte of the checksum of all bytes sent; if repeated, the low byte. `data` is ignored.
    pub checksum: Bit,
    pub data: Bits<8>,
}

#[circuit]
pub struct FrameWriter {
    pub clock: Signal<In, Clock>,
    pub item: Signal<In, FrameItem>,
    /// The item has been sent.
    pub ready: Signal<Out, Bit>,
    pub sent: SenderPort,

    escaped: DFF<Bit>,
    sum: DFF<Bits<16>>,
}

impl Logic for FrameWriter {
    #[hdl_gen]
    fn update(&mut self) {
        let item = self.item.val();
        let sum = self.sum.q.val();
        // Sending the checksum's high byte shifts the low byte up.
        let data = if item.checksum { sum.bits::<8>(8) } else { item.data };
        let special = data == FLAG as u64 || data == ESCAPE as u64;
        let escapes = special && !item.flag && !self.escaped.q.val();

        self.sent.valid.next = item.valid;
        self.sent.byte.next = if item.flag {
            bits::<8>(FLAG as u64)
        } else if escapes {
            bits(ESCAPE as u64)
        } else {
            data ^ mask(self.escaped.q.val(), bits::<8>(ESCAPED_BY as u64))
        };
        self.ready.next = self.sent.ready.val() && !escapes;
        if item.valid && self.sent.ready.val() {
            self.escaped.d.next = escapes;
            if item.flag {
                self.sum.d.next = bits(CHECKSUM_START as u64);
            } else if !escapes {
                self.sum.d.next = checksum_after(sum, data);
            }
        }
    }
}
