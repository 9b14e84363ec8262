//! From received bytes to the bytes of frames: finds frame starts, removes escapes, computes the checksum.
//! `protocol.rs` defines frames.
//!
//! ```text
//! received     FLAG   a      ESCAPE  b^0x20  c
//! frame_begins 1
//! data_valid          1              1       1
//! data                a              b       c
//! ```
//! `intact` is the checksum's verdict on all data since `frame_begins`, from the cycle after the last byte.

use super::checksum::checksum_after;
use super::protocol::{CHECKSUM_START, ESCAPE, ESCAPED_BY, FLAG};
use hdlkit::prelude::*;

/// The frame reader.
#[circuit]
pub struct FrameReader {
    pub clock: Signal<In, Clock>,
    pub byte_valid: Signal<In, Bit>,
    pub received: Signal<In, Bits<8>>,
    /// Pulse: a frame begins.
    pub frame_begins: Signal<Out, Bit>,
    /// Pulse: a byte of the frame, or before the first frame, of unknown data.
    pub data_valid: Signal<Out, Bit>,
    pub data: Signal<Out, Bits<8>>,
    /// The checksum of all data since `frame_begins` is 0.
    pub intact: Signal<Out, Bit>,

    escaped: DFF<Bit>,
    sum: DFF<Bits<16>>,
}

impl FrameReader {
    /// A reader that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for FrameReader {
    #[hdl_gen]
    fn update(&mut self) {
        let byte = self.received.val();
        let is_flag = self.byte_valid.val() && byte == FLAG as u64;
        let is_escape = self.byte_valid.val() && byte == ESCAPE as u64;
        let is_data = self.byte_valid.val() && !is_flag && !is_escape;
        let data = byte ^ mask(self.escaped.q.val(), bits::<8>(ESCAPED_BY as u64));
        if self.byte_valid.val() {
            self.escaped.d.next = is_escape;
        }
        if is_flag {
            self.sum.d.next = bits(CHECKSUM_START as u64);
        } else if is_data {
            self.sum.d.next = checksum_after(self.sum.q.val(), data);
        }
        self.frame_begins.next = is_flag;
        self.data_valid.next = is_data;
        self.data.next = data;
        self.intact.next = !self.sum.q.val().any();
    }
}
