//! Shared memory: 16 KiB in 16 banks of 32-bit words, consecutive words in consecutive banks.
//!
//! ```text
//! uniform.enable ─ one word, the same for all threads ──> uniform.word in the next cycle, 0 in all others
//! banks.enable  ── a separate row in each bank ─────────> banks.word in the next cycle, or written
//! init.valid    ── a row of 64 bytes cleared, or a word written (blocks' headers and parameters)
//! ```
//! A bank has one read port and one write port. Uniform reads and initialisation have priority: the collector does not
//! load in a cycle with a uniform read, and does not store in a cycle with initialisation.

use hdlkit::prelude::*;

/// A uniform read of one word for all threads, valid in the next cycle.
#[interface(mirror = UniformMasterPort)]
pub struct UniformPort {
    pub enable: Signal<In, Bit>,
    /// Byte address; the reader handles its low two bits.
    pub address: Signal<In, Bits<14>>,
    /// 0 without a read in the previous cycle.
    pub word: Signal<Out, Bits<32>>,
}

/// An access to a row of one bank.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct BankAccess {
    pub row: Bits<8>,
    /// Bytes that a store writes.
    pub bytes: Bits<4>,
    pub word: Bits<32>,
}

/// The port of the operand collector: a row in each of some banks. No load in a cycle with a uniform read, no store in
/// a cycle with initialisation.
#[interface(mirror = BankMasterPort)]
pub struct BankSlavePort {
    pub enable: Signal<In, Bits<16>>,
    /// True for a store, false for a load.
    pub store: Signal<In, Bit>,
    pub access: [Signal<In, BankAccess>; 16],
    /// The words that the banks have read last.
    pub word: [Signal<Out, Bits<32>>; 16],
}

/// Initialisation of a block's shared memory, before its warps begin.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SharedInit {
    pub valid: Bit,
    /// Clear the row of 64 bytes; else write one word.
    pub clear: Bit,
    /// Byte address.
    pub address: Bits<14>,
    pub data: Bits<32>,
}

/// The shared memory of an SM.
#[circuit]
pub struct SharedMemory {
    pub clock: Signal<In, Clock>,
    pub uniform: UniformPort,
    pub banks: BankSlavePort,
    pub init: Signal<In, SharedInit>,

    #[blank(std::array::from_fn(|_| BlockRam::blank().collision_free()))]
    bank: [BlockRam<8, 32, 4>; 16],
    read_bank: DFF<Bits<16>>,
}

impl Logic for SharedMemory {
    #[hdl_gen]
    fn update(&mut self) {
        // Accesses by bank: uniform reads, the collector's loads and stores, initialisation.
        let read_row = self.uniform.address.val().bits::<8>(6);
        let reads = mask(self.uniform.enable.val(), self.uniform.address.val().bits::<4>(2).one_hot::<16>());
        let gathers = mask(!self.banks.store.val(), self.banks.enable.val());
        let scatters = mask(self.banks.store.val(), self.banks.enable.val());
        let init = self.init.val();
        let init_banks = if init.clear { Bits::<16>::ONES } else { init.address.bits::<4>(2).one_hot::<16>() };
        let inits = mask(init.valid, init_banks);

        self.read_bank.d.next = reads;
        let mut read_word = Bits::<32>::ZERO;
        for i in 0..16 {
            let access = self.banks.access[i].val();
            let row = if reads.get_bit(i) { read_row } else { access.row };
            self.bank[i].fetch(reads.get_bit(i) || gathers.get_bit(i), row);
            if inits.get_bit(i) {
                self.bank[i].write(0b1111.into(), init.address.bits::<8>(6), mask(!init.clear, init.data));
            } else {
                self.bank[i].write(mask(scatters.get_bit(i), access.bytes), access.row, access.word);
            }
            read_word = read_word | mask(self.read_bank.q.val().get_bit(i), self.bank[i].read_data.val());
            self.banks.word[i].next = self.bank[i].read_data.val();
        }
        self.uniform.word.next = read_word;
    }
}
