//! Stages 1 and 2 of the float lane: unpack and compare the operands, and form the two terms of a sum.
//!
//! Stage 1 also decodes the control for stage 2. The control reaches all lanes from one place, over the longest wires
//! of the float units; decoding it after them would make stage 2 the critical path of a placed SM.

use super::bundles::{FloatControl, FloatOperation, FloatTerms};
use crate::execute::integer::IntegerWidth;
use hdlkit::prelude::*;

/// Stage 2's input.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatOperands {
    /// A float32 with its sign as modified by the instruction; a 16-bit denormal is not normalised. An integer: 32
    /// bits, unchanged.
    a: Bits<32>,
    b: Bits<32>,
    c: Bits<32>,
    /// The sign of the product, or of an integer, as modified by the instruction.
    product_negative: Bit,
    integer_negative: Bit,
    /// Sum of the factors' exponents.
    exponents: Bits<9>,
    /// The product is 0.
    empty: Bit,
    /// The result is a 16-bit denormal, or too small for one.
    denormal: Bit,
    /// The exponent to which the product is aligned, if it is the smaller, and whether it can be.
    reference: Bits<8>,
    has_reference: Bit,
    /// Round the product to an integer.
    integral: Bit,
    /// The operation, as sets of operations. Multiply, MultiplyAdd.
    multiplies: Bit,
    /// Add, MultiplyAdd: c is the second term.
    adds: Bit,
    /// MinMax, Select: a or b is the second term.
    chooses: Bit,
    /// MinMax.
    chooses_by_size: Bit,
    sets: Bit,
    from_integer: Bit,
    /// Select, Set, FromInteger: there is no product.
    is_ready: Bit,
    /// As in [`FloatControl`].
    compare_less: Bit,
    compare_equal: Bit,
    compare_greater: Bit,
    compare_unordered: Bit,
    maximum: Bit,
}

/// The first two stages of a float lane; ports as in [`FloatLane`](super::FloatLane).
#[derive(Clone, Debug, LogicBlock, Cycle, Blank)]
pub struct FloatUnpack {
    pub clock: Signal<In, Clock>,
    pub x1_control: Signal<In, FloatControl>,
    pub x_a: Signal<In, Bits<32>>,
    pub x_b: Signal<In, Bits<32>>,
    pub x_c: Signal<In, Bits<32>>,
    pub x1_factor_a: Signal<Out, Bits<25>>,
    pub x1_factor_b: Signal<Out, Bits<25>>,
    pub x3_terms: Signal<Out, FloatTerms>,

    x2: DFF<FloatOperands>,
    x3: DFF<FloatTerms>,

    x1_multiplies: Signal<Local, Bit>,
    x1_adds: Signal<Local, Bit>,
    x1_selects: Signal<Local, Bit>,
    x1_sets: Signal<Local, Bit>,
    x1_min_max: Signal<Local, Bit>,
    x1_reduces: Signal<Local, Bit>,
    x1_converts: Signal<Local, Bit>,
    x1_from_integer: Signal<Local, Bit>,
    x1_half: Signal<Local, Bit>,
    x1_half_scale: Signal<Local, Bits<5>>,
    x1_half_fraction: Signal<Local, Bits<10>>,
    x1_half_biased: Signal<Local, Bits<8>>,
    x1_scale_a: Signal<Local, Bits<8>>,
    x1_fraction_a: Signal<Local, Bits<23>>,
    x1_top_a: Signal<Local, Bit>,
    x1_normal_a: Signal<Local, Bit>,
    x1_zero_a: Signal<Local, Bit>,
    x1_top: Signal<Local, Bit>,
    x1_mask: Signal<Local, Bits<32>>,
    x1_low: Signal<Local, Bits<32>>,
    x1_ones: Signal<Local, Bits<32>>,
    x1_integer: Signal<Local, Bits<32>>,
    x1_integer_negative: Signal<Local, Bit>,
    x1_sign_a: Signal<Local, Bit>,
    x1_sign_b: Signal<Local, Bit>,
    x1_negative_a: Signal<Local, Bit>,
    x1_negative_b: Signal<Local, Bit>,
    x1_negative_c: Signal<Local, Bit>,
    x1_turns: Signal<Local, Bit>,
    x1_float_a: Signal<Local, Bits<32>>,
    x1_to_half: Signal<Local, Bit>,
    x1_void: Signal<Local, Bit>,
    x1_denormal: Signal<Local, Bit>,
    x1_integral: Signal<Local, Bit>,
    x1_scale_c: Signal<Local, Bits<8>>,
    x1_significand_a: Signal<Local, Bits<25>>,
    x1_scale_b: Signal<Local, Bits<8>>,
    x1_fraction_b: Signal<Local, Bits<23>>,
    x1_factor_scale: Signal<Local, Bits<8>>,
    x1_wide_a: Signal<Local, Bits<9>>,
    x1_wide_b: Signal<Local, Bits<9>>,

