//! Stages 7 and 8 of the double-precision unit: shift the sum left until its highest set bit is at the top, but no
//! farther than a limit, at which the result is a denormal.
//!
//! Leading zeros are counted while shifting, a digit at a time: of 32, 8, 2 and 1. The lesser of count and limit is
//! found on the way: the first digit that differs decides, and all later digits are the lesser number's. If that is the
//! limit, zeros remain at the top, so all later digits of the count have their greatest value.

use super::bundles::DoubleScale;
use crate::execute::float::normaliser::first_of;
use hdlkit::prelude::*;

/// `x7_value` shifted left by its leading zeros or by the limit, and its exponent minus this count, two cycles later.
///
/// A value of 0 stays 0; its exponent is meaningless.
#[circuit]
#[derive(Clone, Debug)]
pub struct DoubleNormaliser {
    pub clock: Signal<In, Clock>,
    pub x7_value: Signal<In, WideBits<110>>,
    pub x7_scale: Signal<In, DoubleScale>,
    pub x9_value: Signal<Out, WideBits<110>>,
    /// The biased exponent of bit 109.
    pub x9_exponent: Signal<Out, Bits<12>>,

    x8: DFF<WideBits<110>>,
    x8_exponent: DFF<Bits<12>>,
    x8_limit: DFF<Bits<3>>,
    x8_count_less: DFF<Bit>,
    x9: DFF<WideBits<110>>,
    x9_lowered: DFF<Bits<12>>,
}

/// The next digit of the lesser number, from the next digits of both. `count_less`: an earlier digit of the count is
/// less than the limit's; also returned.
#[hdl_fn]
fn least_digit(count: Bits<2>, limit: Bits<2>, count_less: Bit) -> (Bits<2>, Bit) {
    let digit = if limit < count && !count_less { limit } else { count };
    (digit, count_less || count < limit)
}

impl Logic for DoubleNormaliser {
    #[hdl_gen]
    fn update(&mut self) {
        let value = self.x7_value.val();
        let scale = self.x7_scale.val();
        let in_32 = first_of(value.bits::<32>(78).any(), value.bits::<32>(46).any(), value.bits::<32>(14).any());
        let (by_32, less_32) = least_digit(in_32, scale.limit.bits::<2>(5), false);
        let value_32 = value << (by_32.resize::<7>() << 5);
        let in_8 = first_of(value_32.bits::<8>(102).any(), value_32.bits::<8>(94).any(), value_32.bits::<8>(86).any());
        let (by_8, less_8) = least_digit(in_8, scale.limit.bits::<2>(3), less_32);
        self.x8.d.next = value_32 << (by_8.resize::<5>() << 3);
        let eights: Bits<4> = by_32.concat(by_8);
        self.x8_exponent.d.next = scale.exponent - (eights.resize::<12>() << 3);
        self.x8_limit.d.next = scale.limit.low::<3>();
        self.x8_count_less.d.next = less_8;

        let value = self.x8.q.val();
        let limit = self.x8_limit.q.val();
        let in_2 = first_of(value.bits::<2>(108).any(), value.bits::<2>(106).any(), value.bits::<2>(104).any());
        let (by_2, less_2) = least_digit(in_2, limit.bits::<2>(1), self.x8_count_less.q.val());
        let value_2 = value << (by_2.resize::<3>() << 1);
        let in_1 = first_of(value_2.get_bit(109), true, true);
        let (by_1, _) = least_digit(in_1, limit.low::<1>().resize::<2>(), less_2);
        self.x9.d.next = value_2 << by_1;
        let ones: Bits<3> = by_2.concat(by_1.low::<1>());
        self.x9_lowered.d.next = self.x8_exponent.q.val() - ones.resize::<12>();
        self.x9_value.next = self.x9.q.val();
        self.x9_exponent.next = self.x9_lowered.q.val();
    }
}
