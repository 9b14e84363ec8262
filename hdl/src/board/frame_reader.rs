//! The frame reader finds the starts of frames in the received bytes, removes escapes, and computes the checksum.
//! `protocol.rs` defines frames.
//!
//! ```text
//! received   FLAG   a      ESCAPE  b^0x20  c
//! begins     1
//! valid             1              1       1
//! byte              a              b       c
//! ```
//! From the cycle after the last byte, `intact` is true if the checksum of all bytes since `begins` is right.

use super::checksum::checksum_after;
use super::protocol::{CHECKSUM_START, ESCAPE, ESCAPED_BY, FLAG};
use super::uart_receiver::ReceivedByte;
use hdlkit::prelude::*;

/// A byte from the frame reader.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct ReceivedFrame {
    /// Pulse: a frame begins.
    pub begins: Bit,
    /// Pulse: a byte of the frame; before the first frame, a byte without meaning.
    pub valid: Bit,
    pub byte: Bits<8>,
    /// The checksum of all bytes since `begins` is 0.
    pub intact: Bit,
}

#[circuit]
pub struct FrameReader {
    pub clock: Signal<In, Clock>,
    pub received: Signal<In, ReceivedByte>,
    pub frame: Signal<Out, ReceivedFrame>,

    escaped: DFF<Bit>,
    sum: DFF<Bits<16>>,
}

impl Logic for FrameReader {
    #[hdl_gen]
    fn update(&mut self) {
        let received = self.received.val();
        let is_flag = received.valid && received.byte == FLAG as u64;
        let is_escape = received.valid && received.byte == ESCAPE as u64;
        let is_data = received.valid && !is_flag && !is_escape;
        let byte = received.byte ^ mask(self.escaped.q.val(), bits::<8>(ESCAPED_BY as u64));
        if received.valid {
            self.escaped.d.next = is_escape;
        }
        if is_flag {
            self.sum.d.next = bits(CHECKSUM_START as u64);
        } else if is_data {
            self.sum.d.next = checksum_after(self.sum.q.val(), byte);
        }
        self.frame.next = ReceivedFrame { begins: is_flag, valid: is_data, byte, intact: !self.sum.q.val().any() };
    }
}
