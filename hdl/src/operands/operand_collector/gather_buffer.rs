//! The gather buffer: routes the banks' words to their threads, and holds the operands of two instructions until they
//! are read.

use crate::memory::coalescer::load_assembly::loaded_value;
use crate::memory::coalescer::store_buffer::touched;
use crate::optional::optional;
use hdlkit::prelude::*;

/// The words of a step, and the threads that they are for.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct GatherStep {
    pub buffer: Bit,
    /// True for threads 16 to 31 of the warp, false for 0 to 15.
    pub upper: Bit,
    /// With 8 lanes: true for threads 8 to 15 of the half-warp, false for 0 to 7. Ignored with more lanes.
    pub odd: Bit,
    /// All threads get `constant_word`.
    pub constant: Bit,
    /// Access type: 0 u8, 1 u16, 2 s16, 3 b32.
    pub access: Bits<2>,
    /// Threads of the half-warp that get a word; with 8 lanes, only the phase's threads count.
    pub threads: Bits<16>,
}

/// Two buffers of 32 words, initially zero.
///
/// ```text
/// cycle   t                                            t+1
/// write   words of the banks, threads, their places    seen by reads
/// read    lane = word of the buffer's beat
/// ```
/// The bytes of a thread's access are extracted from its bank's word, or from `constant_word`, and extended to 32 bits.
#[circuit]
pub struct GatherBuffer<const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub write: Signal<In, GatherStep>,
    pub constant_word: Signal<In, Bits<32>>,
    /// Each thread's bank (bits 5..2) and byte (bits 1..0).
    pub place: [Signal<In, Bits<6>>; 16],
    pub word: [Signal<In, Bits<32>>; 16],
    pub read_buffer: Signal<In, Bit>,
    pub read_beat: Signal<In, Bits<2>>,
    pub lane: [Signal<Out, Bits<32>>; LANES],

    /// The lane's words; an address is a buffer and a beat.
    memory: [LutRam<3, Bits<32>>; LANES],

    /// Shared memory has check bits. If it has: the uncorrectable bytes of each bank's word, bank 0's lowest; true if a
    /// thread's access contains one of them.
    has_check_bits: Constant<Bit>,
    pub faults: Vec<Signal<In, Bits<64>>>,
    pub uncorrectable: Vec<Signal<Out, Bit>>,
}

impl<const LANES: usize> GatherBuffer<LANES> {
    /// Number of threads whose words are written in a cycle.
    const WIDTH: usize = if LANES < 16 { LANES } else { 16 };

    /// Number of the last beat of a warp, also the mask of a beat's number.
    const LAST_BEAT: u64 = 32 / LANES as u64 - 1;

    /// Returns empty buffers, for a shared memory with or without check bits.
    pub fn new(check_bits: bool) -> Self {
        GatherBuffer {
            has_check_bits: Constant::new(check_bits),
            faults: optional(check_bits),
            uncorrectable: optional(check_bits),
            ..Self::blank()
        }
    }
}

impl<const LANES: usize> Logic for GatherBuffer<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let write = self.write.val();
        // With 8 lanes, only the phase's threads take part.
        let odd = LANES == 8 && write.odd;
        let size = match write.access.index() {
            0 => bits::<3>(0),
            3 => bits(2),
            _ => bits(1),
        };
        let mut enable = [false; 16];
        let mut value = [Bits::<32>::ZERO; 16];
        for i in 0..Self::WIDTH {
            let place = if odd { self.place[i ^ 8].val() } else { self.place[i].val() };
            enable[i] = if odd { write.threads.get_bit(i ^ 8) } else { write.threads.get_bit(i) };
            let bank_word = self.word[place.bits::<4>(2).index()].val();
            let word = if write.constant { self.constant_word.val() } else { bank_word };
            value[i] = loaded_value(word, place.low::<2>(), size, write.access == 2);
        }

        let write_beat: Bits<2> = match LANES {
            8 => write.upper.fill::<1>().concat(write.odd.fill::<1>()),
            16 => mask(write.upper, bits(1)),
            _ => bits(0),
        };
        let read_beat = self.read_beat.val() & Self::LAST_BEAT;
        for i in 0..LANES {
            // With 32 lanes, a half-warp is in the lower or in the upper lanes.
            let here = LANES != 32 || write.upper == (i >= 16);
            self.memory[i].write(enable[i & 15] && here, write.buffer.fill::<1>().concat(write_beat), value[i & 15]);
            self.lane[i].next = self.memory[i].read(self.read_buffer.val().fill::<1>().concat(read_beat));
        }
        if self.has_check_bits.val() {
            self.find_uncorrectable(size);
        }
    }
}

impl<const LANES: usize> GatherBuffer<LANES> {
    /// Finds an uncorrectable byte in an access of `1 << size` bytes.
    #[hdl_part]
    fn find_uncorrectable(&mut self, size: Bits<3>) {
        let write = self.write.val();
        let odd = LANES == 8 && write.odd;
        let mut found = false;
        for i in 0..Self::WIDTH {
            let place = if odd { self.place[i ^ 8].val() } else { self.place[i].val() };
            let served = if odd { write.threads.get_bit(i ^ 8) } else { write.threads.get_bit(i) };
            let wrong = (self.faults[0].val() >> (place.bits::<4>(2).resize::<6>() << 2)).low::<4>();
            found = found || served && !write.constant && (wrong & touched(place.low::<2>(), size)).any();
        }
        self.uncorrectable[0].next = found;
    }
}
