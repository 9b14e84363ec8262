//! The multiplier of the double-precision unit: 53 x 53 bits in nine multipliers of 18 x 18 bits.
//!
//! Each factor has three digits of 18 bits. Products of digits that do not overlap are concatenated, so five numbers
//! are added:
//!
//! ```text
//! bit  106     90      72      54      36      18      0
//!      | 2 * 2         | 1 * 1         | 0 * 0         |
//!              | 1 * 2         | 0 * 1         |
//!              | 2 * 1         | 1 * 0         |
//!                      | 0 * 2         |
//!                      | 2 * 0         |
//! ```

use hdlkit::prelude::*;

/// The product of two unsigned numbers of 53 bits, three cycles later.
///
/// ```text
/// cycle   t              t+1              t+2               t+3
///         x1_a, x1_b     operands held    digits' products  x4_product
/// ```
#[circuit]
#[derive(Clone, Debug)]
pub struct DoubleMultiplier {
    pub clock: Signal<In, Clock>,
    pub x1_a: Signal<In, Bits<53>>,
    pub x1_b: Signal<In, Bits<53>>,
    pub x4_product: Signal<Out, WideBits<106>>,

    a: DFF<Bits<53>>,
    b: DFF<Bits<53>>,
    /// The product of digits i of a and j of b at index 3 * i + j.
    x3: [DFF<Bits<36>>; 9],
    x4: DFF<WideBits<106>>,
}

/// The product of two unsigned numbers of 18 bits. Synthesis drops the signs, which are always 0.
#[hdl_fn]
fn unsigned_product(a: Bits<18>, b: Bits<18>) -> Bits<36> {
    let product: Bits<38> = a.resize::<19>().signed_product(b.resize::<19>());
    product.low::<36>()
}

impl Logic for DoubleMultiplier {
    #[hdl_gen]
    fn update(&mut self) {
        self.a.d.next = self.x1_a.val();
        self.b.d.next = self.x1_b.val();
        let a = self.a.q.val().resize::<54>();
        let b = self.b.q.val().resize::<54>();
        for i in 0..3 {
            for j in 0..3 {
                self.x3[3 * i + j].d.next = unsigned_product(a.bits::<18>(18 * i), b.bits::<18>(18 * j));
            }
        }

        let squares: WideBits<72> = self.x3[4].q.val().widen::<36>().concat(self.x3[0].q.val().widen::<36>());
        let outer = (self.x3[8].q.val().widen::<106>() << 72) | squares.resize::<106>();
        let upward: WideBits<72> = self.x3[5].q.val().widen::<36>().concat(self.x3[1].q.val().widen::<36>());
        let downward: WideBits<72> = self.x3[7].q.val().widen::<36>().concat(self.x3[3].q.val().widen::<36>());
        // The third digits have only 17 bits, so none of these sums has a carry.
        let near = upward + downward;
        let far = self.x3[2].q.val() + self.x3[6].q.val();
        let inner = near + (far.widen::<72>() << 18);
        self.x4.d.next = outer + (inner.resize::<106>() << 18);
        self.x4_product.next = self.x4.q.val();
    }
}
