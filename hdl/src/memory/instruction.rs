//! Instruction memory: the program, as aligned 64-bit words; the host writes it in halves.
//!
//! A word read in cycle t is available in t+1. The memory has 256 KiB, as in FlexGripPlus, or less. Addresses past the
//! end wrap: the program's end is checked at issue, and the host loads no program that does not fit.

use super::HostLoad;
use hdlkit::prelude::*;

/// A read of instruction memory; the word is valid in the next cycle.
#[interface(mirror = InstructionMasterPort)]
pub struct InstructionPort {
    pub enable: Signal<In, Bit>,
    /// Index of a 64-bit word.
    pub address: Signal<In, Bits<21>>,
    pub data: Signal<Out, Bits<64>>,
}

/// The instruction memory of an SM.
#[circuit]
pub struct InstructionMemory {
    pub clock: Signal<In, Clock>,
    pub instruction: InstructionPort,
    pub load: Signal<In, HostLoad>,
    memory: BlockRam<15, 64, 2>,
}

impl InstructionMemory {
    /// A memory of `bytes`, all zero.
    ///
    /// # Panics
    /// If `bytes` is not a power of two from 16 bytes to 256 KiB.
    pub fn new(bytes: u32) -> Self {
        InstructionMemory { memory: BlockRam::new(bytes as usize / 8, Vec::new()), ..Default::default() }
    }
}

impl Logic for InstructionMemory {
    #[hdl_gen]
    fn update(&mut self) {
        self.memory.fetch(self.instruction.enable.val(), self.instruction.address.val().low::<15>());
        self.instruction.data.next = self.memory.read_data.val();
        let load = self.load.val();
        let half = if load.address.get_bit(2) { bits::<2>(0b10) } else { bits(0b01) };
        self.memory.write(
            mask(load.valid && !load.constant, half),
            load.address.bits::<15>(3),
            load.data.concat(load.data),
        );
    }
}
