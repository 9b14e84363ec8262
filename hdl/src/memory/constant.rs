//! Constant memory: 64 KiB, bank b from b * 4 KiB; the host writes it.
//!
//! A word read in cycle t is there in t+1. One word a cycle: operands without an address register are the same for all
//! lanes.

use hdlkit::prelude::*;

/// The constant memory of an SM.
#[derive(LogicBlock, Cycle, Blank)]
pub struct ConstantMemory {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    /// Byte address; its low two bits are the reader's business.
    pub read_address: Signal<In, Bits<16>>,
    pub read_word: Signal<Out, Bits<32>>,
    pub load_enable: Signal<In, Bit>,
    /// Byte address of a word.
    pub load_address: Signal<In, Bits<18>>,
    pub load_data: Signal<In, Bits<32>>,
    memory: BlockRam<14, 32, 1>,
    _activity: Activity,
}

impl Logic for ConstantMemory {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, memory);
        self.memory.read_enable.next = self.read_enable.val();
        self.memory.read_address.next = self.read_address.val().get_bits::<14>(2);
        self.read_word.next = self.memory.read_data.val();
        self.memory.write_address.next = self.load_address.val().get_bits::<14>(2);
        self.memory.write_data.next = self.load_data.val();
        self.memory.write_enable.next = 0.into();
        if self.load_enable.val() {
            self.memory.write_enable.next = 1.into();
        }
    }
}
