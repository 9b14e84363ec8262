//! Credit-based flow control: the sender counts the free entries of a queue.
//!
//! A distant queue cannot refuse an entry in time. So its sender spends a credit for each entry that it sends, and
//! stops when none is left. The queue returns the credit when the entry is free again.

use crate::count::up_down;
use hdlkit::prelude::*;

/// A counter of up to 2^BITS - 1 credits.
///
/// It is 0 before the first `clear`. `take` and `give` in one cycle cancel out. `left` shows the count at the beginning
/// of the cycle: a credit that is given in one cycle can be taken in the next.
#[circuit]
pub struct Credits<const BITS: usize> {
    pub clock: Signal<In, Clock>,
    /// Sets the count to `places`, the number of entries; the queue must be empty.
    pub clear: Signal<In, Bit>,
    /// Capacity of the queue, constant.
    pub places: Signal<In, Bits<BITS>>,
    /// An entry is filled. Only allowed while `left` is high.
    pub take: Signal<In, Bit>,
    /// An entry is free again.
    pub give: Signal<In, Bit>,
    /// At least one credit is left.
    pub left: Signal<Out, Bit>,

    count: DFF<Bits<BITS>>,
}

impl<const BITS: usize> Logic for Credits<BITS> {
    #[hdl_gen]
    fn update(&mut self) {
        let count = self.count.q.val();
        self.left.next = count.any();
        let next = up_down::<BITS>(count, self.give.val(), self.take.val());
        self.count.d.next = if self.clear.val() { self.places.val() } else { next };
    }
}
