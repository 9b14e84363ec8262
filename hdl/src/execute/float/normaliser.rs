//! The normaliser after a float adder: shifts the sum left until its highest set bit is at the top, or by a given
//! count.
//!
//! Leading zeros are counted while shifting, two bits of the count at a time: each level finds the first group that is
//! not 0, of 16 bits, of 4 bits, then of single bits.

use hdlkit::prelude::*;

/// `value` of N bits, 33 to 48, shifted left until its highest bit is set, and `exponent` minus the count, a cycle
/// later.
///
/// A value of 0 stays 0, and its exponent is meaningless.
#[circuit]
#[derive(Clone, Debug)]
pub struct Normaliser<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub value: Signal<In, Bits<N>>,
    /// Two's complement: exponent of the highest bit.
    pub exponent: Signal<In, Bits<10>>,
    /// Shift by `count`, 0 to 63, instead; bits past the top are lost.
    pub counted: Signal<In, Bit>,
    pub count: Signal<In, Bits<6>>,
    pub normal_value: Signal<Out, Bits<N>>,
    pub normal_exponent: Signal<Out, Bits<10>>,

    shifted: DFF<Bits<N>>,
    lowered: DFF<Bits<10>>,
}

/// The index of the first true argument, or 3.
#[hdl_fn]
pub fn first_of(zeroth: Bit, first: Bit, second: Bit) -> Bits<2> {
    if zeroth {
        bits::<2>(0)
    } else if first {
        bits(1)
    } else if second {
        bits(2)
    } else {
        bits(3)
    }
}

impl<const N: usize> Logic for Normaliser<N> {
    #[hdl_gen]
    fn update(&mut self) {
        let counted = self.counted.val();
        let count = self.count.val();
        let value = self.value.val();
        let sixteens = if counted {
            count.bits::<2>(4)
        } else {
            first_of(value.bits::<16>(N - 16).any(), value.bits::<16>(N - 32).any(), true)
        };
        let by_16 = value << (sixteens.resize::<6>() << 4);
        let fours = if counted {
            count.bits::<2>(2)
        } else {
            first_of(by_16.bits::<4>(N - 4).any(), by_16.bits::<4>(N - 8).any(), by_16.bits::<4>(N - 12).any())
        };
        let by_4 = by_16 << (fours.resize::<4>() << 2);
        let ones = if counted {
            count.low::<2>()
        } else {
            first_of(by_4.get_bit(N - 1), by_4.get_bit(N - 2), by_4.get_bit(N - 3))
        };
        self.shifted.d.next = by_4 << ones;
        let below_16: Bits<4> = fours.concat(ones);
        let zeros: Bits<6> = sixteens.concat(below_16);
        self.lowered.d.next = self.exponent.val() - zeros.resize::<10>();
        self.normal_value.next = self.shifted.q.val();
        self.normal_exponent.next = self.lowered.q.val();
    }
}
