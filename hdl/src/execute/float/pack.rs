//! Stages 5 to 7 of the float lane: normalise the sum, round it, and assemble the result with its condition code.

use super::bundles::{FloatControl, FloatOperation, FloatSum};
use super::normaliser::Normaliser;
use hdlkit::prelude::*;

/// Input of stages 6 and 7, besides the normalised sum.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatFlags {
    negative: Bit,
    zero_negative: Bit,
    two_terms: Bit,
    nan: Bit,
    infinite: Bit,
    denormal: Bit,
    /// The integer is out of range.
    clamp: Bit,
    /// Nothing is left of the sum.
    cleared: Bit,
    // From the control, or derived from it.
    rounding: Bits<2>,
    result_narrow: Bit,
    result_signed: Bit,
    /// The result is a 16-bit float.
    half: Bit,
    /// F2I.
    to_integer: Bit,
    /// FSET, FSLCT.
    ready: Bit,
    /// RRO; RRO.SIN.
    reduces: Bit,
    reduces_sine: Bit,
    /// The sum is already an integer.
    direct: Bit,
    /// Cut a 16-bit float's bits below the last, whatever the rounding.
    whole: Bit,
    saturates: Bit,
}

/// Stage 7's input: the rounded sum.
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

/// The last three stages of a float lane; ports as in [`FloatLane`](super::FloatLane).
#[derive(Clone, Debug, LogicBlock, Cycle, Blank)]
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

    x5_in: Signal<Local, FloatSum>,
    x5_magnitude: Signal<Local, Bits<36>>,
    x5_past_32: Signal<Local, Bits<2>>,
    x5_past_31: Signal<Local, Bits<3>>,
    x5_past_30: Signal<Local, Bits<4>>,
    x5_past_16: Signal<Local, Bits<18>>,
    x5_past_15: Signal<Local, Bits<19>>,
    x5_upper: Signal<Local, Bits<25>>,
    x5_out: Signal<Local, Bit>,
    x5_rounding: Signal<Local, Bits<2>>,
    x5_cuts: Signal<Local, Bit>,
    x5_damaged: Signal<Local, Bit>,
    x5_ready: Signal<Local, Bit>,
    x5_reduces: Signal<Local, Bit>,
    x5_half: Signal<Local, Bit>,
    x5_to_integer: Signal<Local, Bit>,

    x6_sum: Signal<Local, Bits<36>>,
    x6_exponent: Signal<Local, Bits<10>>,
    x6_fraction: Signal<Local, Bits<23>>,
    x6_integer: Signal<Local, Bits<32>>,
    x6_inverse: Signal<Local, Bits<32>>,
    x6_flags: Signal<Local, FloatFlags>,
    x6_rounding: Signal<Local, Bits<2>>,
    x6_cuts: Signal<Local, Bit>,
    x6_below: Signal<Local, Bits<11>>,
    x6_below_half: Signal<Local, Bits<24>>,
    x6_last: Signal<Local, Bit>,
    x6_guard: Signal<Local, Bit>,
    x6_sticky: Signal<Local, Bit>,
    x6_up: Signal<Local, Bit>,
    x6_negates: Signal<Local, Bit>,
    x6_base: Signal<Local, Bits<33>>,
    x6_increment: Signal<Local, Bits<33>>,
    x6_total: Signal<Local, Bits<33>>,

    x7_in: Signal<Local, FloatRounded>,
    x7_flags: Signal<Local, FloatFlags>,
    x7_total: Signal<Local, Bits<33>>,
    x7_word: Signal<Local, Bits<32>>,
    x7_sign: Signal<Local, Bit>,
    x7_scale: Signal<Local, Bits<10>>,
    x7_positive: Signal<Local, Bit>,
    x7_empty: Signal<Local, Bit>,
    x7_over: Signal<Local, Bit>,
    x7_one: Signal<Local, Bit>,
    x7_kept: Signal<Local, Bits<32>>,
    x7_takes_half: Signal<Local, Bit>,
    x7_half_bits: Signal<Local, Bits<15>>,
    x7_largest: Signal<Local, Bits<32>>,
    x7_infinity: Signal<Local, Bits<32>>,
    x7_unit: Signal<Local, Bits<32>>,
    x7_nan: Signal<Local, Bits<32>>,
    x7_limit: Signal<Local, Bits<32>>,
    x7_pass: Signal<Local, Bits<32>>,
    x7_pass_half: Signal<Local, Bit>,
    x7_constant: Signal<Local, Bits<32>>,
    x7_packed_sign: Signal<Local, Bit>,
    x7_magnitude: Signal<Local, Bits<32>>,
    x7_value: Signal<Local, Bits<32>>,
    x7_digits: Signal<Local, Bits<31>>,
    x7_top: Signal<Local, Bit>,
    x7_code: Signal<Local, Bits<4>>,

    _activity: Activity,
}

