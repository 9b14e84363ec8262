//! The multiplier of the special function unit: signed 18 x 18 bits, which is one DSP slice with its registers.
//!
//! A separate block because the kernel subset has no wide product; the lanes' multiplier is twice as large.

use hdlkit::prelude::*;

/// The product of two signed numbers of 18 bits, two cycles later.
#[derive(Clone, Debug, LogicBlock, Leaf, Ports, Blank)]
#[leaf(named_by_place)]
pub struct Product {
    pub clock: Signal<In, Clock>,
    /// Two's complement, like all ports here.
    pub a: Signal<In, Bits<18>>,
    pub b: Signal<In, Bits<18>>,
    pub product: Signal<Out, Bits<36>>,
    _a: Bits<18>,
    _b: Bits<18>,
}

impl Leaf for Product {
    #[inline(always)]
    fn edge(&mut self) -> bool {
        let signed = |x: Bits<18>| (x.raw() << 46) as i64 >> 46;
        let product = Bits::new((signed(self._a) * signed(self._b)) as u64);
        let (a, b) = (self.a.val(), self.b.val());
        let changed = self.product.next != product || self._a != a || self._b != b;
        self.product.next = product;
        self._a = a;
        self._b = b;
        changed
    }
    fn verilog(&self) -> String {
        "\
reg signed [17:0] held_a;
reg signed [17:0] held_b;
initial begin
    held_a = 18'd0;
    held_b = 18'd0;
    product = 36'd0;
end
always @(posedge clock) begin
    held_a <= a;
    held_b <= b;
    product <= held_a * held_b;
end
"
        .into()
    }
}