    x2_a: Signal<Local, Bits<32>>,
    x2_b: Signal<Local, Bits<32>>,
    x2_c: Signal<Local, Bits<32>>,
    x2_scale_a: Signal<Local, Bits<8>>,
    x2_scale_b: Signal<Local, Bits<8>>,
    x2_scale_c: Signal<Local, Bits<8>>,
    x2_fraction_a: Signal<Local, Bits<23>>,
    x2_fraction_b: Signal<Local, Bits<23>>,
    x2_fraction_c: Signal<Local, Bits<23>>,
    x2_magnitude_a: Signal<Local, Bits<31>>,
    x2_magnitude_b: Signal<Local, Bits<31>>,
    x2_sign_a: Signal<Local, Bit>,
    x2_sign_b: Signal<Local, Bit>,
    x2_sign_c: Signal<Local, Bit>,
    x2_nan_a: Signal<Local, Bit>,
    x2_nan_b: Signal<Local, Bit>,
    x2_nan_c: Signal<Local, Bit>,
    x2_infinite_a: Signal<Local, Bit>,
    x2_infinite_b: Signal<Local, Bit>,
    x2_smaller: Signal<Local, Bit>,
    x2_below: Signal<Local, Bit>,
    x2_same: Signal<Local, Bit>,
    x2_zeros: Signal<Local, Bit>,
    x2_equal: Signal<Local, Bit>,
    x2_less: Signal<Local, Bit>,
    x2_greater: Signal<Local, Bit>,
    x2_truth: Signal<Local, Bit>,
    x2_takes_b: Signal<Local, Bit>,
    x2_first: Signal<Local, Bits<32>>,
    x2_takes_a: Signal<Local, Bit>,
    x2_takes_ones: Signal<Local, Bit>,
    x2_second: Signal<Local, Bits<32>>,
    x2_second_scale: Signal<Local, Bits<8>>,
    x2_product_negative: Signal<Local, Bit>,
    x2_second_negative: Signal<Local, Bit>,
    x2_reference: Signal<Local, Bits<8>>,
    x2_exponents: Signal<Local, Bits<9>>,
    x2_wide_exponents: Signal<Local, Bits<10>>,
    x2_exponent: Signal<Local, Bits<10>>,
    x2_wide_reference: Signal<Local, Bits<10>>,
    x2_over: Signal<Local, Bits<10>>,
    x2_under: Signal<Local, Bits<10>>,
    x2_product_smaller: Signal<Local, Bit>,
    x2_distance: Signal<Local, Bits<10>>,
    x2_far: Signal<Local, Bits<4>>,

    _activity: Activity,
}

impl Logic for FloatUnpack {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, x2, x3);

        // Stage 1
        self.decode_operation();
        self.widen_half_operand();
        self.extend_integer();
        self.apply_signs();
        self.prepare_factors();
        self.choose_reference();
        self.pass_control();
        // Stage 2
        self.classify_operands();
        self.compare_operands();
        self.choose_second_term();
        self.measure_distance();
        self.register_terms();
    }
}

impl FloatUnpack {
    /// The operation, as sets of operations: stage 2 has no time to decode.
    #[hdl_part]
    fn decode_operation(&mut self) {
        self.x1_multiplies.next = self.x1_control.val().operation == FloatOperation::MultiplyAdd
            || self.x1_control.val().operation == FloatOperation::Multiply;
        self.x1_adds.next = self.x1_control.val().operation == FloatOperation::MultiplyAdd
            || self.x1_control.val().operation == FloatOperation::Add;
        self.x1_selects.next = self.x1_control.val().operation == FloatOperation::Select;
        self.x1_sets.next = self.x1_control.val().operation == FloatOperation::Set;
        self.x1_min_max.next = self.x1_control.val().operation == FloatOperation::MinMax;
        self.x1_reduces.next = self.x1_control.val().operation == FloatOperation::ReduceSine
            || self.x1_control.val().operation == FloatOperation::ReducePower;
        self.x1_converts.next = self.x1_control.val().operation == FloatOperation::ToFloat;
        self.x1_from_integer.next = self.x1_control.val().operation == FloatOperation::FromInteger;
        self.x1_half.next = self.x1_control.val().source_half
            && (self.x1_converts.val() || self.x1_control.val().operation == FloatOperation::ToInteger);
    }