impl Logic for FloatPack {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x6, x7, result, condition);
        self.normaliser.clock.next = self.clock.val();

        // Stage 5
        self.start_normaliser();
        self.check_integer_range();
        self.find_lost_integer();
        self.decode_control();
        // Stage 6
        self.find_rounding_bits();
        self.decide_rounding();
        self.round_sum();
        // Stage 7
        self.check_float_range();
        self.choose_integer_limit();
        self.choose_result();
        self.assemble_result();
        self.compose_condition();
        self.drive_result();
    }
}

impl FloatPack {
    /// The sum to the normaliser: floats are normalised, integers stay in place, reduced angles are shifted.
    #[hdl_part]
    fn start_normaliser(&mut self) {
        self.x5_in.next = self.x5_sum.val();
        self.x5_magnitude.next = self.x5_in.val().magnitude;
        self.x5_ready.next = self.x5_control.val().operation == FloatOperation::Set
            || self.x5_control.val().operation == FloatOperation::Select;
        self.x5_reduces.next = self.x5_control.val().operation == FloatOperation::ReduceSine
            || self.x5_control.val().operation == FloatOperation::ReducePower;
        self.normaliser.value.next = self.x5_magnitude.val();
        self.normaliser.exponent.next = self.x5_in.val().rest.exponent;
        self.normaliser.counted.next = self.x5_ready.val()
            || self.x5_reduces.val()
            || self.x5_control.val().operation == FloatOperation::ToInteger
            || self.x5_in.val().rest.denormal;
        self.normaliser.count.next = self.x5_in.val().rest.count;
    }

    /// Whether the integer is out of range. The most negative one counts as out: clamping gives the same value.
    #[hdl_part]
    fn check_integer_range(&mut self) {
        self.x5_past_32.next = self.x5_magnitude.val().get_bits::<2>(34);
        self.x5_past_31.next = self.x5_magnitude.val().get_bits::<3>(33);
        self.x5_past_30.next = self.x5_magnitude.val().get_bits::<4>(32);
        self.x5_past_16.next = self.x5_magnitude.val().get_bits::<18>(18);
        self.x5_past_15.next = self.x5_magnitude.val().get_bits::<19>(17);
        if self.x5_control.val().operation == FloatOperation::ReducePower {
            self.x5_out.next = self.x5_past_30.val().any();
        } else if self.x5_control.val().result_signed {
            self.x5_out.next = self.x5_past_31.val().any();
            if self.x5_control.val().result_narrow {
                self.x5_out.next = self.x5_past_15.val().any();
            }
        } else {
            self.x5_out.next = self.x5_past_32.val().any() || self.x5_in.val().negative;
            if self.x5_control.val().result_narrow {
                self.x5_out.next = self.x5_past_16.val().any() || self.x5_in.val().negative;
            }
        }
    }

    /// The integer that the G80 loses on its way to a 16-bit float: bits 29..5 are ones, and rounding may go up.
    #[hdl_part]
    fn find_lost_integer(&mut self) {
        self.x5_upper.next = self.x5_magnitude.val().get_bits::<25>(7);
        self.x5_rounding.next = self.x5_control.val().rounding;
        match self.x5_rounding.val().index() {
            0 => self.x5_cuts.next = false,
            1 => self.x5_cuts.next = !self.x5_in.val().negative,
            2 => self.x5_cuts.next = self.x5_in.val().negative,
            _ => self.x5_cuts.next = true,
        }
        self.x5_damaged.next = self.x5_control.val().operation == FloatOperation::FromInteger
            && self.x5_control.val().result_half
            && self.x5_upper.val().all()
            && !self.x5_cuts.val();
    }

