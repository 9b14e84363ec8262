//! Constant memory: up to 16 banks of 4 KiB, bank b from byte b * 4096; the host writes it.
//!
//! A word read in cycle t is available in t+1. Missing banks and words that were never written read as 0. One word a
//! cycle is enough: an operand without an address register is the same for all lanes, and the operand collector reads
//! words at per-thread addresses one after the other.

use super::HostLoad;
use hdlkit::prelude::*;

/// The constant memory of an SM.
#[circuit]
pub struct ConstantMemory {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    /// Byte address; the reader handles its low two bits.
    pub read_address: Signal<In, Bits<16>>,
    pub read_word: Signal<Out, Bits<32>>,
    pub load: Signal<In, HostLoad>,

    memory: BlockRam<14, 32, 1>,
    /// Address bits that are 0 inside the memory.
    past: Constant<Bits<16>>,
    outside: DFF<Bit>,
}

impl ConstantMemory {
    /// A memory of `bytes`, all zero.
    ///
    /// # Panics
    /// If `bytes` is not a power of two from 8 bytes to 64 KiB.
    pub fn new(bytes: u32) -> Self {
        ConstantMemory {
            memory: BlockRam::new(bytes as usize / 4, Vec::new()),
            past: Constant::new(Bits::new(0x1_0000 - u64::from(bytes))),
            ..Default::default()
        }
    }
}

impl Logic for ConstantMemory {
    #[hdl_gen]
    fn update(&mut self) {
        self.memory.fetch(self.read_enable.val(), self.read_address.val().bits::<14>(2));
        if self.read_enable.val() {
            self.outside.d.next = (self.read_address.val() & self.past.val()).any();
        }
        self.read_word.next = mask(!self.outside.q.val(), self.memory.read_data.val());
        let load = self.load.val();
        self.memory.write((load.valid && load.constant).into(), load.address.bits::<14>(2), load.data);
    }
}
