//! Stages 7 to 10 of the double-precision unit normalise the sum, round it, and assemble the result with its condition
//! code.

use super::bundles::{DoubleRest, DoubleScale};
use super::normaliser::DoubleNormaliser;
use crate::execute::float::pack::is_toward_zero;
use hdlkit::prelude::*;

/// The data for stages 8 and 9, besides the normalised sum.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DoubleFlags {
    negative: Bit,
    /// F2I: the integer is out of range.
    over: Bit,
    rest: DoubleRest,
}

/// The register before stage 10: the rounded sum.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DoubleRounded {
    /// A float's exponent and fraction; or an integer, negated if required; or the result that was ready.
    total: Bits<64>,
    negative: Bit,
    /// The exponent was too large before rounding.
    over: Bit,
    /// F2I: the integer is out of range.
    clamp: Bit,
    /// Rounding is toward zero: a result that is too large becomes the largest number.
    cuts: Bit,
    rest: DoubleRest,
}

/// The last four stages of the unit.
#[circuit]
#[derive(Clone, Debug)]
pub struct DoublePack {
    pub clock: Signal<In, Clock>,
    /// The absolute value of the sum, and its sign.
    pub x7_sum: Signal<In, WideBits<110>>,
    pub x7_negative: Signal<In, Bit>,
    pub x7_scale: Signal<In, DoubleScale>,
    pub x7_rest: Signal<In, DoubleRest>,
    pub x_result: Signal<Out, Bits<64>>,
    /// Z = bit 0, S = bit 1, C = bit 2, always 0, O = bit 3.
    pub x_condition: Signal<Out, Bits<4>>,

    normaliser: DoubleNormaliser,
    x8: DFF<DoubleFlags>,
    x9: DFF<DoubleFlags>,
    x10: DFF<DoubleRounded>,
    result: DFF<Bits<64>>,
    condition: DFF<Bits<4>>,
}

/// True if an integer's magnitude, from bit 2 up, is out of its type's range.
#[hdl_fn]
fn is_past(magnitude: WideBits<110>, negative: Bit, rest: DoubleRest) -> Bit {
    let above_64 = magnitude.bits::<44>(66).any();
    let middle = magnitude.bits::<31>(35).any();
    let low = magnitude.bits::<31>(2).any();
    let bit_31 = magnitude.get_bit(33);
    let bit_32 = magnitude.get_bit(34);
    let bit_63 = magnitude.get_bit(65);
    // The bits above the type's top bit, the top bit, and the bits below it.
    let (above, top, below) = if rest.short {
        (above_64 || bit_63 || magnitude.bits::<31>(34).any(), bit_31, low)
    } else {
        (above_64, bit_63, magnitude.bits::<30>(35).any() || bit_32 || bit_31 || low)
    };
    let some = middle || bit_32 || bit_31 || low;
    if rest.signed {
        above || (top && (!negative || below))
    } else {
        above || (negative && some)
    }
}

impl Logic for DoublePack {
    #[hdl_gen]
    fn update(&mut self) {
        self.start_normaliser();
        self.round_sum();
        let (value, code) = self.pack_result();
        self.result.d.next = value;
        self.condition.d.next = code;
        self.x_result.next = self.result.q.val();
        self.x_condition.next = self.condition.q.val();
    }
}

impl DoublePack {
    /// Stages 7 and 8 normalise a float; integers and results that are ready stay in place.
    #[hdl_part]
    fn start_normaliser(&mut self) {
        let sum = self.x7_sum.val();
        let rest = self.x7_rest.val();
        let negative = self.x7_negative.val();
        self.normaliser.x7_value.next = sum;
        self.normaliser.x7_scale.next = self.x7_scale.val();
        self.x8.d.next = DoubleFlags {
            negative: if sum.any() { negative } else { rest.zero_negative },
            over: is_past(sum, negative, rest),
            rest,
        };
        self.x9.d.next = self.x8.q.val();
    }