    /// The control of stages 6 and 7, decoded here because this stage has time for it.
    #[hdl_part]
    fn decode_control(&mut self) {
        self.x5_half.next = self.x5_control.val().result_half
            && (self.x5_control.val().operation == FloatOperation::ToFloat
                || self.x5_control.val().operation == FloatOperation::FromInteger);
        self.x5_to_integer.next = self.x5_control.val().operation == FloatOperation::ToInteger;
        self.x6.d.next.rounding = self.x5_control.val().rounding;
        self.x6.d.next.result_narrow = self.x5_control.val().result_narrow;
        self.x6.d.next.result_signed = self.x5_control.val().result_signed;
        self.x6.d.next.half = self.x5_half.val();
        self.x6.d.next.to_integer = self.x5_to_integer.val();
        self.x6.d.next.ready = self.x5_ready.val();
        self.x6.d.next.reduces = self.x5_reduces.val();
        self.x6.d.next.reduces_sine = self.x5_control.val().operation == FloatOperation::ReduceSine;
        self.x6.d.next.direct =
            self.x5_to_integer.val() || self.x5_ready.val() || self.x5_reduces.val() || self.x5_in.val().rest.denormal;
        self.x6.d.next.whole =
            self.x5_control.val().integral && (self.x5_control.val().operation == FloatOperation::ToFloat);
        self.x6.d.next.saturates = self.x5_control.val().saturate
            && (self.x5_control.val().operation == FloatOperation::MultiplyAdd
                || self.x5_control.val().operation == FloatOperation::Add
                || self.x5_control.val().operation == FloatOperation::ToFloat
                || self.x5_control.val().operation == FloatOperation::FromInteger);
        self.x6.d.next.negative = self.x5_in.val().negative;
        self.x6.d.next.zero_negative = self.x5_in.val().rest.zero_negative;
        self.x6.d.next.two_terms = self.x5_in.val().rest.two_terms;
        self.x6.d.next.nan = self.x5_in.val().rest.nan;
        self.x6.d.next.infinite = self.x5_in.val().rest.infinite;
        self.x6.d.next.denormal = self.x5_in.val().rest.denormal;
        self.x6.d.next.clamp = self.x5_out.val() || self.x5_in.val().rest.past;
        self.x6.d.next.cleared = self.x5_damaged.val() || self.x5_in.val().rest.count_beyond;
    }

    /// The bits that decide rounding: the last one, the guard, and whether any lower bit is set. They are elsewhere for
    /// a 16-bit float.
    #[hdl_part]
    fn find_rounding_bits(&mut self) {
        self.x6_flags.next = self.x6.q.val();
        self.x6_sum.next = self.normaliser.normal_value.val();
        self.x6_exponent.next = self.normaliser.normal_exponent.val();
        self.x6_fraction.next = self.x6_sum.val().get_bits::<23>(12);
        self.x6_integer.next = self.x6_sum.val().get_bits::<32>(2);
        self.x6_below.next = self.x6_sum.val().get_bits::<11>(0);
        self.x6_below_half.next = self.x6_sum.val().get_bits::<24>(0);
        self.x6_last.next = self.x6_sum.val().get_bit(12);
        self.x6_guard.next = self.x6_sum.val().get_bit(11);
        self.x6_sticky.next = self.x6_below.val().any();
        if self.x6_flags.val().half {
            self.x6_last.next = self.x6_sum.val().get_bit(25);
            self.x6_guard.next = self.x6_sum.val().get_bit(24);
            self.x6_sticky.next = self.x6_below_half.val().any();
        }
    }

    /// Whether rounding goes up, and whether it goes toward zero, so that a result that is too large becomes the
    /// largest number.
    #[hdl_part]
    fn decide_rounding(&mut self) {
        self.x6_rounding.next = self.x6_flags.val().rounding;
        self.x6_cuts.next = true;
        self.x6_up.next = false;
        match self.x6_rounding.val().index() {
            0 => {
                self.x6_cuts.next = false;
                self.x6_up.next = self.x6_guard.val() && (self.x6_sticky.val() || self.x6_last.val());
            }
            1 => {
                self.x6_cuts.next = !self.x6_flags.val().negative;
                self.x6_up.next = self.x6_flags.val().negative && (self.x6_guard.val() || self.x6_sticky.val());
            }
            2 => {
                self.x6_cuts.next = self.x6_flags.val().negative;
                self.x6_up.next = !self.x6_flags.val().negative && (self.x6_guard.val() || self.x6_sticky.val());
            }
            _ => {}
        }
        // A sum of at least 2^-126 - 2^-150, which is the least normal number minus half of a denormal's last bit,
        // becomes the least normal number. Only a multiplication with an addition has such bits.
        if self.x6_flags.val().two_terms && !self.x6_exponent.val().any() && self.x6_fraction.val().all() {
            self.x6_up.next = true;
        }
    }

