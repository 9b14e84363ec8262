//! Credits: the free places of a queue, counted where it is filled.
//!
//! A queue that is far away cannot refuse. Its sender takes a credit with each entry and stops when none is left; the
//! queue gives the credit back when the place is free again.

use crate::count::up_down;
use hdlkit::prelude::*;

/// A counter of up to 2^BITS - 1 credits.
///
/// There are none before the first `clear`. `take` and `give` in one cycle cancel out. `left` tells of the cycle's
/// beginning: a credit that is given in a cycle can be taken in the next.
#[circuit]
pub struct Credits<const BITS: usize> {
    pub clock: Signal<In, Clock>,
    /// All credits are back: as many as there are `places`. The queue is empty then.
    pub clear: Signal<In, Bit>,
    /// Places of the queue; always the same.
    pub places: Signal<In, Bits<BITS>>,
    /// A place is filled; only while `left`.
    pub take: Signal<In, Bit>,
    /// A place is free again.
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
