//! Queue storage whose words hold a value per thread of a warp: written beat by beat, read by half-warps.
//!
//! A beat is what the lanes deliver in a cycle, a half-warp what the shared memory banks serve. One block, so that the
//! width conversion is in one place.

use hdlkit::prelude::*;

/// Places of a [`WarpQueue`].
pub const PLACES: usize = 4;

/// Four places of 32 values of D bits, initially zero. PAIR is 2 * D.
///
/// ```text
/// cycle   t                                    t+1
/// write   place, beat, data, enable            seen by takes
/// take    place, half                          half, until the next take
/// ```
/// Block RAM: a place is never taken in the cycle of a write to it.
#[circuit]
pub struct WarpQueue<const D: usize, const PAIR: usize, const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_place: Signal<In, Bits<2>>,
    /// Lane i of beat b is thread b * LANES + i.
    pub write_beat: Signal<In, Bits<2>>,
    pub write_data: [Signal<In, Bits<D>>; LANES],
    pub take: Signal<In, Bit>,
    pub take_place: Signal<In, Bits<2>>,
    /// Threads 16 to 31, else 0 to 15.
    pub take_upper: Signal<In, Bit>,
    pub half: [Signal<Out, Bits<D>>; 16],

    /// A block RAM for each pair of a half-warp's threads, with a word for each half-warp. A beat of 32 lanes writes both
    /// halves at once: then pairs 8.. are the upper half's.
    pair: Vec<BlockRam<3, PAIR, 1>>,
}

impl<const D: usize, const PAIR: usize, const LANES: usize> WarpQueue<D, PAIR, LANES> {
    const PAIRS: usize = if LANES == 32 { 16 } else { 8 };

    /// An empty queue.
    pub fn new() -> Self {
        WarpQueue { pair: (0..Self::PAIRS).map(|_| BlockRam::blank().collision_free()).collect(), ..Default::default() }
    }
}

impl<const D: usize, const PAIR: usize, const LANES: usize> Logic for WarpQueue<D, PAIR, LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        let beat = self.write_beat.val();
        let upper = match LANES {
            8 => beat.get_bit(1),
            16 => beat.get_bit(0),
            _ => false,
        };
        for p in 0..Self::PAIRS {
            // With 8 lanes, a half-warp is two beats.
            let here = LANES != 8 || beat.get_bit(0) == (p >= 4);
            let first = self.write_data[2 * p % LANES].val();
            let second = self.write_data[(2 * p + 1) % LANES].val();
            self.pair[p].write_enable.next = (self.write_enable.val() && here).into();
            self.pair[p].write_address.next = self.write_place.val().concat((upper || p >= 8).fill::<1>());
            self.pair[p].write_data.next = second.concat(first);
            self.pair[p].read_enable.next = self.take.val();
            self.pair[p].read_address.next = self.take_place.val().concat(self.take_upper.val().fill::<1>());
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
