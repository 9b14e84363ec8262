//! Queue storage with a value for each thread of a warp: written beat by beat, read by half-warps.
//!
//! The lanes deliver beats, and the shared memory banks serve half-warps: this block converts the width.

use hdlkit::prelude::*;

/// A beat to write.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct QueueWrite {
    pub enable: Bit,
    pub place: Bits<2>,
    /// Lane i of beat b is thread b * LANES + i.
    pub beat: Bits<2>,
}

/// Four entries of 32 values of D bits, initially zero. PAIR is 2 * D.
///
/// ```text
/// cycle   t                         t+1
/// write   enable, place, beat, data seen by takes
/// take    take, take_half           half, until the next take
/// ```
/// An entry must not be taken in the cycle of a write to it: the storage is block RAM.
#[circuit]
pub struct WarpQueue<const D: usize, const PAIR: usize, const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub write: Signal<In, QueueWrite>,
    pub write_data: [Signal<In, Bits<D>>; LANES],
    pub take: Signal<In, Bit>,
    /// The entry in bits 2..1. Bit 0 selects threads 16 to 31, else 0 to 15.
    pub take_half: Signal<In, Bits<3>>,
    pub half: [Signal<Out, Bits<D>>; 16],

    /// A block RAM for each pair of a half-warp's threads, with a word for each half-warp. A beat of 32 lanes writes
    /// both halves at once: pairs 8 and up are then the upper half's.
    #[blank((0..Self::PAIRS).map(|_| BlockRam::blank().collision_free()).collect())]
    pair: Vec<BlockRam<3, PAIR, 1>>,
}

impl<const D: usize, const PAIR: usize, const LANES: usize> WarpQueue<D, PAIR, LANES> {
    const PAIRS: usize = if LANES == 32 { 16 } else { 8 };
}

impl<const D: usize, const PAIR: usize, const LANES: usize> Logic for WarpQueue<D, PAIR, LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let write = self.write.val();
        let upper = match LANES {
            8 => write.beat.get_bit(1),
            16 => write.beat.get_bit(0),
            _ => false,
        };
        for p in 0..Self::PAIRS {
            // With 8 lanes, a half-warp is two beats.
            let here = LANES != 8 || write.beat.get_bit(0) == (p >= 4);
            let word = self.write_data[(2 * p + 1) % LANES].val().concat(self.write_data[2 * p % LANES].val());
            let half = write.place.concat((upper || p >= 8).fill::<1>());
            self.pair[p].write((write.enable && here).into(), half, word);
            self.pair[p].fetch(self.take.val(), self.take_half.val());
        }
        for p in 0..8 {
            let mut taken = self.pair[p].read_data.val();
            if LANES == 32 {
                // The other half's words have never been written: they are 0.
                taken = taken | self.pair[p + 8].read_data.val();
            }
            self.half[2 * p].next = taken.low::<D>();
            self.half[2 * p + 1].next = taken.bits::<D>(D);
        }
    }
}