    /// Stage 9 rounds doubles and float32, and negates integers, with one adder.
    #[hdl_part]
    fn round_sum(&mut self) {
        let flags = self.x9.q.val();
        let rest = flags.rest;
        let sum = self.normaliser.x9_value.val();
        let exponent = self.normaliser.x9_exponent.val();
        let integer = sum.bits::<64>(2).narrow::<64>();
        let direct = rest.ready || rest.to_integer;

        // The last bit, the guard bit and the sticky bit.
        let low = sum.low::<56>().any();
        let (last, guard, sticky) = if rest.short {
            (sum.get_bit(86), sum.get_bit(85), sum.bits::<29>(56).any() || low)
        } else {
            (sum.get_bit(57), sum.get_bit(56), low)
        };
        let cuts = is_toward_zero(rest.rounding, flags.negative && !rest.rounds_positive);
        let up = if rest.rounding == 0 { guard && (sticky || last) } else { !cuts && (guard || sticky) };

        // A denormal, with a top bit of 0, has an exponent field of 0. The float32 exponent is 896 less.
        let field = mask(sum.get_bit(109), exponent.low::<11>());
        let short_field = mask(sum.get_bit(109), exponent.low::<8>() ^ 0x80);
        let negates = rest.to_integer && flags.negative;
        let base = if direct {
            integer ^ negates.fill::<64>()
        } else if rest.short {
            let fraction = sum.bits::<23>(86).narrow::<23>();
            let magnitude: Bits<31> = short_field.concat(fraction);
            magnitude.resize::<64>()
        } else {
            let fraction = sum.bits::<52>(57).narrow::<52>();
            let magnitude: Bits<63> = field.concat(fraction);
            magnitude.resize::<64>()
        };
        let increment = if direct { negates } else { up };
        let large = if rest.short { exponent >= 896 + 255 } else { exponent >= 2047 };
        self.x10.d.next = DoubleRounded {
            total: base + increment.fill::<1>().resize::<64>(),
            negative: flags.negative,
            over: large,
            clamp: flags.over,
            cuts,
            rest,
        };
    }

    /// Stage 10 returns the result and its condition code: clamps integers, and replaces floats that are too large.
    #[hdl_part]
    fn pack_result(&mut self) -> (Bits<64>, Bits<4>) {
        let rounded = self.x10.q.val();
        let rest = rounded.rest;
        let total = rounded.total;
        let negative = rounded.negative;
        let is_float = !rest.ready && !rest.to_integer;
        let clamps = rest.to_integer && !rest.ready && rounded.clamp;

        // The limits of integers: the least, or the greatest.
        let full = if rest.short { bits::<64>(0xffff_ffff) } else { bits(0xffff_ffff_ffff_ffff) };
        let top = if rest.short { bits::<64>(0x8000_0000) } else { bits(0x8000_0000_0000_0000) };
        let limit = if rest.signed {
            if negative {
                top
            } else {
                full ^ top
            }
        } else {
            mask(!negative, full)
        };

        // A carry out of rounding makes an infinity of the largest number.
        let over = is_float && rounded.over;
        let infinity = if rest.short { bits::<64>(0x7f80_0000) } else { bits(0x7ff0_0000_0000_0000) };
        let largest = if rest.short { bits::<64>(0x7f7f_ffff) } else { bits(0x7fef_ffff_ffff_ffff) };
        let magnitude = if clamps {
            limit
        } else if over {
            if rounded.cuts {
                largest
            } else {
                infinity
            }
        } else {
            total & full
        };
        let value = magnitude | mask(is_float && negative, top);

        let empty = !(magnitude & !top).any();
        let sign = (value & top).any();
        let zero = empty && !(rest.to_integer && sign);
        // O is clear for a number of 2^64 or more in 64 unsigned bits, although it is clamped.
        let unnoticed = !rest.short && !rest.signed && !negative;
        let code = if rest.to_integer {
            let overflow = rest.nan || (rounded.clamp && !unnoticed);
            zero.fill::<4>() & 1 | sign.fill::<4>() & 2 | overflow.fill::<4>() & 8
        } else if rest.nan {
            bits::<4>(3)
        } else if zero {
            bits(1)
        } else if sign {
            bits(2)
        } else {
            bits(0)
        };
        (value, code)
    }
}
