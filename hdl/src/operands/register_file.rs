//! The register file: one bank per lane, three reads and one write per beat.
//!
//! A row is one register of the 32 threads of a warp. Lane i of beat b holds thread b*LANES+i, so an address in a bank
//! is `row * BEATS + beat`. There are 512 rows, as in FlexGripPlus (16,384 registers), or fewer: a row past the end
//! aliases another one.
//!
//! ```text
//! cycle          t                     t+1
//! read           rows, beat, enable    data_1, data_2, data_3 of every lane
//! write          row, beat, data       seen by reads of cycle t+1
//! ```
//! Halves are written independently. Registers are not cleared between blocks: the scoreboard tracks the registers that
//! have been written since the warp began, and the read stage replaces all others by 0.
//!
//! A protected register file has check bits for each half of a word (`memory/check_bits.rs`), because halves are
//! written independently. They are in memories beside the banks with the same timing: encoded on the way to the write
//! port, checked and corrected on the way from the read ports, without a further cycle. A corrected word is not written
//! back.

use crate::memory::are_registers;
use crate::memory::check_bits::{check_bits_of_word, corrected_word, parity_of_word};
use crate::optional::optional;
use flexgrip_machine::Protect;
use hdlkit::prelude::*;

/// Reads of three registers of a beat; the words are valid in the next cycle.
#[interface(mirror = RegisterReaderPort)]
pub struct RegisterReadPort<const LANES: usize> {
    pub enable: Signal<In, Bit>,
    pub beat: Signal<In, Bits<2>>,
    pub row_1: Signal<In, Bits<9>>,
    pub row_2: Signal<In, Bits<9>>,
    pub row_3: Signal<In, Bits<9>>,
    pub data_1: [Signal<Out, Bits<32>>; LANES],
    pub data_2: [Signal<Out, Bits<32>>; LANES],
    pub data_3: [Signal<Out, Bits<32>>; LANES],
}

/// A write of a register's beat.
#[interface(mirror = RegisterWriterPort)]
pub struct RegisterWritePort<const LANES: usize> {
    pub row: Signal<In, Bits<9>>,
    pub beat: Signal<In, Bits<2>>,
    /// Halves of each lane to write.
    pub halves: [Signal<In, Bits<2>>; LANES],
    pub data: [Signal<In, Bits<32>>; LANES],
}

/// Lanes whose word has an uncorrectable half, for each of the three reads.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct RegisterFaults {
    pub lower_1: Bits<32>,
    pub upper_1: Bits<32>,
    pub lower_2: Bits<32>,
    pub upper_2: Bits<32>,
    pub lower_3: Bits<32>,
    pub upper_3: Bits<32>,
}

/// The register file of an SM.
#[circuit]
pub struct RegisterFile<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub registers: RegisterReadPort<LANES>,
    pub write: RegisterWritePort<LANES>,

    /// The uncorrectable words, valid with the data. Only a protected register file has them.
    pub faults: Vec<Signal<Out, RegisterFaults>>,

    bank: [BlockRam3R<11, 32, 2>; LANES],
    has_parity: Constant<Bit>,
    has_secded: Constant<Bit>,
    /// Check bits of each lane's bank, the upper half's in the upper bits: with parity, with SECDED.
    parity: Vec<BlockRam3R<11, 2, 2>>,
    check: Vec<BlockRam3R<11, 12, 2>>,
}

/// Returns the address of a row's beat in each bank.
#[hdl_fn]
fn place<const LANES: usize>(row: Bits<9>, beat: Bits<2>) -> Bits<11> {
    row.resize::<11>() << (clog2(32 / LANES) as u64) | beat.resize()
}