    /// a as a float32: a 16-bit float's value with float32 exponents.
    #[hdl_part]
    fn widen_half_operand(&mut self) {
        self.x1_half_scale.next = self.x_a.val().get_bits::<5>(10);
        self.x1_half_fraction.next = self.x_a.val().get_bits::<10>(0);
        self.x1_half_biased.next = bit_cast::<8, 5>(self.x1_half_scale.val()) + 112;
        if !self.x1_half_scale.val().any() {
            self.x1_half_biased.next = 113.into();
        } else if self.x1_half_scale.val().all() {
            self.x1_half_biased.next = 255.into();
        }
        self.x1_scale_a.next = self.x_a.val().get_bits::<8>(23);
        self.x1_fraction_a.next = self.x_a.val().get_bits::<23>(0);
        self.x1_top_a.next = self.x_a.val().get_bit(31);
        self.x1_normal_a.next = self.x1_scale_a.val().any();
        self.x1_zero_a.next = !self.x1_normal_a.val();
        if self.x1_half.val() {
            self.x1_scale_a.next = self.x1_half_biased.val();
            self.x1_fraction_a.next = bit_cast::<23, 10>(self.x1_half_fraction.val()) << 13;
            self.x1_top_a.next = self.x_a.val().get_bit(15);
            self.x1_normal_a.next = self.x1_half_scale.val().any();
            self.x1_zero_a.next = !self.x1_half_scale.val().any() && !self.x1_half_fraction.val().any();
        }
    }

    /// a as an integer of 32 bits; a narrower one is sign- or zero-extended.
    #[hdl_part]
    fn extend_integer(&mut self) {
        self.x1_top.next = self.x_a.val().get_bit(31);
        self.x1_mask.next = 0xffff_ffff_u64.into();
        match self.x1_control.val().source_width {
            IntegerWidth::Half => {
                self.x1_top.next = self.x_a.val().get_bit(15);
                self.x1_mask.next = 0xffff.into();
            }
            IntegerWidth::Byte => {
                self.x1_top.next = self.x_a.val().get_bit(7);
                self.x1_mask.next = 0xff.into();
            }
            _ => {}
        }
        self.x1_integer_negative.next = self.x1_control.val().source_signed && self.x1_top.val();
        self.x1_low.next = self.x_a.val() & self.x1_mask.val();
        self.x1_ones.next = !self.x1_mask.val();
        self.x1_integer.next = self.x1_low.val();
        if self.x1_integer_negative.val() {
            self.x1_integer.next = self.x1_low.val() | self.x1_ones.val();
        }
    }

    /// Applies the instruction's sign modifiers: absolute value, then negation. FSLCT passes its operands unchanged.
    #[hdl_part]
    fn apply_signs(&mut self) {
        self.x1_sign_a.next = self.x1_top_a.val() && !self.x1_control.val().absolute_a;
        if self.x1_from_integer.val() {
            self.x1_sign_a.next = self.x1_integer_negative.val() && !self.x1_control.val().absolute_a;
        }
        self.x1_sign_b.next = self.x_b.val().get_bit(31) && !self.x1_control.val().absolute_b;
        self.x1_negative_a.next = self.x1_sign_a.val() != self.x1_control.val().negate_a;
        self.x1_negative_b.next = self.x1_sign_b.val() != self.x1_control.val().negate_b;
        self.x1_negative_c.next = self.x_c.val().get_bit(31) != self.x1_control.val().negate_c;
        self.x1_float_a.next =
            (bit_cast::<32, 8>(self.x1_scale_a.val()) << 23) | bit_cast::<32, 23>(self.x1_fraction_a.val());
        self.x2.d.next.a = self.x1_float_a.val().replace_bit(31, self.x1_negative_a.val());
        self.x2.d.next.b = self.x_b.val().replace_bit(31, self.x1_negative_b.val());
        self.x2.d.next.c = self.x_c.val().replace_bit(31, self.x1_negative_c.val());
        if self.x1_from_integer.val() {
            self.x2.d.next.a = self.x1_integer.val();
        } else if self.x1_selects.val() {
            self.x2.d.next.a = self.x_a.val();
            self.x2.d.next.b = self.x_b.val();
        }
        self.x1_turns.next = self.x1_multiplies.val() && self.x1_negative_b.val();
        self.x2.d.next.product_negative = self.x1_negative_a.val() != self.x1_turns.val();
        self.x2.d.next.integer_negative = self.x1_integer_negative.val() && self.x1_from_integer.val();
    }

