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

use crate::memory::are_registers;
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

/// The register file of an SM.
#[circuit]
pub struct RegisterFile<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub registers: RegisterReadPort<LANES>,
    pub write: RegisterWritePort<LANES>,

    bank: [BlockRam3R<11, 32, 2>; LANES],
}

/// Returns the address of a row's beat in each bank.
#[hdl_fn]
fn place<const LANES: usize>(row: Bits<9>, beat: Bits<2>) -> Bits<11> {
    row.resize::<11>() << (clog2(32 / LANES) as u64) | beat.resize()
}

impl<const LANES: usize> RegisterFile<LANES> {
    /// A register file of `registers` 32-bit registers: 16,384 for 512 rows.
    ///
    /// # Panics
    /// If an SM cannot have this [number of registers](are_registers).
    pub fn new(registers: u32) -> Self {
        assert!(are_registers(registers), "no register file has {registers} registers");
        let beats = 32 / LANES;
        RegisterFile {
            bank: std::array::from_fn(|_| BlockRam3R::new(registers as usize / 32 * beats).collision_free()),
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
    }
}
