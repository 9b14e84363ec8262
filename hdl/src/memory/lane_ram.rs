//! Small RAMs whose words hold one value per lane: queues of beats. [`LaneRam`] is read in the same cycle,
//! [`LaneBlockRam`] for the next one.

use hdlkit::prelude::*;

/// 2^A words of LANES values of D bits, initially zero.
///
/// ```text
/// cycle        t                                   t+1
/// read         read_data = word at read_address
/// write        address, data, enable               seen by reads
/// ```
#[circuit]
pub struct LaneRam<const A: usize, const D: usize, const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: [Signal<Out, Bits<D>>; LANES],
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: [Signal<In, Bits<D>>; LANES],
    pub write_enable: Signal<In, Bit>,
    lanes: [LutRam<A, Bits<D>>; LANES],
}

impl<const A: usize, const D: usize, const LANES: usize> Logic for LaneRam<A, D, LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..LANES {
            self.lanes[i].read_address.next = self.read_address.val();
            self.read_data[i].next = self.lanes[i].read_data.val();
            self.lanes[i].write_address.next = self.write_address.val();
            self.lanes[i].write_data.next = self.write_data[i].val();
            self.lanes[i].write_enable.next = self.write_enable.val();
        }
    }
}

/// 2^A words of LANES values of D bits, initially zero, in block RAMs of W bits: W / D lanes in each.
///
/// ```text
/// cycle        t                                   t+1 until the next read
/// read         read_enable, read_address           read_data
/// write        address, data, enable               there for reads
/// ```
/// A word is never read in the cycle in which it is written.
#[circuit(own_blank)]
pub struct LaneBlockRam<const A: usize, const D: usize, const W: usize, const LANES: usize> {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    pub read_address: Signal<In, Bits<A>>,
    pub read_data: [Signal<Out, Bits<D>>; LANES],
    pub write_address: Signal<In, Bits<A>>,
    pub write_data: [Signal<In, Bits<D>>; LANES],
    pub write_enable: Signal<In, Bit>,
    /// A block RAM for each lane would hold few of the bits that it could.
    groups: Vec<BlockRam<A, W, 1>>,
}

impl<const A: usize, const D: usize, const W: usize, const LANES: usize> Blank for LaneBlockRam<A, D, W, LANES> {
    fn blank() -> Self {
        const { assert!(LANES * D % W == 0 && W % D == 0, "the block RAMs have no lanes in part") };
        let group = || BlockRam::new(1 << A, vec![]).collision_free();
        LaneBlockRam {
            clock: Blank::blank(),
            read_enable: Blank::blank(),
            read_address: Blank::blank(),
            read_data: Blank::blank(),
            write_address: Blank::blank(),
            write_data: Blank::blank(),
            write_enable: Blank::blank(),
            groups: std::iter::repeat_with(group).take(LANES * D / W).collect(),
            _activity: Default::default(),
        }
    }
}

impl<const A: usize, const D: usize, const W: usize, const LANES: usize> Logic for LaneBlockRam<A, D, W, LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        for g in 0..LANES * D / W {
            let mut write_word = Bits::<W>::ZERO;
            for i in 0..W / D {
                let data = self.write_data[g * (W / D) + i].val().resize::<W>();
                write_word = write_word | (data << (i * D) as u64);
                self.read_data[g * (W / D) + i].next = self.groups[g].read_data.val().bits::<D>(i * D);
            }
            self.groups[g].read_enable.next = self.read_enable.val();
            self.groups[g].read_address.next = self.read_address.val();
            self.groups[g].write_address.next = self.write_address.val();
            self.groups[g].write_data.next = write_word;
            self.groups[g].write_enable.next = self.write_enable.val().into();
        }
    }
}
