//! The multiplier of a lane: signed 25 x 25 bits, which is 24 x 24 bits of either signedness.
//!
//! A separate block because the kernel subset has no wide product, and because integers and floats share it. Its
//! registers are where a DSP slice has them, before and after the product, so that synthesis infers slices.

use hdlkit::prelude::*;

/// The product of two signed numbers of 25 bits, two cycles later.
///
/// ```text
/// cycle   t              t+1              t+2
///         x1_a, x1_b     operands held    x3_product = bits 47..0 of x1_a * x1_b
/// ```
/// Bits 49 and 48 of the product are omitted: operands of 24 bits, signed or not, do not need them.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports, Blank)]
pub struct Multiplier {
    pub clock: Signal<In, Clock>,
    /// Two's complement.
    pub x1_a: Signal<In, Bits<25>>,
    /// Two's complement.
    pub x1_b: Signal<In, Bits<25>>,
    pub x3_product: Signal<Out, Bits<48>>,
    _a: Bits<25>,
    _b: Bits<25>,
}

impl Leaf for Multiplier {
    #[inline(always)]
    fn edge(&mut self) -> bool {
        let signed = |x: Bits<25>| (x.raw() << 39) as i64 >> 39;
        let product = Bits::new(signed(self._a).wrapping_mul(signed(self._b)) as u64);
        let (a, b) = (self.x1_a.val(), self.x1_b.val());
        let changed = self.x3_product.next != product || self._a != a || self._b != b;
        self.x3_product.next = product;
        self._a = a;
        self._b = b;
        changed
    }
    fn verilog(&self) -> String {
        "\
reg signed [24:0] a;
reg signed [24:0] b;
wire signed [49:0] product = a * b;
initial begin
    a = 25'd0;
    b = 25'd0;
    x3_product = 48'd0;
end
always @(posedge clock) begin
    a <= x1_a;
    b <= x1_b;
    x3_product <= product[47:0];
end
"
        .into()
    }
}
