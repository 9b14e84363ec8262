//! Stages 5 to 7 of the float lane normalise the sum, round it, and assemble the result with its condition code.

use super::bundles::FloatSum;
use super::normaliser::Normaliser;
use crate::bundles::{FloatControl, FloatOperation};
use hdlkit::prelude::*;

/// The data for stages 6 and 7, besides the normalised sum.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatFlags {
    pub negative: Bit,
    pub zero_negative: Bit,
    pub two_terms: Bit,
    pub nan: Bit,
    pub infinite: Bit,
    pub denormal: Bit,
    /// The integer is out of range.
    pub clamp: Bit,
    /// No bit of the sum remains: the result is 0.
    pub cleared: Bit,
    // Decoded from the control.
    pub rounding: Bits<2>,
    pub result_narrow: Bit,
    pub result_signed: Bit,
    /// The result is a 16-bit float.
    pub half: Bit,
    /// The operation is F2I.
    pub to_integer: Bit,
    /// FSET, FSLCT: the result is ready.
    pub ready: Bit,
    /// The operation is RRO; it is RRO.SIN.
    pub reduces: Bit,
    pub reduces_sine: Bit,
    /// The sum is not normalised: it is an integer, a fixed-point number or a ready result.
    pub direct: Bit,
    /// F2F to an integral value: it is truncated to a 16-bit float in every rounding mode.
    pub whole: Bit,
    pub saturates: Bit,
}

/// The register before stage 7: the rounded sum.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatRounded {
    /// A float's exponent (10 bits, two's complement) and fraction; or an integer, negated if required.
    total: Bits<33>,
    /// The sum was not 0.
    normal: Bit,
    /// Rounding is toward zero: a result that is too large becomes the largest number.
    cuts: Bit,
    flags: FloatFlags,
}

/// The last three stages of a float lane, with the ports of [`FloatLane`](super::FloatLane).
#[circuit]
#[derive(Clone, Debug)]
pub struct FloatPack {
    pub clock: Signal<In, Clock>,
    pub x5_control: Signal<In, FloatControl>,
    pub x5_sum: Signal<In, FloatSum>,
    pub x_result: Signal<Out, Bits<32>>,
    pub x_condition: Signal<Out, Bits<4>>,

    normaliser: Normaliser<36>,
    x6: DFF<FloatFlags>,
    x7: DFF<FloatRounded>,
    result: DFF<Bits<32>>,
    condition: DFF<Bits<4>>,
}