    /// One adder rounds float32 and 16-bit floats, and negates integers.
    #[hdl_part]
    fn round_sum(&mut self) {
        self.x6_negates.next = self.x6_flags.val().to_integer && self.x6_flags.val().negative;
        self.x6_inverse.next = !self.x6_integer.val();
        self.x6_base.next =
            (bit_cast::<33, 10>(self.x6_exponent.val()) << 23) | bit_cast::<33, 23>(self.x6_fraction.val());
        self.x6_increment.next = 0.into();
        if self.x6_flags.val().direct {
            self.x6_base.next = bit_cast::<33, 32>(self.x6_integer.val());
            if self.x6_negates.val() {
                self.x6_base.next = bit_cast::<33, 32>(self.x6_inverse.val());
                self.x6_increment.next = 1.into();
            }
        } else if self.x6_flags.val().half {
            // An integral value is cut.
            if self.x6_up.val() && !self.x6_flags.val().whole {
                self.x6_increment.next = 0x2000.into();
            }
        } else if self.x6_up.val() {
            self.x6_increment.next = 1.into();
        }
        self.x6_total.next = self.x6_base.val() + self.x6_increment.val();
        self.x7.d.next.total = self.x6_total.val();
        self.x7.d.next.normal = self.x6_sum.val().get_bit(35);
        self.x7.d.next.cuts = self.x6_cuts.val();
        self.x7.d.next.flags = self.x6_flags.val();
    }

    /// A float's exponent range check, after rounding, which may have carried into the exponent.
    #[hdl_part]
    fn check_float_range(&mut self) {
        self.x7_in.next = self.x7.q.val();
        self.x7_flags.next = self.x7_in.val().flags;
        self.x7_total.next = self.x7_in.val().total;
        self.x7_word.next = self.x7_total.val().get_bits::<32>(0);
        self.x7_sign.next = self.x7_flags.val().negative;

        self.x7_scale.next = self.x7_total.val().get_bits::<10>(23);
        self.x7_positive.next = !self.x7_scale.val().get_bit(9) && self.x7_scale.val().any();
        self.x7_empty.next = !self.x7_in.val().normal || !self.x7_positive.val() || self.x7_flags.val().cleared;
        self.x7_over.next = self.x7_positive.val() && self.x7_scale.val() >= 255;
        self.x7_one.next = self.x7_positive.val() && self.x7_scale.val() >= 127;
        self.x7_kept.next = 0x7fff_ffff.into();
        self.x7_takes_half.next = false;
        self.x7_largest.next = 0x7f7f_ffff.into();
        self.x7_infinity.next = 0x7f80_0000.into();
        self.x7_unit.next = 0x3f80_0000.into();
        self.x7_nan.next = 0x7fff_ffff.into();
        if self.x7_flags.val().half {
            self.x7_over.next = self.x7_positive.val() && self.x7_scale.val() >= 143;
            self.x7_kept.next = 0.into();
            self.x7_takes_half.next = true;
            self.x7_largest.next = 0x7bff.into();
            self.x7_infinity.next = 0x7c00.into();
            self.x7_unit.next = 0x3c00.into();
            self.x7_nan.next = 0x7fff.into();
        }
        // The exponent of a 16-bit float is 112 less, which changes only the highest of its five bits.
        self.x7_half_bits.next = self.x7_total.val().get_bits::<15>(13) ^ 0x4000;
        if self.x7_flags.val().denormal {
            self.x7_empty.next = false;
            self.x7_over.next = false;
            self.x7_one.next = false;
            self.x7_kept.next = 0x7fff.into();
            self.x7_takes_half.next = false;
        }
    }

    /// The minimum or maximum integer, to clamp to.
    #[hdl_part]
    fn choose_integer_limit(&mut self) {
        self.x7_limit.next = 0xffff_ffff_u64.into();
        if self.x7_flags.val().result_signed {
            self.x7_limit.next = 0x7fff_ffff.into();
            if self.x7_flags.val().result_narrow {
                self.x7_limit.next = 0x7fff.into();
            }
            if self.x7_sign.val() {
                self.x7_limit.next = 0x8000_0000_u64.into();
                if self.x7_flags.val().result_narrow {
                    self.x7_limit.next = 0x8000.into();
                }
            }
        } else if self.x7_sign.val() {
            self.x7_limit.next = 0.into();
        } else if self.x7_flags.val().result_narrow {
            self.x7_limit.next = 0xffff.into();
        }
    }

