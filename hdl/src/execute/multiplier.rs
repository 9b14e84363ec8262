//! The multiplier of a lane: signed 25 x 25 bits, enough for 24 x 24 bits of either signedness.
//!
//! Integers and floats share it. Its registers are where a DSP slice has them, before and after the product, so
//! synthesis infers slices.

use hdlkit::prelude::*;

/// The product of two signed numbers of 25 bits, two cycles later.
///
/// ```text
/// cycle   t              t+1              t+2
///         x1_a, x1_b     operands held    x3_product = bits 47..0 of x1_a * x1_b
/// ```
/// Bits 49 and 48 of the product are omitted: operands of 24 bits, signed or not, do not need them.
#[circuit]
#[derive(Clone, Debug)]
pub struct Multiplier {
    pub clock: Signal<In, Clock>,
    /// Two's complement.
    pub x1_a: Signal<In, Bits<25>>,
    /// Two's complement.
    pub x1_b: Signal<In, Bits<25>>,
    pub x3_product: Signal<Out, Bits<48>>,

    a: DFF<Bits<25>>,
    b: DFF<Bits<25>>,
    x3: DFF<Bits<48>>,
}

impl Logic for Multiplier {
    #[hdl_gen]
    fn update(&mut self) {
        self.a.d.next = self.x1_a.val();
        self.b.d.next = self.x1_b.val();
        let product: Bits<50> = self.a.q.val().signed_product(self.b.q.val());
        self.x3.d.next = product.low::<48>();
        self.x3_product.next = self.x3.q.val();
    }
}
