//! Global memory in block RAM on the chip's memory port (`gpgpu.rs`): for boards without another memory, and for
//! programs that fit.
//!
//! ```text
//! cycle      t          t+1              t+2                 t+3
//! read       request    in a register    block RAM's word    response_valid, words
//! write      request    in a register    written
//! refused    request    in a register                        memory_error, with the response if it is a read
//! ```
//! Requests are registered because the chip's logic fills the cycle, and many block RAMs are far from it and from each
//! other.
//!
//! The memory accepts a request in every cycle and answers a read [`LATENCY`] cycles later, with the words as of its
//! request. Each lane has a block RAM. Addresses past the end are refused: nothing is written, and a read is answered
//! with undefined words, because the port requires a response to each read.

use crate::ports::MemorySlavePort;
use flexgrip_machine::sizes::Lanes;
use hdlkit::prelude::*;

/// Cycles from a read to its answer.
pub const LATENCY: u32 = 3;

/// The memory on a port of LANES words (8, 16 or 32).
#[circuit]
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
            // Collision-free, because a request either reads or writes.
            words: std::array::from_fn(|_| BlockRam::new((bytes / line) as usize, vec![]).collision_free()),
            bytes: Constant::new((bytes as u64).into()),
            ..Default::default()
        }
    }
}

impl<const LANES: usize> Logic for BlockMemory<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        self.memory.request_ready.next = true;
        self.requested.d.next = self.memory.request_valid.val();
        self.write.d.next = self.memory.request_write.val();
        self.address.d.next = self.memory.request_address.val();
        let requested = self.requested.q.val();
        let fits = self.address.q.val() < self.bytes.val();
        let reads = requested && !self.write.q.val();
        let writes = requested && self.write.q.val() && fits;
        let refuses = requested && !fits;
        let line = self.address.q.val().bits::<16>(clog2(4 * LANES));
        self.reading.d.next = reads;
        self.refusing.d.next = refuses;
        for i in 0..LANES {
            self.write_data[i].d.next = self.memory.request_data[i].val();
            self.enable[i].d.next = self.memory.request_enable[i].val();
            self.words[i].read_enable.next = reads;
            self.words[i].read_address.next = line;
            self.words[i].write_address.next = line;
            self.words[i].write_data.next = self.write_data[i].q.val();
            self.words[i].write_enable.next = mask(writes, self.enable[i].q.val());
            if self.reading.q.val() {
                self.data[i].d.next = self.words[i].read_data.val();
            }
            self.memory.response_data[i].next = self.data[i].q.val();
        }
        self.answers.d.next = self.reading.q.val();
        self.refused.d.next = self.refusing.q.val();
        self.memory.response_valid.next = self.answers.q.val();
        self.memory_error.next = self.refused.q.val();
        self.memory_busy.next = refuses || self.refusing.q.val() || self.refused.q.val();
    }
}
