//! Credits: the free places of a queue, counted by who fills it.
//!
//! A queue that is far away cannot refuse: the one who fills it takes a credit with each entry and stops when none is left,
//! and the queue gives the credit back when the place is free again.

use hdlkit::prelude::*;

/// A counter of up to 2^BITS - 1 credits.
///
/// `take` and `give` in one cycle cancel out. `left` is true of the cycle's beginning: a credit that is given in a cycle
/// can be taken in the next.
#[derive(LogicBlock, Cycle, Blank)]
pub struct Credits<const BITS: usize> {
    pub clock: Signal<In, Clock>,
    /// All credits are back. The queue is empty then.
    pub clear: Signal<In, Bit>,
    /// A place is filled; only while `left`.
    pub take: Signal<In, Bit>,
    /// A place is free again.
    pub give: Signal<In, Bit>,
    /// At least one credit is left.
    pub left: Signal<Out, Bit>,

    count: DFF<Bits<BITS>>,
    places: Constant<Bits<BITS>>,
    _activity: Activity,
}

impl<const BITS: usize> Credits<BITS> {
    /// Credits for a queue of `places`; there are none before the first `clear`.
    ///
    /// # Panics
    /// If they do not fit into BITS.
    pub fn new(places: usize) -> Self {
        assert!(places < 1 << BITS, "{places} credits do not fit into {BITS} bits");
        Credits {
            places: Constant::new((places as u64).into()),
            ..Default::default()
        }
    }
}

impl<const BITS: usize> Logic for Credits<BITS> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count);
        self.left.next = self.count.q.val().any();
        if self.take.val() {
            if !self.give.val() {
                self.count.d.next = self.count.q.val() - 1;
            }
        } else if self.give.val() {
            self.count.d.next = self.count.q.val() + 1;
        }
        if self.clear.val() {
            self.count.d.next = self.places.val();
        }
    }
}
