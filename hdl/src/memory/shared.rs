//! Shared memory: 16 KiB in 16 banks of 32-bit words, consecutive words in consecutive banks.
//!
//! ```text
//! uniform.enable ─ one word, the same for all threads ──> uniform.word in the next cycle, 0 in all others
//! banks.enable  ── a separate row in each bank ─────────> banks.word in the next cycle, or written
//! init.valid    ── a row of 64 bytes cleared, or a word written (blocks' headers and parameters)
//! ```
//! A bank has one read port and one write port. Uniform reads and initialisation have priority: the collector does not
//! load in a cycle with a uniform read, and does not store in a cycle with initialisation.
//!
//! A protected shared memory has check bits for each byte (`memory/check_bits.rs`), because bytes are written
//! independently. They are in memories beside the banks with the same timing, as in the register file.

use crate::memory::check_bits::{check_bits_of_bytes, corrected_bytes, parity_of_bytes};
use crate::optional::optional;
use flexgrip_machine::Protect;
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

    /// The uncorrectable bytes of the uniform word, and of each bank's word, bank 0's lowest. Only a memory with check
    /// bits has them.
    pub uniform_faults: Vec<Signal<Out, Bits<4>>>,
    pub bank_faults: Vec<Signal<Out, Bits<64>>>,
    has_parity: Constant<Bit>,
    has_secded: Constant<Bit>,
    /// Check bits of each bank: with parity, with SECDED.
    parity: Vec<BlockRam<8, 4, 4>>,
    check: Vec<BlockRam<8, 20, 4>>,
}

impl SharedMemory {
    /// Returns a shared memory with these check bits.
    pub fn new(protect: Protect) -> Self {
        let banks_if = |exist| if exist { 16 } else { 0 };
        SharedMemory {
            uniform_faults: optional(protect.has_check_bits()),
            bank_faults: optional(protect.has_check_bits()),
            has_parity: Constant::new(protect.has_parity()),
            has_secded: Constant::new(protect.has_secded()),
            parity: (0..banks_if(protect.has_parity())).map(|_| BlockRam::blank().collision_free()).collect(),
            check: (0..banks_if(protect.has_secded())).map(|_| BlockRam::blank().collision_free()).collect(),
            ..Self::blank()
        }
    }
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
        if self.has_parity.val() {
            self.check_parity(reads, gathers, scatters, inits);
        }
        if self.has_secded.val() {
            self.correct(reads, gathers, scatters, inits);
        }
    }
}

/// Returns the write to a bank: initialisation, or else a store. Without one, no bytes are written.
#[hdl_fn]
fn write_to_bank(inits: Bit, init: SharedInit, stores: Bit, access: BankAccess) -> BankAccess {
    if inits {
        BankAccess { row: init.address.bits::<8>(6), bytes: bits(0b1111), word: mask(!init.clear, init.data) }
    } else {
        BankAccess { bytes: mask(stores, access.bytes), ..access }
    }
}

impl SharedMemory {
    /// Keeps a parity bit for each byte, and compares it with the words read.
    #[hdl_part]
    fn check_parity(&mut self, reads: Bits<16>, gathers: Bits<16>, stores: Bits<16>, inits: Bits<16>) {
        let mut faults = Bits::<64>::ZERO;
        for i in 0..16 {
            let access = self.banks.access[i].val();
            let row = if reads.get_bit(i) { self.uniform.address.val().bits::<8>(6) } else { access.row };
            let written = write_to_bank(inits.get_bit(i), self.init.val(), stores.get_bit(i), access);
            self.parity[i].fetch(reads.get_bit(i) || gathers.get_bit(i), row);
            self.parity[i].write(written.bytes, written.row, parity_of_bytes(written.word));
            let wrong = parity_of_bytes(self.bank[i].read_data.val()) ^ self.parity[i].read_data.val();
            faults = faults | (wrong.resize::<64>() << (4 * i) as u64);
        }
        self.report_faults(faults);
    }

    /// Keeps the check bits of SECDED for each byte, and corrects the words read.
    #[hdl_part]
    fn correct(&mut self, reads: Bits<16>, gathers: Bits<16>, stores: Bits<16>, inits: Bits<16>) {
        let mut faults = Bits::<64>::ZERO;
        let mut read_word = Bits::<32>::ZERO;
        for i in 0..16 {
            let access = self.banks.access[i].val();
            let row = if reads.get_bit(i) { self.uniform.address.val().bits::<8>(6) } else { access.row };
            let written = write_to_bank(inits.get_bit(i), self.init.val(), stores.get_bit(i), access);
            self.check[i].fetch(reads.get_bit(i) || gathers.get_bit(i), row);
            self.check[i].write(written.bytes, written.row, check_bits_of_bytes(written.word));
            let corrected = corrected_bytes(self.bank[i].read_data.val(), self.check[i].read_data.val());
            self.banks.word[i].next = corrected.word;
            read_word = read_word | mask(self.read_bank.q.val().get_bit(i), corrected.word);
            faults = faults | (corrected.uncorrectable.resize::<64>() << (4 * i) as u64);
        }
        self.uniform.word.next = read_word;
        self.report_faults(faults);
    }

    /// Reports the uncorrectable bytes of the banks' words and of the uniform word.
    #[hdl_part]
    fn report_faults(&mut self, faults: Bits<64>) {
        self.bank_faults[0].next = faults;
        let mut uniform = Bits::<4>::ZERO;
        for i in 0..16 {
            uniform = uniform | mask(self.read_bank.q.val().get_bit(i), faults.bits::<4>(4 * i));
        }
        self.uniform_faults[0].next = uniform;
    }
}
