//! Block RAM with a value for each lane in every word, for queues of beats.

use hdlkit::prelude::*;

/// 2^A words of LANES values of D bits, initially zero, in block RAMs of W bits: W / D lanes in each.
///
/// ```text
/// cycle        t                                   t+1 until the next read
/// read         read_enable, read_address           read_data
/// write        address, data, enable               visible to reads
/// ```
/// A word must not be read in the cycle in which it is written.
#[circuit]
pub struct LaneBlockRam<const A: usize, const D: usize, const W: usize, const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: [Signal<Out, Bits<D>>; LANES],
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: [Signal<In, Bits<D>>; LANES],
    pub write_enable: Signal<In, Bit>,
    /// Lanes share block RAMs: with narrow values, one for each lane would be mostly empty.
    #[blank((0..Self::GROUPS).map(|_| BlockRam::blank().collision_free()).collect())]
    groups: Vec<BlockRam<A, W, 1>>,
}

impl<const A: usize, const D: usize, const W: usize, const LANES: usize> LaneBlockRam<A, D, W, LANES> {
    const GROUPS: usize = {
        assert!(LANES * D % W == 0 && W % D == 0, "the block RAMs have no lanes in part");
        LANES * D / W
    };
}

impl<const A: usize, const D: usize, const W: usize, const LANES: usize> Logic for LaneBlockRam<A, D, W, LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        for g in 0..Self::GROUPS {
            let mut write_word = Bits::<W>::ZERO;
            for i in 0..W / D {
                let data = self.write_data[g * (W / D) + i].val().resize::<W>();
                write_word = write_word | (data << (i * D) as u64);
                self.read_data[g * (W / D) + i].next = self.groups[g].read_data.val().bits::<D>(i * D);
            }
            self.groups[g].write(self.write_enable.val().into(), self.write_address.val(), write_word);
            self.groups[g].fetch(self.read_enable.val(), self.read_address.val());
        }
    }
}
