//! From the bytes of a frame to bytes on the line: flag, escapes, checksum. `protocol.rs` defines frames.
//!
//! ```text
//! input    flag   a    FLAG             c    checksum, checksum
//! sent     FLAG   a    ESCAPE, FLAG^0x20  c    high byte, low byte
//! ```
//! Sent in the same cycle in which the transmitter is ready; an input that takes two bytes is ready with the second.

use super::checksum::Checksum;
use super::protocol::{CHECKSUM_START, ESCAPE, ESCAPED_BY, FLAG};
use hdlkit::prelude::*;

/// The frame writer.
#[derive(LogicBlock, Cycle, Blank)]
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
    checksum: Checksum,

    flag: Constant<Bits<8>>,
    escape: Constant<Bits<8>>,
    escaped_by: Constant<Bits<8>>,
    start: Constant<Bits<16>>,
    plain: Signal<Local, Bits<8>>,
    special: Signal<Local, Bit>,
    escapes: Signal<Local, Bit>,
    sent: Signal<Local, Bit>,
    _activity: Activity,
}

impl FrameWriter {
    /// A writer that has sent nothing.
    pub fn new() -> Self {
        FrameWriter {
            flag: Constant::new((FLAG as u64).into()),
            escape: Constant::new((ESCAPE as u64).into()),
            escaped_by: Constant::new((ESCAPED_BY as u64).into()),
            start: Constant::new((CHECKSUM_START as u64).into()),
            ..Blank::blank()
        }
    }
}

impl Logic for FrameWriter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, escaped, sum);
        self.plain.next = self.data.val();
        if self.checksum_ends.val() {
            // Sending the checksum's high byte moves the low byte up.
            self.plain.next = self.sum.q.val().get_bits::<8>(8);
        }
        self.checksum.sum_before.next = self.sum.q.val();
        self.checksum.data.next = self.plain.val();
        self.special.next = (self.plain.val() == self.flag.val()) || (self.plain.val() == self.escape.val());
        self.escapes.next = self.special.val() && !self.flag_begins.val() && !self.escaped.q.val();

        self.byte_valid.next = self.valid.val();
        self.sent_byte.next = self.plain.val();
        if self.escaped.q.val() {
            self.sent_byte.next = self.plain.val() ^ self.escaped_by.val();
        }
        if self.escapes.val() {
            self.sent_byte.next = self.escape.val();
        }
        if self.flag_begins.val() {
            self.sent_byte.next = self.flag.val();
        }
        self.sent.next = self.valid.val() && self.byte_ready.val();
        self.ready.next = self.byte_ready.val() && !self.escapes.val();
        if self.sent.val() {
            self.escaped.d.next = self.escapes.val();
            if !self.escapes.val() {
                self.sum.d.next = self.checksum.sum_after.val();
            }
            if self.flag_begins.val() {
                self.sum.d.next = self.start.val();
            }
        }
    }
}
