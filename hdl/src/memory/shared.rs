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
#[circuit]
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
}

impl SharedMemory {
    /// Shared memory, all zero.
    pub fn new() -> Self {
        SharedMemory {
            bank: std::array::from_fn(|_| BlockRam::new(256, Vec::new()).collision_free()),
            ..Default::default()
        }
    }
}

impl Logic for SharedMemory {
    #[hdl_gen]
    fn update(&mut self) {
        // By bank: reads for all threads, the collector's access, initialisation.
        let read_row = self.read_address.val().bits::<8>(6);
        let reads = mask(self.read_enable.val(), self.read_address.val().bits::<4>(2).one_hot::<16>());
        let gathers = mask(!self.access_store.val(), self.access_banks.val());
        let scatters = mask(self.access_store.val(), self.access_banks.val());
        let init_row = self.init_address.val().bits::<8>(6);
        let init_banks =
            if self.init_clear.val() { Bits::<16>::ONES } else { self.init_address.val().bits::<4>(2).one_hot::<16>() };
        let inits = mask(self.init_enable.val(), init_banks);
        let init_word = mask(!self.init_clear.val(), self.init_data.val());

        self.read_bank.d.next = reads;
        let mut read_word = Bits::<32>::ZERO;
        for i in 0..16 {
            self.bank[i].read_enable.next = reads.get_bit(i) || gathers.get_bit(i);
            self.bank[i].read_address.next = if reads.get_bit(i) { read_row } else { self.access_row[i].val() };
            if inits.get_bit(i) {
                self.bank[i].write_address.next = init_row;
                self.bank[i].write_data.next = init_word;
                self.bank[i].write_enable.next = 0b1111.into();
            } else {
                self.bank[i].write_address.next = self.access_row[i].val();
                self.bank[i].write_data.next = self.access_word[i].val();
                self.bank[i].write_enable.next = mask(scatters.get_bit(i), self.access_bytes[i].val());
            }
            read_word = read_word | mask(self.read_bank.q.val().get_bit(i), self.bank[i].read_data.val());
            self.bank_word[i].next = self.bank[i].read_data.val();
        }
        self.read_word.next = read_word;
    }
}
