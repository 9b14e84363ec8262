//! The multiplier of the special function unit: signed 18 x 18 bits, which is one DSP slice with its registers. The
//! [multiplier](crate::execute::multiplier) of a lane is twice as large.

use hdlkit::prelude::*;

/// The product of two signed numbers of 18 bits, two cycles later.
#[circuit]
#[derive(Clone, Debug)]
pub struct Product {
    pub clock: Signal<In, Clock>,
    /// Two's complement, like all ports here.
    pub a: Signal<In, Bits<18>>,
    pub b: Signal<In, Bits<18>>,
    pub product: Signal<Out, Bits<36>>,

    held_a: DFF<Bits<18>>,
    held_b: DFF<Bits<18>>,
    result: DFF<Bits<36>>,
}

impl Logic for Product {
    #[hdl_gen]
    fn update(&mut self) {
        self.held_a.d.next = self.a.val();
        self.held_b.d.next = self.b.val();
        self.result.d.next = self.held_a.q.val().signed_product(self.held_b.q.val());
        self.product.next = self.result.q.val();
    }
}
