//! The lane that leads a request.

use super::lowest_lane;
use hdlkit::prelude::*;

/// Selects the address of the lowest waiting lane; valid in the same cycle.
#[circuit]
pub struct Leader<const LANES: usize> {
    /// Lanes that wait; bits LANES.. do not count.
    pub pending: Signal<In, Bits<32>>,
    pub address: [Signal<In, Bits<32>>; LANES],
    /// 0 if none waits.
    pub leader: Signal<Out, Bits<32>>,
}

impl<const LANES: usize> Logic for Leader<LANES> {
    #[hdl_gen]
    fn update(&mut self) {
        // A sum of products takes less time than a number and a multiplexer.
        let lowest = lowest_lane::<LANES>(self.pending.val());
        let mut sum = Bits::<32>::ZERO;
        for i in 0..LANES {
            sum = sum | mask(lowest.get_bit(i), self.address[i].val());
        }
        self.leader.next = sum;
    }
}