    /// The multiplier's factors. Unless b is a factor, it is 1, or 2/pi for RRO.SIN. A value below 2^-33 is not a
    /// 16-bit float.
    #[hdl_part]
    fn prepare_factors(&mut self) {
        self.x1_to_half.next =
            self.x1_converts.val() && self.x1_control.val().result_half && !self.x1_control.val().integral;
        self.x1_void.next =
            self.x1_zero_a.val() || self.x1_min_max.val() || (self.x1_to_half.val() && self.x1_scale_a.val() < 94);
        self.x1_denormal.next = self.x1_to_half.val() && (self.x1_scale_a.val() < 113 || !self.x1_normal_a.val());
        self.x2.d.next.denormal = self.x1_denormal.val();
        self.x1_significand_a.next = bit_cast::<25, 23>(self.x1_fraction_a.val());
        self.x1_factor_a.next = 0.into();
        if !self.x1_void.val() {
            self.x1_factor_a.next = self.x1_significand_a.val().replace_bit(23, self.x1_normal_a.val());
        }
        self.x1_scale_b.next = self.x_b.val().get_bits::<8>(23);
        self.x1_fraction_b.next = self.x_b.val().get_bits::<23>(0);
        self.x1_factor_scale.next = 127.into();
        self.x1_factor_b.next = 0x80_0000.into();
        self.x2.d.next.empty = self.x1_void.val();
        if self.x1_multiplies.val() {
            self.x1_factor_scale.next = self.x1_scale_b.val();
            self.x1_factor_b.next = bit_cast::<25, 23>(self.x1_fraction_b.val()) | 0x80_0000;
            if !self.x1_scale_b.val().any() {
                self.x1_factor_b.next = 0.into();
                self.x2.d.next.empty = true;
            }
        } else if self.x1_control.val().operation == FloatOperation::ReduceSine {
            self.x1_factor_scale.next = 126.into();
            self.x1_factor_b.next = 0xa2_f983.into();
        }
        self.x1_wide_a.next = bit_cast::<9, 8>(self.x1_scale_a.val());
        self.x1_wide_b.next = bit_cast::<9, 8>(self.x1_factor_scale.val());
        self.x2.d.next.exponents = self.x1_wide_a.val() + self.x1_wide_b.val();
    }

    /// The exponent to which the product is aligned: that of c, or of an integer's place.
    #[hdl_part]
    fn choose_reference(&mut self) {
        self.x1_integral.next = self.x1_control.val().operation == FloatOperation::ToInteger
            || self.x1_reduces.val()
            || self.x1_denormal.val()
            || (self.x1_converts.val() && self.x1_control.val().integral);
        self.x1_scale_c.next = self.x_c.val().get_bits::<8>(23);
        self.x2.d.next.reference = 159.into();
        if self.x1_denormal.val() {
            self.x2.d.next.reference = 135.into();
        } else if self.x1_reduces.val() {
            self.x2.d.next.reference = 136.into();
        } else if self.x1_adds.val() {
            self.x2.d.next.reference = self.x1_scale_c.val();
        }
        self.x2.d.next.has_reference = self.x1_integral.val() || (self.x1_adds.val() && self.x1_scale_c.val().any());
    }

    /// The control of stage 2, decoded.
    #[hdl_part]
    fn pass_control(&mut self) {
        self.x2.d.next.integral = self.x1_integral.val();
        self.x2.d.next.multiplies = self.x1_multiplies.val();
        self.x2.d.next.adds = self.x1_adds.val();
        self.x2.d.next.chooses = self.x1_min_max.val() || self.x1_selects.val();
        self.x2.d.next.chooses_by_size = self.x1_min_max.val();
        self.x2.d.next.sets = self.x1_sets.val();
        self.x2.d.next.from_integer = self.x1_from_integer.val();
        self.x2.d.next.is_ready = self.x1_selects.val() || self.x1_sets.val() || self.x1_from_integer.val();
        self.x2.d.next.compare_less = self.x1_control.val().compare_less;
        self.x2.d.next.compare_equal = self.x1_control.val().compare_equal;
        self.x2.d.next.compare_greater = self.x1_control.val().compare_greater;
        self.x2.d.next.compare_unordered = self.x1_control.val().compare_unordered;
        self.x2.d.next.maximum = self.x1_control.val().maximum;
    }