impl<const LANES: usize> RegisterFile<LANES> {
    /// Returns a register file of `registers` 32-bit registers, 16,384 for 512 rows, with these check bits.
    ///
    /// # Panics
    /// If an SM cannot have this [number of registers](are_registers).
    pub fn new(registers: u32, protect: Protect) -> Self {
        assert!(are_registers(registers), "no register file has {registers} registers");
        let depth = registers as usize / 32 * (32 / LANES);
        let lanes_if = |exist| if exist { LANES } else { 0 };
        RegisterFile {
            bank: std::array::from_fn(|_| BlockRam3R::new(depth).collision_free()),
            has_parity: Constant::new(protect.has_parity()),
            has_secded: Constant::new(protect.has_secded()),
            parity: (0..lanes_if(protect.has_parity())).map(|_| BlockRam3R::new(depth).collision_free()).collect(),
            check: (0..lanes_if(protect.has_secded())).map(|_| BlockRam3R::new(depth).collision_free()).collect(),
            faults: optional(protect.has_check_bits()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for RegisterFile<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let beat = self.registers.beat.val();
        let read_1 = place::<LANES>(self.registers.row_1.val(), beat);
        let read_2 = place::<LANES>(self.registers.row_2.val(), beat);
        let read_3 = place::<LANES>(self.registers.row_3.val(), beat);
        let write = place::<LANES>(self.write.row.val(), self.write.beat.val());
        for i in 0..LANES {
            self.bank[i].read_enable.next = self.registers.enable.val();
            self.bank[i].read_address_1.next = read_1;
            self.bank[i].read_address_2.next = read_2;
            self.bank[i].read_address_3.next = read_3;
            self.bank[i].write(self.write.halves[i].val(), write, self.write.data[i].val());
            self.registers.data_1[i].next = self.bank[i].read_data_1.val();
            self.registers.data_2[i].next = self.bank[i].read_data_2.val();
            self.registers.data_3[i].next = self.bank[i].read_data_3.val();
        }
        if self.has_parity.val() {
            self.check_parity(read_1, read_2, read_3, write);
        }
        if self.has_secded.val() {
            self.correct(read_1, read_2, read_3, write);
        }
    }
}

impl<const LANES: usize> RegisterFile<LANES> {
    /// Keeps a parity bit for each half, and compares it with the words read.
    #[hdl_part]
    fn check_parity(&mut self, read_1: Bits<11>, read_2: Bits<11>, read_3: Bits<11>, write: Bits<11>) {
        let mut faults = RegisterFaults::default();
        for i in 0..LANES {
            self.parity[i].read_enable.next = self.registers.enable.val();
            self.parity[i].read_address_1.next = read_1;
            self.parity[i].read_address_2.next = read_2;
            self.parity[i].read_address_3.next = read_3;
            self.parity[i].write(self.write.halves[i].val(), write, parity_of_word(self.write.data[i].val()));
            let wrong_1 = parity_of_word(self.bank[i].read_data_1.val()) ^ self.parity[i].read_data_1.val();
            let wrong_2 = parity_of_word(self.bank[i].read_data_2.val()) ^ self.parity[i].read_data_2.val();
            let wrong_3 = parity_of_word(self.bank[i].read_data_3.val()) ^ self.parity[i].read_data_3.val();
            faults = RegisterFaults {
                lower_1: faults.lower_1.replace_bit(i, wrong_1.get_bit(0)),
                upper_1: faults.upper_1.replace_bit(i, wrong_1.get_bit(1)),
                lower_2: faults.lower_2.replace_bit(i, wrong_2.get_bit(0)),
                upper_2: faults.upper_2.replace_bit(i, wrong_2.get_bit(1)),
                lower_3: faults.lower_3.replace_bit(i, wrong_3.get_bit(0)),
                upper_3: faults.upper_3.replace_bit(i, wrong_3.get_bit(1)),
            };
        }
        self.faults[0].next = faults;
    }

    /// Keeps the check bits of SECDED for each half, and corrects the words read.
    #[hdl_part]
    fn correct(&mut self, read_1: Bits<11>, read_2: Bits<11>, read_3: Bits<11>, write: Bits<11>) {
        let mut faults = RegisterFaults::default();
        for i in 0..LANES {
            self.check[i].read_enable.next = self.registers.enable.val();
            self.check[i].read_address_1.next = read_1;
            self.check[i].read_address_2.next = read_2;
            self.check[i].read_address_3.next = read_3;
            self.check[i].write(self.write.halves[i].val(), write, check_bits_of_word(self.write.data[i].val()));
            let word_1 = corrected_word(self.bank[i].read_data_1.val(), self.check[i].read_data_1.val());
            let word_2 = corrected_word(self.bank[i].read_data_2.val(), self.check[i].read_data_2.val());
            let word_3 = corrected_word(self.bank[i].read_data_3.val(), self.check[i].read_data_3.val());
            self.registers.data_1[i].next = word_1.word;
            self.registers.data_2[i].next = word_2.word;
            self.registers.data_3[i].next = word_3.word;
            faults = RegisterFaults {
                lower_1: faults.lower_1.replace_bit(i, word_1.lower_uncorrectable),
                upper_1: faults.upper_1.replace_bit(i, word_1.upper_uncorrectable),
                lower_2: faults.lower_2.replace_bit(i, word_2.lower_uncorrectable),
                upper_2: faults.upper_2.replace_bit(i, word_2.upper_uncorrectable),
                lower_3: faults.lower_3.replace_bit(i, word_3.lower_uncorrectable),
                upper_3: faults.upper_3.replace_bit(i, word_3.upper_uncorrectable),
            };
        }
        self.faults[0].next = faults;
    }
}
