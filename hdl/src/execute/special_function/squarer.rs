//! The squarer of the special function unit: a square without its lower half, as on the G80.
//!
//! The hardware's array cuts each partial product to its upper bits, adds, and halves. The rest is symmetric: the
//! products of two different bits of `x` occur twice, so one of each is enough, at the weight that remains after
//! halving; a bit's product with itself is the bit.
//!
//! ```text
//! row j = 10..16   bits j-1 .. 18-j of x, if bit j is set
//! diagonal         bit i = 10..16 of x at 2i-19
//! ```

use hdlkit::prelude::*;

/// `flexgrip_arith::special::square` of a 17-bit number, a cycle later.
#[circuit]
#[derive(Clone, Debug)]
pub struct Squarer {
    pub clock: Signal<In, Clock>,
    pub x: Signal<In, Bits<17>>,
    pub square: Signal<Out, Bits<15>>,

    sum: DFF<Bits<15>>,
}

impl Logic for Squarer {
    #[hdl_gen]
    fn update(&mut self) {
        let x = self.x.val();
        // rows[i] is row 10 + i.
        let mut rows = [Bits::<15>::ZERO; 7];
        let mut diagonal = Bits::<15>::ZERO;
        for i in 0..7 {
            let below = (x >> (8 - i) as u64).low::<15>() & bits::<4>(2 * i as u64 + 2).ones_below::<15>();
            rows[i] = mask(x.get_bit(10 + i), below);
            diagonal = diagonal.replace_bit(2 * i + 1, x.get_bit(10 + i));
        }
        let upper = (rows[6] + rows[5]) + (rows[4] + rows[3]);
        let lower = (rows[2] + rows[1]) + (rows[0] + diagonal);
        self.sum.d.next = upper + lower;
        self.square.next = self.sum.q.val();
    }
}