impl Logic for FloatPack {
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

/// True if an integer's magnitude, from bit 2 up, is out of range. The most negative one counts as out: clamping gives
/// the same value.
#[hdl_fn]
fn is_past(magnitude: Bits<36>, negative: Bit, control: FloatControl) -> Bit {
    if control.operation == FloatOperation::ReducePower {
        magnitude.bits::<4>(32).any()
    } else if control.result_signed {
        if control.result_narrow {
            magnitude.bits::<19>(17).any()
        } else {
            magnitude.bits::<3>(33).any()
        }
    } else if control.result_narrow {
        negative || magnitude.bits::<18>(18).any()
    } else {
        negative || magnitude.bits::<2>(34).any()
    }
}

/// True if the rounding mode truncates a number of this sign.
#[hdl_fn]
pub fn is_toward_zero(rounding: Bits<2>, negative: Bit) -> Bit {
    match rounding.index() {
        0 => false,
        1 => !negative,
        2 => negative,
        _ => true,
    }
}

/// The integer to clamp to: the least for a negative number, else the greatest.
#[hdl_fn]
fn integer_limit(flags: FloatFlags) -> Bits<32> {
    let ones = if flags.result_narrow { bits::<32>(0xffff) } else { bits(0xffff_ffff) };
    let positive = ones >> 1;
    if !flags.result_signed {
        mask(!flags.negative, ones)
    } else if flags.negative {
        ones ^ positive
    } else {
        positive
    }
}

impl FloatPack {
    /// Stage 5 sends the sum to the normaliser: floats are normalised, integers stay in place, reduced angles are
    /// shifted. The control of stages 6 and 7 is decoded here because this stage has time for it.
    #[hdl_part]
    fn start_normaliser(&mut self) {
        let control = self.x5_control.val();
        let operation = control.operation;
        let sum = self.x5_sum.val();
        let ready = operation == FloatOperation::Set || operation == FloatOperation::Select;
        let reduces = operation == FloatOperation::ReduceSine || operation == FloatOperation::ReducePower;
        let to_integer = operation == FloatOperation::ToInteger;
        let to_float = operation == FloatOperation::ToFloat;
        let from_integer = operation == FloatOperation::FromInteger;
        let adds = operation == FloatOperation::MultiplyAdd || operation == FloatOperation::Add;
        let direct = ready || reduces || to_integer || sum.rest.denormal;
        self.normaliser.value.next = sum.magnitude;
        self.normaliser.exponent.next = sum.rest.exponent;
        self.normaliser.counted.next = direct;
        self.normaliser.count.next = sum.rest.count;

        // An integer that the G80 converts to the 16-bit float 0: bits 29..5 are ones, and the mode may round up.
        let lost = from_integer
            && control.result_half
            && sum.magnitude.bits::<25>(7).all()
            && !is_toward_zero(control.rounding, sum.negative);
        self.x6.d.next = FloatFlags {
            negative: sum.negative,
            zero_negative: sum.rest.zero_negative,
            two_terms: sum.rest.two_terms,
            nan: sum.rest.nan,
            infinite: sum.rest.infinite,
            denormal: sum.rest.denormal,
            clamp: sum.rest.past || is_past(sum.magnitude, sum.negative, control),
            cleared: lost || sum.rest.count_beyond,
            rounding: control.rounding,
            result_narrow: control.result_narrow,
            result_signed: control.result_signed,
            half: control.result_half && (to_float || from_integer),
            to_integer,
            ready,
            reduces,
            reduces_sine: operation == FloatOperation::ReduceSine,
            direct,
            whole: control.integral && to_float,
            saturates: control.saturate && (adds || to_float || from_integer),
        };
    }

    /// Stage 6 rounds float32 and 16-bit floats, and negates integers, with one adder.
    #[hdl_part]
    fn round_sum(&mut self) {
        let flags = self.x6.q.val();
        let sum = self.normaliser.normal_value.val();
        let exponent = self.normaliser.normal_exponent.val();
        let fraction = sum.bits::<23>(12);
        let integer = sum.bits::<32>(2);

        // The last bit, the guard bit and the sticky bit; a 16-bit float has them at other positions.
        let (last, guard, sticky) = if flags.half {
            (sum.get_bit(25), sum.get_bit(24), sum.low::<24>().any())
        } else {
            (sum.get_bit(12), sum.get_bit(11), sum.low::<11>().any())
        };
        let cuts = is_toward_zero(flags.rounding, flags.negative);
        let rounds_up = if flags.rounding == 0 { guard && (sticky || last) } else { !cuts && (guard || sticky) };
        // A sum of at least 2^-126 - 2^-150, which is the least normal number minus half of a denormal's last bit,
        // becomes the least normal number. Only FMAD has sums with bits below 2^-149.
        let becomes_normal = flags.two_terms && !exponent.any() && fraction.all();
        let up = rounds_up || becomes_normal;

        let negates = flags.to_integer && flags.negative;
        let (base, increment) = if flags.direct {
            ((integer ^ negates.fill::<32>()).resize::<33>(), mask(negates, bits::<33>(1)))
        } else {
            // The unit in the last place; 0 for an integral value, which is truncated to a 16-bit float.
            let unit = if flags.half { mask(!flags.whole, bits::<33>(0x2000)) } else { bits(1) };
            ((exponent.resize::<33>() << 23) | fraction.resize::<33>(), mask(up, unit))
        };
        self.x7.d.next = FloatRounded { total: base + increment, normal: sum.get_bit(35), cuts, flags };
    }

