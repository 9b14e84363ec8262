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

use super::checksum::Checksum;
use super::protocol::{CHECKSUM_START, ESCAPE, ESCAPED_BY, FLAG};
use hdlkit::prelude::*;

/// The frame reader.
#[derive(LogicBlock, Cycle, Blank)]
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
    checksum: Checksum,

    flag: Constant<Bits<8>>,
    escape: Constant<Bits<8>>,
    escaped_by: Constant<Bits<8>>,
    start: Constant<Bits<16>>,
    is_flag: Signal<Local, Bit>,
    is_escape: Signal<Local, Bit>,
    is_data: Signal<Local, Bit>,
    plain: Signal<Local, Bits<8>>,
    _activity: Activity,
}

impl FrameReader {
    /// A reader that has seen nothing.
    pub fn new() -> Self {
        FrameReader {
            flag: Constant::new((FLAG as u64).into()),
            escape: Constant::new((ESCAPE as u64).into()),
            escaped_by: Constant::new((ESCAPED_BY as u64).into()),
            start: Constant::new((CHECKSUM_START as u64).into()),
            ..Blank::blank()
        }
    }
}

impl Logic for FrameReader {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, escaped, sum);
        self.is_flag.next = self.byte_valid.val() && (self.received.val() == self.flag.val());
        self.is_escape.next = self.byte_valid.val() && (self.received.val() == self.escape.val());
        self.is_data.next = self.byte_valid.val() && !self.is_flag.val() && !self.is_escape.val();
        self.plain.next = self.received.val();
        if self.escaped.q.val() {
            self.plain.next = self.received.val() ^ self.escaped_by.val();
        }
        self.checksum.sum_before.next = self.sum.q.val();
        self.checksum.data.next = self.plain.val();
        if self.byte_valid.val() {
            self.escaped.d.next = self.is_escape.val();
        }
        if self.is_data.val() {
            self.sum.d.next = self.checksum.sum_after.val();
        }
        if self.is_flag.val() {
            self.sum.d.next = self.start.val();
        }
        self.frame_begins.next = self.is_flag.val();
        self.data_valid.next = self.is_data.val();
        self.data.next = self.plain.val();
        self.intact.next = !self.sum.q.val().any();
    }
}