    /// The operands' classes: their signs, exponents and fractions, NaN, infinity.
    #[hdl_part]
    fn classify_operands(&mut self) {
        self.x2_a.next = self.x2.q.val().a;
        self.x2_b.next = self.x2.q.val().b;
        self.x2_c.next = self.x2.q.val().c;
        self.x2_scale_a.next = self.x2_a.val().get_bits::<8>(23);
        self.x2_scale_b.next = self.x2_b.val().get_bits::<8>(23);
        self.x2_scale_c.next = self.x2_c.val().get_bits::<8>(23);
        self.x2_fraction_a.next = self.x2_a.val().get_bits::<23>(0);
        self.x2_fraction_b.next = self.x2_b.val().get_bits::<23>(0);
        self.x2_fraction_c.next = self.x2_c.val().get_bits::<23>(0);
        self.x2_sign_a.next = self.x2_a.val().get_bit(31);
        self.x2_sign_b.next = self.x2_b.val().get_bit(31);
        self.x2_sign_c.next = self.x2_c.val().get_bit(31);
        self.x2_nan_a.next = self.x2_scale_a.val().all() && self.x2_fraction_a.val().any();
        self.x2_nan_b.next = self.x2_scale_b.val().all() && self.x2_fraction_b.val().any();
        self.x2_nan_c.next = self.x2_scale_c.val().all() && self.x2_fraction_c.val().any();
        self.x2_infinite_a.next = self.x2_scale_a.val().all() && !self.x2_fraction_a.val().any();
        self.x2_infinite_b.next = self.x2_scale_b.val().all() && !self.x2_fraction_b.val().any();
    }

    /// Compares a with b, and selects one for FMIN, FMAX and FSLCT. -0 is below +0 here, as in FMIN and FMAX; of two
    /// equal operands either will do.
    #[hdl_part]
    fn compare_operands(&mut self) {
        self.x2_magnitude_a.next = self.x2_a.val().get_bits::<31>(0);
        self.x2_magnitude_b.next = self.x2_b.val().get_bits::<31>(0);
        self.x2_same.next = self.x2_magnitude_a.val() == self.x2_magnitude_b.val();
        self.x2_smaller.next = self.x2_magnitude_a.val() < self.x2_magnitude_b.val();
        self.x2_below.next = self.x2_sign_a.val();
        if self.x2_sign_a.val() == self.x2_sign_b.val() {
            self.x2_below.next = self.x2_smaller.val() != self.x2_sign_a.val();
        }
        self.x2_zeros.next = !self.x2_scale_a.val().any() && !self.x2_scale_b.val().any();
        self.x2_equal.next =
            self.x2_zeros.val() || (self.x2_same.val() && (self.x2_sign_a.val() == self.x2_sign_b.val()));
        self.x2_less.next = self.x2_below.val() && !self.x2_equal.val();
        self.x2_greater.next = !self.x2_below.val() && !self.x2_equal.val();
        self.x2_truth.next = (self.x2.q.val().compare_less && self.x2_less.val())
            || (self.x2.q.val().compare_equal && self.x2_equal.val())
            || (self.x2.q.val().compare_greater && self.x2_greater.val());
        if self.x2_nan_a.val() || self.x2_nan_b.val() {
            self.x2_truth.next = self.x2.q.val().compare_unordered;
        }
        self.x2_takes_b.next = (self.x2_below.val() == self.x2.q.val().maximum) && !self.x2_nan_b.val();
        if !self.x2.q.val().chooses_by_size {
            self.x2_takes_b.next = self.x2_nan_c.val() || (self.x2_sign_c.val() && self.x2_scale_c.val().any());
        } else if self.x2_nan_a.val() {
            self.x2_takes_b.next = true;
        }
    }