    /// Stage 7 assembles the result and its condition code. It takes two LUTs a bit: bits of the sum that pass
    /// unchanged, or a 16-bit float's, and a constant; the same enables serve many bits.
    #[hdl_part]
    fn pack_result(&mut self) -> (Bits<32>, Bits<4>) {
        let rounded = self.x7.q.val();
        let flags = rounded.flags;
        let negative = flags.negative;

        // A float's exponent, after rounding, which may have carried into it.
        let exponent = rounded.total.bits::<10>(23);
        let positive = !exponent.get_bit(9) && exponent.any();
        let largest_exponent = if flags.half { bits::<10>(143) } else { bits(255) };
        let is_float = positive && !flags.denormal;
        let empty = !flags.denormal && (!rounded.normal || !positive || flags.cleared);
        let over = is_float && exponent >= largest_exponent;
        let from_one = is_float && exponent >= 127;
        let (largest, infinity, one, nan) = if flags.half {
            (bits::<32>(0x7bff), bits::<32>(0x7c00), bits::<32>(0x3c00), bits::<32>(0x7fff))
        } else {
            (bits(0x7f7f_ffff), bits(0x7f80_0000), bits(0x3f80_0000), bits(0x7fff_ffff))
        };
        let kept = if flags.denormal { bits::<32>(0x7fff) } else { mask(!flags.half, bits::<32>(0x7fff_ffff)) };

        let none = bits::<32>(0);
        let (pass, pass_half, constant, packed_sign) = if flags.ready {
            (bits::<32>(0xffff_ffff), false, none, false)
        } else if flags.to_integer {
            let width = mask(!flags.result_narrow, bits::<32>(0xffff_0000)) | 0xffff;
            let in_range = !flags.nan && !flags.clamp;
            (mask(in_range, width), false, mask(!flags.nan && flags.clamp, integer_limit(flags)), false)
        } else if flags.reduces {
            // A reduced angle or power, and its special values.
            if flags.nan {
                (none, false, bits(0x4000_0000), false)
            } else if flags.infinite || (flags.clamp && !flags.reduces_sine) {
                (none, false, bits(0x4080_0000), false)
            } else if flags.reduces_sine {
                (mask(!flags.cleared, bits::<32>(0x1ff_ffff)), false, none, false)
            } else {
                (bits(0x3fff_ffff), false, none, false)
            }
        } else if flags.nan {
            (none, false, nan, false)
        } else if flags.saturates && negative {
            (none, false, none, false)
        } else if flags.infinite {
            (none, false, if flags.saturates { one } else { infinity }, negative)
        } else if empty {
            let zero_negative = flags.zero_negative && !flags.saturates;
            let tiny = flags.two_terms && rounded.normal;
            (none, false, none, if tiny { negative } else { zero_negative })
        } else if flags.saturates && from_one {
            (none, false, one, negative)
        } else if over {
            (none, false, if rounded.cuts { largest } else { infinity }, negative)
        } else {
            (kept, flags.half && !flags.denormal, none, negative)
        };

        // The exponent of a 16-bit float is 112 less, which changes only the highest of its five bits.
        let half = rounded.total.bits::<15>(13) ^ 0x4000;
        let magnitude = (rounded.total.low::<32>() & pass) | constant | mask(pass_half, half.resize::<32>());
        let sign = if flags.half { bits::<32>(0x8000) } else { bits(0x8000_0000) };
        let value =
            if flags.reduces { magnitude.replace_bit(31, negative) } else { magnitude | mask(packed_sign, sign) };

        // The top bit of integers and of results that were ready is a sign or a digit; a float's sign is not in place
        // yet.
        let zero = !magnitude.low::<31>().any();
        let top = magnitude.get_bit(31);
        let narrow_top = magnitude.get_bit(15) && flags.to_integer && flags.result_narrow;
        let code = if flags.to_integer || flags.ready {
            if zero && (flags.ready || !top) {
                bits::<4>(1)
            } else if top || narrow_top {
                bits(2)
            } else {
                bits(0)
            }
        } else if flags.reduces {
            bits(0)
        } else if flags.nan {
            bits(3)
        } else if zero {
            bits(1)
        } else if packed_sign {
            bits(2)
        } else {
            bits(0)
        };
        (value, code)
    }
}
