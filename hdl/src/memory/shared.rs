//! Shared memory: 16 KiB in 16 banks of 32-bit words, consecutive words in consecutive banks.
//!
//! A word read in cycle t is there in t+1. The block scheduler clears a row of all banks (64 bytes) at once, or writes one
//! word: a block's header and parameters. Operands without an address register read one word for all lanes; accesses with
//! a different address in each lane come with the address registers.

use hdlkit::prelude::*;

/// The shared memory of an SM.
#[derive(LogicBlock, Cycle, Blank)]
pub struct SharedMemory {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    /// Byte address; its low two bits are the reader's business.
    pub read_address: Signal<In, Bits<14>>,
    pub read_word: Signal<Out, Bits<32>>,
    pub init_enable: Signal<In, Bit>,
    /// Clear the whole row of 64 bytes; else write one word.
    pub init_clear: Signal<In, Bit>,
    pub init_address: Signal<In, Bits<14>>,
    pub init_data: Signal<In, Bits<32>>,
    bank: [BlockRam<8, 32, 1>; 16],
    read_bank: DFF<Bits<16>>,
    one: Constant<Bits<16>>,
    reads: Signal<Local, Bits<16>>,
    writes: Signal<Local, Bits<16>>,
    data: Signal<Local, Bits<32>>,
    word: Signal<Local, Bits<32>>,
    _activity: Activity,
}

impl SharedMemory {
    /// Shared memory, all zero.
    pub fn new() -> Self {
        SharedMemory {
            one: Constant::new(1.into()),
            ..Default::default()
        }
    }
}

impl Logic for SharedMemory {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, read_bank);
        self.reads.next = self.one.val() << self.read_address.val().get_bits::<4>(2);
        if !self.read_enable.val() {
            self.reads.next = 0.into();
        } else {
            self.read_bank.d.next = self.reads.val();
        }
        self.writes.next = 0.into();
        self.data.next = self.init_data.val();
        if self.init_enable.val() {
            self.writes.next = self.one.val() << self.init_address.val().get_bits::<4>(2);
            if self.init_clear.val() {
                self.writes.next = 0xffff.into();
                self.data.next = 0.into();
            }
        }
        self.word.next = 0.into();
        for i in 0..16 {
            self.bank[i].clock.next = self.clock.val();
            self.bank[i].read_enable.next = self.reads.val().get_bit(i);
            self.bank[i].read_address.next = self.read_address.val().get_bits::<8>(6);
            self.bank[i].write_address.next = self.init_address.val().get_bits::<8>(6);
            self.bank[i].write_data.next = self.data.val();
            self.bank[i].write_enable.next = self.writes.val().get_bits::<1>(i);
            if self.read_bank.q.val().get_bit(i) {
                self.word.next = self.bank[i].read_data.val();
            }
        }
        self.read_word.next = self.word.val();
    }
}
