//! Shared memory: 16 KiB in 16 banks of 32-bit words, consecutive words in consecutive banks.
//!
//! ```text
//! read_enable   ── one word, the same for all threads ──> read_word in the next cycle, 0 in all others
//! access_banks  ── a row of each bank of its own ───────> bank_word in the next cycle, or written
//! init_enable   ── a row of 64 bytes cleared, or a word written (blocks' headers and parameters)
//! ```
//! A bank has one read port and one write port. Uniform reads and initialisation have priority: the collector does not
//! access in a cycle in which a word is read for all threads, and does not store in a cycle with initialisation.

use hdlkit::prelude::*;

/// The shared memory of an SM.
#[derive(LogicBlock, Cycle, Blank)]
pub struct SharedMemory {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    /// Byte address; the reader handles its low two bits.
    pub read_address: Signal<In, Bits<14>>,
    pub read_word: Signal<Out, Bits<32>>,
    // The collector's access.
    pub access_banks: Signal<In, Bits<16>>,
    pub access_store: Signal<In, Bit>,
    pub access_row: [Signal<In, Bits<8>>; 16],
    pub access_bytes: [Signal<In, Bits<4>>; 16],
    pub access_word: [Signal<In, Bits<32>>; 16],
    /// The words that the banks read last.
    pub bank_word: [Signal<Out, Bits<32>>; 16],
    pub init_enable: Signal<In, Bit>,
    /// Clear the whole row of 64 bytes; else write one word.
    pub init_clear: Signal<In, Bit>,
    pub init_address: Signal<In, Bits<14>>,
    pub init_data: Signal<In, Bits<32>>,
    bank: [BlockRam<8, 32, 4>; 16],
    read_bank: DFF<Bits<16>>,
    one: Constant<Bits<16>>,
    reads: Signal<Local, Bits<16>>,
    gathers: Signal<Local, Bits<16>>,
    scatters: Signal<Local, Bits<16>>,
    writes: Signal<Local, Bits<16>>,
    data: Signal<Local, Bits<32>>,
    word: Signal<Local, Bits<32>>,
    _activity: Activity,
}

impl SharedMemory {
    /// Shared memory, all zero.
    pub fn new() -> Self {
        SharedMemory {
            bank: std::array::from_fn(|_| BlockRam::new(256, Vec::new()).collision_free()),
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
        }
        self.read_bank.d.next = self.reads.val();
        self.gathers.next = self.access_banks.val();
        self.scatters.next = 0.into();
        if self.access_store.val() {
            self.gathers.next = 0.into();
            self.scatters.next = self.access_banks.val();
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
            self.bank[i].read_enable.next = self.reads.val().get_bit(i) || self.gathers.val().get_bit(i);
            self.bank[i].read_address.next = self.access_row[i].val();
            if self.reads.val().get_bit(i) {
                self.bank[i].read_address.next = self.read_address.val().get_bits::<8>(6);
            }
            self.bank[i].write_address.next = self.access_row[i].val();
            self.bank[i].write_data.next = self.access_word[i].val();
            self.bank[i].write_enable.next = 0.into();
            if self.scatters.val().get_bit(i) {
                self.bank[i].write_enable.next = self.access_bytes[i].val();
            }
            if self.writes.val().get_bit(i) {
                self.bank[i].write_address.next = self.init_address.val().get_bits::<8>(6);
                self.bank[i].write_data.next = self.data.val();
                self.bank[i].write_enable.next = 15.into();
            }
            if self.read_bank.q.val().get_bit(i) {
                self.word.next = self.word.val() | self.bank[i].read_data.val();
            }
            self.bank_word[i].next = self.bank[i].read_data.val();
        }
        self.read_word.next = self.word.val();
    }
}
