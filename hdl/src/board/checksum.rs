//! Adds a byte to the checksum of a frame, all eight bits at once. `protocol.rs` defines the checksum.

use hdlkit::prelude::*;

/// Combinational.
#[derive(LogicBlock, Cycle, Blank)]
pub struct Checksum {
    pub sum_before: Signal<In, Bits<16>>,
    pub data: Signal<In, Bits<8>>,
    pub sum_after: Signal<Out, Bits<16>>,

    high: Signal<Local, Bits<8>>,
    mixed: Signal<Local, Bits<8>>,
    folded: Signal<Local, Bits<8>>,
    term: Signal<Local, Bits<16>>,
    term_5: Signal<Local, Bits<16>>,
    term_12: Signal<Local, Bits<16>>,
    sum: Signal<Local, Bits<16>>,
    _activity: Activity,
}

impl Logic for Checksum {
    #[hdl_gen]
    fn update(&mut self) {
        // With x the outgoing byte XOR `data`, folded with its upper half: x * (1 + 2^5 + 2^12).
        self.high.next = self.sum_before.val().get_bits::<8>(8);
        self.mixed.next = self.high.val() ^ self.data.val();
        self.folded.next = self.mixed.val() >> 4;
        self.folded.next = self.folded.val() ^ self.mixed.val();
        self.term.next = bit_cast::<16, 8>(self.folded.val());
        self.term_5.next = self.term.val() << 5;
        self.term_12.next = self.term.val() << 12;
        self.sum.next = self.sum_before.val() << 8;
        self.sum.next = self.sum.val() ^ self.term.val();
        self.sum.next = self.sum.val() ^ self.term_5.val();
        self.sum_after.next = self.sum.val() ^ self.term_12.val();
    }
}
