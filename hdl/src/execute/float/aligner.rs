//! The right shifter before the float lane's adder: aligns the smaller operand to the larger one's exponent.
//!
//! Three levels of one LUT per bit shift by multiples of 16, of 4 and of 1; in parallel with each level, its lost bits
//! are ORed into the sticky bit.

use hdlkit::prelude::*;

/// `x3_value` shifted right by `x3_count`, a cycle later; bit 0 is also set if any bit was lost.
#[circuit]
#[derive(Clone, Debug)]
pub struct Aligner {
    pub clock: Signal<In, Clock>,
    pub x3_value: Signal<In, Bits<35>>,
    pub x3_count: Signal<In, Bits<6>>,
    /// The count is 64 or more: every bit is lost.
    pub x3_beyond: Signal<In, Bit>,
    pub x4_value: Signal<Out, Bits<35>>,

    x4: DFF<Bits<35>>,
}

/// A value shifted right; true if a set bit was lost.
#[hdl_fn]
fn shifted(value: Bits<35>, count: Bits<6>) -> (Bits<35>, Bit) {
    let lost = value & !(Bits::<35>::ONES << count);
    (value >> count, lost.any())
}

impl Logic for Aligner {
    #[hdl_gen]
    fn update(&mut self) {
        let value = self.x3_value.val();
        let count = self.x3_count.val();
        let beyond = self.x3_beyond.val();
        let (by_16, lost_16) = shifted(value, count & 0b11_0000);
        let (by_4, lost_4) = shifted(mask(!beyond, by_16), count & 0b1100);
        let (by_1, lost_1) = shifted(by_4, count & 0b11);
        let lost = (beyond && value.any()) || lost_16 || lost_4 || lost_1;
        self.x4.d.next = by_1 | mask(lost, bits::<35>(1));
        self.x4_value.next = self.x4.q.val();
    }
}