    /// The result as bits of the sum that pass unchanged, or as a 16-bit float's bits, and a constant. This takes two
    /// LUTs per bit, and the same enables serve many bits.
    #[hdl_part]
    fn choose_result(&mut self) {
        self.x7_pass.next = 0.into();
        self.x7_pass_half.next = false;
        self.x7_constant.next = 0.into();
        self.x7_packed_sign.next = false;
        if self.x7_flags.val().ready {
            self.x7_pass.next = 0xffff_ffff_u64.into();
        } else if self.x7_flags.val().to_integer {
            if self.x7_flags.val().nan {
                self.x7_pass.next = 0.into();
            } else if self.x7_flags.val().clamp {
                self.x7_constant.next = self.x7_limit.val();
            } else if self.x7_flags.val().result_narrow {
                self.x7_pass.next = 0xffff.into();
            } else {
                self.x7_pass.next = 0xffff_ffff_u64.into();
            }
        } else if self.x7_flags.val().reduces {
            // A reduced angle or power, and its special values.
            if self.x7_flags.val().nan {
                self.x7_constant.next = 0x4000_0000.into();
            } else if self.x7_flags.val().infinite || (self.x7_flags.val().clamp && !self.x7_flags.val().reduces_sine) {
                self.x7_constant.next = 0x4080_0000.into();
            } else if !self.x7_flags.val().reduces_sine {
                self.x7_pass.next = 0x3fff_ffff.into();
            } else if !self.x7_flags.val().cleared {
                self.x7_pass.next = 0x1ff_ffff.into();
            }
        } else if self.x7_flags.val().nan {
            self.x7_constant.next = self.x7_nan.val();
        } else if self.x7_flags.val().saturates && self.x7_sign.val() {
            self.x7_pass.next = 0.into();
        } else {
            self.x7_packed_sign.next = self.x7_sign.val();
            if self.x7_flags.val().infinite {
                self.x7_constant.next = self.x7_infinity.val();
                if self.x7_flags.val().saturates {
                    self.x7_constant.next = self.x7_unit.val();
                }
            } else if self.x7_empty.val() {
                if !self.x7_flags.val().two_terms || !self.x7_in.val().normal {
                    self.x7_packed_sign.next = self.x7_flags.val().zero_negative && !self.x7_flags.val().saturates;
                }
            } else if self.x7_flags.val().saturates && self.x7_one.val() {
                self.x7_constant.next = self.x7_unit.val();
            } else if self.x7_over.val() {
                self.x7_constant.next = self.x7_infinity.val();
                if self.x7_in.val().cuts {
                    self.x7_constant.next = self.x7_largest.val();
                }
            } else {
                self.x7_pass.next = self.x7_kept.val();
                self.x7_pass_half.next = self.x7_takes_half.val();
            }
        }
    }

    /// Assembles the result, with its sign where the format has it.
    #[hdl_part]
    fn assemble_result(&mut self) {
        self.x7_magnitude.next = (self.x7_word.val() & self.x7_pass.val()) | self.x7_constant.val();
        if self.x7_pass_half.val() {
            self.x7_magnitude.next = self.x7_magnitude.val() | bit_cast::<32, 15>(self.x7_half_bits.val());
        }
        self.x7_value.next = self.x7_magnitude.val();
        if self.x7_flags.val().reduces {
            self.x7_value.next = self.x7_magnitude.val().replace_bit(31, self.x7_sign.val());
        } else if self.x7_packed_sign.val() {
            if self.x7_flags.val().half {
                self.x7_value.next = self.x7_magnitude.val().replace_bit(15, true);
            } else {
                self.x7_value.next = self.x7_magnitude.val().replace_bit(31, true);
            }
        }
    }

    /// The condition code: for integers and results that were ready the top bit is a sign or a digit, for floats the
    /// sign is not in place yet.
    #[hdl_part]
    fn compose_condition(&mut self) {
        self.x7_digits.next = self.x7_magnitude.val().get_bits::<31>(0);
        self.x7_top.next = self.x7_magnitude.val().get_bit(31);
        self.x7_code.next = 0.into();
        if self.x7_flags.val().to_integer || self.x7_flags.val().ready {
            if !self.x7_digits.val().any() && (self.x7_flags.val().ready || !self.x7_top.val()) {
                self.x7_code.next = 1.into();
            } else if self.x7_top.val()
                || (self.x7_magnitude.val().get_bit(15)
                    && self.x7_flags.val().to_integer
                    && self.x7_flags.val().result_narrow)
            {
                self.x7_code.next = 2.into();
            }
        } else if !self.x7_flags.val().reduces {
            if self.x7_flags.val().nan {
                self.x7_code.next = 3.into();
            } else if !self.x7_digits.val().any() {
                self.x7_code.next = 1.into();
            } else if self.x7_packed_sign.val() {
                self.x7_code.next = 2.into();
            }
        }
    }

    /// Result and condition code, a cycle later.
    #[hdl_part]
    fn drive_result(&mut self) {
        self.result.d.next = self.x7_value.val();
        self.condition.d.next = self.x7_code.val();
        self.x_result.next = self.result.q.val();
        self.x_condition.next = self.condition.q.val();
    }
}
