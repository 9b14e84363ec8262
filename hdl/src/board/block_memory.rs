//! Global memory in block RAM on the chip's memory port (`gpgpu.rs`): for boards without another memory, and for
//! programs that fit.
//!
//! ```text
//! cycle      t          t+1              t+2                 t+3
//! read       request    in a register    block RAM's word    response_valid, words
//! write      request    in a register    written
//! refused    request    in a register                        memory_error, with the response if it is a read
//! ```
//! The register is needed because the chip has used up the cycle, and many block RAMs are far from it and from each
//! other.
//!
//! A request is taken in every cycle, and a read is answered [`LATENCY`] cycles later, with the words as of its own
//! cycle. The words of a lane are one block RAM. Addresses past the end are refused: nothing is written, and a read is
//! answered with undefined words, because the port needs an answer to each.

use crate::ports::MemorySlavePort;
use flexgrip_machine::sizes::Lanes;
use hdlkit::prelude::*;

/// Cycles from a read to its answer.
pub const LATENCY: u32 = 3;

/// The memory on a port of LANES words (8, 16 or 32).
#[derive(LogicBlock, Cycle, Blank)]
pub struct BlockMemory<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub memory: MemorySlavePort<LANES>,
    /// Pulse: an access was refused.
    pub memory_error: Signal<Out, Bit>,
    /// A `memory_error` pulse is pending.
    pub memory_busy: Signal<Out, Bit>,

    words: [BlockRam<16, 32, 4>; LANES],
    requested: DFF<Bit>,
    write: DFF<Bit>,
    address: DFF<Bits<32>>,
    write_data: [DFF<Bits<32>>; LANES],
    enable: [DFF<Bits<4>>; LANES],
    data: [DFF<Bits<32>>; LANES],
    reading: DFF<Bit>,
    refusing: DFF<Bit>,
    answers: DFF<Bit>,
    refused: DFF<Bit>,

    bytes: Constant<Bits<32>>,
    line_shift: Constant<Bits<3>>,
    line: Signal<Local, Bits<32>>,
    fits: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
    refuses: Signal<Local, Bit>,
    _activity: Activity,
}

impl<const LANES: usize> BlockMemory<LANES> {
    /// A memory of `bytes`, all zero.
    ///
    /// # Panics
    /// If `bytes` is not a power of two of 2 to 65,536 lines of LANES words.
    pub fn new(bytes: u32) -> Self {
        const { Lanes::assert(LANES) };
        let line = LANES as u32 * 4;
        assert!(
            bytes.is_power_of_two() && (2..=1 << 16).contains(&(bytes / line)),
            "a memory of {bytes} bytes; expected a power of two from 2 to 65,536 lines of {line} bytes"
        );
        BlockMemory {
            // A request either reads or writes.
            words: std::array::from_fn(|_| BlockRam::new((bytes / line) as usize, vec![]).collision_free()),
            bytes: Constant::new((bytes as u64).into()),
            line_shift: Constant::new((line.trailing_zeros() as u64).into()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for BlockMemory<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, requested, write, address, reading, refusing, answers, refused);
        self.memory.request_ready.next = true;
        self.requested.d.next = self.memory.request_valid.val();
        self.write.d.next = self.memory.request_write.val();
        self.address.d.next = self.memory.request_address.val();
        self.fits.next = self.address.q.val() < self.bytes.val();
        self.reads.next = self.requested.q.val() && !self.write.q.val();
        self.writes.next = self.requested.q.val() && self.write.q.val() && self.fits.val();
        self.refuses.next = self.requested.q.val() && !self.fits.val();
        self.line.next = self.address.q.val() >> self.line_shift.val();
        self.reading.d.next = self.reads.val();
        self.refusing.d.next = self.refuses.val();
        for i in 0..LANES {
            self.words[i].clock.next = self.clock.val();
            self.data[i].clock.next = self.clock.val();
            self.write_data[i].clock.next = self.clock.val();
            self.enable[i].clock.next = self.clock.val();
            self.write_data[i].d.next = self.memory.request_data[i].val();
            self.enable[i].d.next = self.memory.request_enable[i].val();
            self.words[i].read_enable.next = self.reads.val();
            self.words[i].read_address.next = self.line.val().get_bits::<16>(0);
            self.words[i].write_address.next = self.line.val().get_bits::<16>(0);
            self.words[i].write_data.next = self.write_data[i].q.val();
            self.words[i].write_enable.next = 0.into();
            if self.writes.val() {
                self.words[i].write_enable.next = self.enable[i].q.val();
            }
            self.data[i].d.next = self.data[i].q.val();
            if self.reading.q.val() {
                self.data[i].d.next = self.words[i].read_data.val();
            }
            self.memory.response_data[i].next = self.data[i].q.val();
        }
        self.answers.d.next = self.reading.q.val();
        self.refused.d.next = self.refusing.q.val();
        self.memory.response_valid.next = self.answers.q.val();
        self.memory_error.next = self.refused.q.val();
        self.memory_busy.next = self.refuses.val() || self.refusing.q.val() || self.refused.q.val();
    }
}