    /// The sum's second term, and the signs of both. An operation without a product already has its result here.
    #[hdl_part]
    fn choose_second_term(&mut self) {
        self.x2_takes_a.next = self.x2.q.val().from_integer || (self.x2.q.val().chooses && !self.x2_takes_b.val());
        self.x2_takes_ones.next = self.x2.q.val().sets && self.x2_truth.val();
        self.x2_first.next = 0.into();
        if self.x2_takes_a.val() {
            self.x2_first.next = self.x2_a.val();
        } else if self.x2.q.val().chooses {
            self.x2_first.next = self.x2_b.val();
        }
        self.x2_second.next = self.x2_first.val();
        if self.x2.q.val().adds {
            self.x2_second.next = self.x2_c.val();
        } else if self.x2_takes_ones.val() {
            self.x2_second.next = 0xffff_ffff_u64.into();
        }
        self.x2_product_negative.next = self.x2.q.val().product_negative;
        if self.x2.q.val().chooses_by_size {
            self.x2_product_negative.next = self.x2_first.val().get_bit(31);
        }
        self.x2_second_negative.next = self.x2_product_negative.val();
        if self.x2.q.val().adds {
            self.x2_second_negative.next = self.x2_sign_c.val();
        }
    }

    /// The distance between the exponents, and the term with the smaller one, which is shifted.
    #[hdl_part]
    fn measure_distance(&mut self) {
        self.x2_reference.next = self.x2.q.val().reference;
        self.x2_exponents.next = self.x2.q.val().exponents;
        self.x2_wide_exponents.next = bit_cast::<10, 9>(self.x2_exponents.val());
        self.x2_exponent.next = self.x2_wide_exponents.val() - 126;
        self.x2_wide_reference.next = bit_cast::<10, 8>(self.x2_reference.val());
        self.x2_over.next = self.x2_exponent.val() - self.x2_wide_reference.val();
        self.x2_under.next = self.x2_wide_reference.val() - self.x2_exponent.val();
        self.x2_product_smaller.next =
            self.x2.q.val().empty || (self.x2_over.val().get_bit(9) && self.x2.q.val().has_reference);
        self.x2_distance.next = self.x2_over.val();
        if self.x2_product_smaller.val() {
            self.x2_distance.next = self.x2_under.val();
        }
        self.x2_far.next = self.x2_distance.val().get_bits::<4>(6);
    }

    /// The terms for stage 3, with their exponent and the special values of the product.
    #[hdl_part]
    fn register_terms(&mut self) {
        self.x3.d.next.distance = self.x2_distance.val().get_bits::<6>(0);
        self.x3.d.next.beyond = self.x2_far.val().any();
        if self.x2.q.val().is_ready {
            self.x3.d.next.distance = 0.into();
            self.x3.d.next.beyond = false;
        }
        self.x2_second_scale.next = self.x2_second.val().get_bits::<8>(23);
        self.x3.d.next.exponent = self.x2_exponent.val();
        if self.x2.q.val().from_integer {
            self.x3.d.next.exponent = 159.into();
        } else if self.x2.q.val().chooses_by_size {
            self.x3.d.next.exponent = bit_cast::<10, 8>(self.x2_second_scale.val());
        } else if self.x2_product_smaller.val() {
            self.x3.d.next.exponent = self.x2_wide_reference.val();
        }
        self.x3.d.next.second = self.x2_second.val();
        self.x3.d.next.product_smaller = self.x2_product_smaller.val();
        self.x3.d.next.product_negative = self.x2_product_negative.val();
        self.x3.d.next.second_negative = self.x2_second_negative.val();
        self.x3.d.next.subtract =
            (self.x2_product_negative.val() != self.x2_second_negative.val()) || self.x2.q.val().integer_negative;
        self.x3.d.next.product_nan = self.x2_nan_a.val();
        self.x3.d.next.product_infinite = self.x2_infinite_a.val();
        if self.x2.q.val().multiplies {
            self.x3.d.next.product_nan = self.x2_nan_a.val()
                || self.x2_nan_b.val()
                || (self.x2_infinite_a.val() && !self.x2_scale_b.val().any())
                || (self.x2_infinite_b.val() && !self.x2_scale_a.val().any());
            self.x3.d.next.product_infinite = self.x2_infinite_a.val() || self.x2_infinite_b.val();
        } else if self.x2.q.val().is_ready || self.x2.q.val().chooses_by_size {
            self.x3.d.next.product_nan = false;
            self.x3.d.next.product_infinite = false;
        }
        self.x3.d.next.integral = self.x2.q.val().integral;
        self.x3.d.next.past = !self.x2_product_smaller.val() && self.x2_over.val().any();
        self.x3.d.next.denormal = self.x2.q.val().denormal;

        self.x3_terms.next = self.x3.q.val();
    }
}
