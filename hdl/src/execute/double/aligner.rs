//! Stages 4 and 5 of the double-precision unit: the right shifter that aligns the smaller term to the larger one's
//! exponent.
//!
//! Shifts by 64, 32 and 16 are before the register, by 8, 4, 2 and 1 after it. In parallel with each level, its lost
//! bits are ORed into the sticky bit.

use hdlkit::prelude::*;

/// `x4_value` shifted right by `x4_count`, two cycles later; bit 0 is also set if any bit was lost.
#[circuit]
#[derive(Clone, Debug)]
pub struct DoubleAligner {
    pub clock: Signal<In, Clock>,
    pub x4_value: Signal<In, WideBits<109>>,
    pub x4_count: Signal<In, Bits<7>>,
    /// The count is 128 or more: every bit is lost.
    pub x4_beyond: Signal<In, Bit>,
    /// Invert the result, with two more bits.
    pub x5_invert: Signal<In, Bit>,
    /// The two low bits of the result before it is inverted.
    pub x5_low: Signal<Out, Bits<2>>,
    pub x6_value: Signal<Out, WideBits<111>>,

    x5: DFF<WideBits<109>>,
    x5_count: DFF<Bits<4>>,
    x5_lost: DFF<Bit>,
    x6: DFF<WideBits<111>>,
}

/// A value shifted right; true if a set bit was lost.
#[hdl_fn]
fn shifted(value: WideBits<109>, count: Bits<7>) -> (WideBits<109>, Bit) {
    let lost = value & !(WideBits::<109>::ONES << count);
    (value >> count, lost.any())
}

impl Logic for DoubleAligner {
    #[hdl_gen]
    fn update(&mut self) {
        let value = self.x4_value.val();
        let count = self.x4_count.val();
        let beyond = self.x4_beyond.val();
        let (by_64, lost_64) = shifted(value, count & 0b100_0000);
        let (by_32, lost_32) = shifted(by_64, count & 0b10_0000);
        let (by_16, lost_16) = shifted(by_32, count & 0b1_0000);
        self.x5.d.next = if beyond { WideBits::<109>::ZERO } else { by_16 };
        self.x5_count.d.next = count.low::<4>();
        self.x5_lost.d.next = (beyond && value.any()) || lost_64 || lost_32 || lost_16;

        let count = self.x5_count.q.val().resize::<7>();
        let (by_8, lost_8) = shifted(self.x5.q.val(), count & 0b1000);
        let (by_4, lost_4) = shifted(by_8, count & 0b100);
        let (by_2, lost_2) = shifted(by_4, count & 0b10);
        let (by_1, lost_1) = shifted(by_2, count & 0b1);
        let lost = self.x5_lost.q.val() || lost_8 || lost_4 || lost_2 || lost_1;
        let aligned = by_1.replace_bit(0, by_1.get_bit(0) || lost);
        self.x5_low.next = aligned.low::<2>().narrow::<2>();
        let inverted = aligned.resize::<111>() ^ self.x5_invert.val().fill::<1>().widen::<1>().sign_extend::<111>();
        self.x6.d.next = inverted;
        self.x6_value.next = self.x6.q.val();
    }
}
