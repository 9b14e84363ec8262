// Written by `make reference`. Do not edit.

//! The lines of the units' control that the word's fields drive, each for the rows that ask for it.

use super::layout::Layout;
use super::rows::Row;
use crate::bundles::*;
use crate::execute::float::{FloatControl, FloatOperation};
use crate::execute::special_function::SpecialControl;
use hdlkit::prelude::*;

/// The units' lines. Those of a unit that the instruction does not go to mean nothing.
#[derive(LogicBlock, Cycle, Blank)]
pub struct DecodeLines {
    pub d_word: Signal<In, Bits<64>>,
    pub d_layout: Signal<In, Layout>,
    pub d_row: Signal<In, Row>,
    pub d_integer: Signal<Out, IntegerControl>,
    pub d_float: Signal<Out, FloatControl>,
    pub d_special: Signal<Out, SpecialControl>,
    integer_lines: Signal<Local, IntegerControl>,
    float_lines: Signal<Local, FloatControl>,
    special_lines: Signal<Local, SpecialControl>,
    no_integer: Constant<IntegerControl>,
    no_float: Constant<FloatControl>,
    no_special: Constant<SpecialControl>,
    source_type: Signal<Local, Bits<3>>,
    result_type: Signal<Local, Bits<3>>,
    absolute_1: Signal<Local, Bit>,
    negate_61: Signal<Local, Bit>,
    sum: Signal<Local, Bits<2>>,
    clamp: Signal<Local, Bit>,
    mul: Signal<Local, Bits<3>>,
    mul_multiply_signed_b: Signal<Local, Bit>,
    mul_multiply_high: Signal<Local, Bit>,
    product_sum: Signal<Local, Bits<2>>,
    mad: Signal<Local, Bits<3>>,
    mad_multiply_signed_a: Signal<Local, Bit>,
    mad_multiply_signed_b: Signal<Local, Bit>,
    mad_multiply_24: Signal<Local, Bit>,
    mad_multiply_high: Signal<Local, Bit>,
    mad_saturate: Signal<Local, Bit>,
    mad_7: Signal<Local, Bits<3>>,
    mad_short: Signal<Local, Bits<2>>,
    mad_short_multiply_signed_a: Signal<Local, Bit>,
    mad_short_multiply_signed_b: Signal<Local, Bit>,
    sign: Signal<Local, Bit>,
    logic_function: Signal<Local, Bits<2>>,
    invert_1: Signal<Local, Bit>,
    invert_2: Signal<Local, Bit>,
    compare: Signal<Local, Bits<3>>,
    negate_1: Signal<Local, Bit>,
    negate_3: Signal<Local, Bit>,
    float_clamp: Signal<Local, Bit>,
    rounding_16: Signal<Local, Bits<2>>,
    negate_2: Signal<Local, Bit>,
    rounding_46: Signal<Local, Bits<2>>,
    absolute_2: Signal<Local, Bit>,
    compare_float: Signal<Local, Bits<4>>,
    select_negate_3: Signal<Local, Bit>,
    reduction: Signal<Local, Bit>,
    clamp_51: Signal<Local, Bit>,
    rounding_49: Signal<Local, Bits<2>>,
    integer_result: Signal<Local, Bits<2>>,
    integer_result_result_narrow: Signal<Local, Bit>,
    rounds_to_integral: Signal<Local, Bit>,
    absolute_short: Signal<Local, Bit>,
    negate_short: Signal<Local, Bit>,
    special_clamp: Signal<Local, Bit>,
    _activity: Activity,
}

impl Logic for DecodeLines {
    #[hdl_gen]
    fn update(&mut self) {
        // A field that drives lines of several units is with the first of them.
        self.integer_fields();
        self.float_fields();
        self.special_fields();

        self.integer_lines.next = self.no_integer.val();
        self.float_lines.next = self.no_float.val();
        self.special_lines.next = self.no_special.val();
        self.integer_lines.next.operation = self.d_row.val().integer;
        self.float_lines.next.operation = self.d_row.val().float;
        self.special_lines.next.operation = self.d_row.val().special;
        self.integer_lines.next.narrow =
            (self.d_row.val().sized || self.d_row.val().sized_a) && !self.d_layout.val().wide;
        self.float_bits();
        self.integer_bits();
        self.special_bits();
        self.numbers();
        self.d_integer.next = self.integer_lines.val();
        self.d_float.next = self.float_lines.val();
        self.d_special.next = self.special_lines.val();
    }
}

impl DecodeLines {
    /// The fields of the word that drive lines of the integer lanes.
    #[hdl_part]
    fn integer_fields(&mut self) {
        self.source_type.next = self.d_word.val().get_bits::<3>(46);
        self.result_type.next = bit_cast::<3, 1>(self.d_word.val().get_bits::<1>(58)) | (bit_cast::<3, 1>(self.d_word.val().get_bits::<1>(59)) << 1) | (bit_cast::<3, 1>(self.d_word.val().get_bits::<1>(51)) << 2);
        self.absolute_1.next = self.d_word.val().get_bit(52);
        self.negate_61.next = self.d_word.val().get_bit(61);
        self.sum.next = bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(22)) | (bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(28)) << 1);
        self.clamp.next = self.d_word.val().get_bit(8);
        if self.d_layout.val().is_full {
            self.clamp.next = self.d_word.val().get_bit(59);
        }
        self.mul.next = bit_cast::<3, 1>(self.d_word.val().get_bits::<1>(8)) | (bit_cast::<3, 1>(self.d_word.val().get_bits::<1>(15)) << 1) | (bit_cast::<3, 1>(self.d_word.val().get_bits::<1>(22)) << 2);
        if self.d_layout.val().is_full {
            self.mul.next = self.d_word.val().get_bits::<3>(46);
        }
        self.mul_multiply_signed_b.next = false;
        match self.mul.val().index() {
            1 => self.mul_multiply_signed_b.next = true,
            3 => self.mul_multiply_signed_b.next = true,
            6 => self.mul_multiply_signed_b.next = true,
            7 => self.mul_multiply_signed_b.next = true,
            _ => {}
        }
        self.mul_multiply_high.next = false;
        match self.mul.val().index() {
            5 => self.mul_multiply_high.next = true,
            7 => self.mul_multiply_high.next = true,
            _ => {}
        }
        self.product_sum.next = bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(22)) | (bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(28)) << 1);
        if self.d_layout.val().is_full {
            self.product_sum.next = bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(58)) | (bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(59)) << 1);
        }
        self.mad.next = self.d_word.val().get_bits::<3>(61);
        self.mad_multiply_signed_a.next = false;
        match self.mad.val().index() {
            1 => self.mad_multiply_signed_a.next = true,
            2 => self.mad_multiply_signed_a.next = true,
            4 => self.mad_multiply_signed_a.next = true,
            5 => self.mad_multiply_signed_a.next = true,
            7 => self.mad_multiply_signed_a.next = true,
            _ => {}
        }
        self.mad_multiply_signed_b.next = false;
        match self.mad.val().index() {
            1 => self.mad_multiply_signed_b.next = true,
            2 => self.mad_multiply_signed_b.next = true,
            4 => self.mad_multiply_signed_b.next = true,
            5 => self.mad_multiply_signed_b.next = true,
            7 => self.mad_multiply_signed_b.next = true,
            _ => {}
        }
        self.mad_multiply_24.next = false;
        match self.mad.val().index() {
            3 => self.mad_multiply_24.next = true,
            4 => self.mad_multiply_24.next = true,
            5 => self.mad_multiply_24.next = true,
            6 => self.mad_multiply_24.next = true,
            7 => self.mad_multiply_24.next = true,
            _ => {}
        }
        self.mad_multiply_high.next = false;
        match self.mad.val().index() {
            6 => self.mad_multiply_high.next = true,
            7 => self.mad_multiply_high.next = true,
            _ => {}
        }
        self.mad_saturate.next = false;
        match self.mad.val().index() {
            2 => self.mad_saturate.next = true,
            5 => self.mad_saturate.next = true,
            _ => {}
        }
        self.mad_7.next = self.d_word.val().get_bits::<3>(61);
        self.mad_short.next = bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(8)) | (bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(15)) << 1);
        self.mad_short_multiply_signed_a.next = false;
        match self.mad_short.val().index() {
            1 => self.mad_short_multiply_signed_a.next = true,
            2 => self.mad_short_multiply_signed_a.next = true,
            _ => {}
        }
        self.mad_short_multiply_signed_b.next = false;
        match self.mad_short.val().index() {
            1 => self.mad_short_multiply_signed_b.next = true,
            2 => self.mad_short_multiply_signed_b.next = true,
            _ => {}
        }
        self.sign.next = self.d_word.val().get_bit(8);
        if self.d_layout.val().is_full {
            self.sign.next = self.d_word.val().get_bit(59);
        }
        self.logic_function.next = bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(8)) | (bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(15)) << 1);
        if self.d_layout.val().is_full {
            self.logic_function.next = self.d_word.val().get_bits::<2>(46);
        }
        self.invert_1.next = self.d_word.val().get_bit(22);
        if self.d_layout.val().is_full {
            self.invert_1.next = self.d_word.val().get_bit(48);
        }
        self.invert_2.next = self.d_word.val().get_bit(49);
        self.compare.next = self.d_word.val().get_bits::<3>(46);
    }

    /// The fields of the word that drive lines of the float lanes.
    #[hdl_part]
    fn float_fields(&mut self) {
        self.negate_1.next = self.d_word.val().get_bit(15);
        if self.d_layout.val().is_full {
            self.negate_1.next = self.d_word.val().get_bit(58);
        }
        self.negate_3.next = self.d_word.val().get_bit(22);
        if self.d_layout.val().is_full {
            self.negate_3.next = self.d_word.val().get_bit(59);
        }
        self.float_clamp.next = self.d_word.val().get_bit(8);
        if self.d_layout.val().is_full {
            self.float_clamp.next = self.d_word.val().get_bit(61);
        }
        self.rounding_16.next = self.d_word.val().get_bits::<2>(16);
        self.negate_2.next = self.d_word.val().get_bit(22);
        if self.d_layout.val().is_full {
            self.negate_2.next = self.d_word.val().get_bit(59);
        }
        self.rounding_46.next = self.d_word.val().get_bits::<2>(46);
        self.absolute_2.next = self.d_word.val().get_bit(51);
        self.compare_float.next = self.d_word.val().get_bits::<4>(46);
        self.select_negate_3.next = self.d_word.val().get_bit(61);
        self.reduction.next = self.d_word.val().get_bit(46);
        self.clamp_51.next = self.d_word.val().get_bit(51);
        self.rounding_49.next = self.d_word.val().get_bits::<2>(49);
        self.integer_result.next = bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(58)) | (bit_cast::<2, 1>(self.d_word.val().get_bits::<1>(59)) << 1);
        self.integer_result_result_narrow.next = false;
        match self.integer_result.val().index() {
            0 => self.integer_result_result_narrow.next = true,
            2 => self.integer_result_result_narrow.next = true,
            _ => {}
        }
        self.rounds_to_integral.next = self.d_word.val().get_bit(59);
    }

    /// The fields of the word that drive lines of the special function unit.
    #[hdl_part]
    fn special_fields(&mut self) {
        self.absolute_short.next = self.d_word.val().get_bit(15);
        self.negate_short.next = self.d_word.val().get_bit(22);
        self.special_clamp.next = self.d_word.val().get_bit(59);
    }

    /// The lines of the float lanes that are one bit.
    #[hdl_part]
    fn float_bits(&mut self) {
        self.float_lines.next.absolute_a = self.d_row.val().absolute_1 && self.absolute_1.val();
        self.float_lines.next.absolute_b = self.d_row.val().absolute_2 && self.absolute_2.val();
        self.float_lines.next.compare_equal = self.d_row.val().compare_float && self.compare_float.val().get_bit(1);
        self.float_lines.next.compare_greater = self.d_row.val().compare_float && self.compare_float.val().get_bit(2);
        self.float_lines.next.compare_less = self.d_row.val().compare_float && self.compare_float.val().get_bit(0);
        self.float_lines.next.compare_unordered = self.d_row.val().compare_float && self.compare_float.val().get_bit(3);
        self.float_lines.next.integral = self.d_row.val().integral
            || (self.d_row.val().rounds_to_integral && self.rounds_to_integral.val());
        self.float_lines.next.maximum = self.d_row.val().maximum;
        self.float_lines.next.negate_a = (self.d_row.val().negate_61 && self.negate_61.val())
            || (self.d_row.val().negate_1 && self.negate_1.val());
        self.float_lines.next.negate_b = self.d_row.val().negate_2 && self.negate_2.val();
        self.float_lines.next.negate_c = (self.d_row.val().negate_3 && self.negate_3.val())
            || (self.d_row.val().select_negate_3 && self.select_negate_3.val());
        self.float_lines.next.result_half = self.d_row.val().result_half;
        self.float_lines.next.result_narrow = self.d_row.val().integer_result && self.integer_result_result_narrow.val();
        self.float_lines.next.result_signed = self.d_row.val().integer_result && self.integer_result.val().get_bit(1);
        self.float_lines.next.saturate = (self.d_row.val().float_clamp && self.float_clamp.val())
            || (self.d_row.val().clamp_51 && self.clamp_51.val());
        self.float_lines.next.source_half = self.d_row.val().source_half;
        self.float_lines.next.source_signed = self.d_row.val().source_type && self.source_type.val().get_bit(2);
    }

    /// The lines of the integer lanes that are one bit.
    #[hdl_part]
    fn integer_bits(&mut self) {
        self.integer_lines.next.absolute = self.d_row.val().absolute_1 && self.absolute_1.val();
        self.integer_lines.next.accumulate = self.d_row.val().accumulate;
        self.integer_lines.next.carry_in = (self.d_row.val().sum && (self.sum.val() == 3))
            || (self.d_row.val().product_sum && (self.product_sum.val() == 3));
        self.integer_lines.next.compare_equal = self.d_row.val().compare && self.compare.val().get_bit(1);
        self.integer_lines.next.compare_greater = self.d_row.val().compare && self.compare.val().get_bit(2);
        self.integer_lines.next.compare_less = self.d_row.val().compare && self.compare.val().get_bit(0);
        self.integer_lines.next.invert_a = self.d_row.val().invert_1 && self.invert_1.val();
        self.integer_lines.next.invert_b = self.d_row.val().invert_2 && self.invert_2.val();
        self.integer_lines.next.is_signed = self.d_row.val().sign && self.sign.val();
        self.integer_lines.next.maximum = self.d_row.val().maximum;
        self.integer_lines.next.multiply_24 = self.d_row.val().multiply_24
            || (self.d_row.val().mul && self.mul.val().get_bit(2))
            || (self.d_row.val().mad && self.mad_multiply_24.val())
            || (self.d_row.val().mad_short && (self.mad_short.val() == 3));
        self.integer_lines.next.multiply_high = (self.d_row.val().mul && self.mul_multiply_high.val())
            || (self.d_row.val().mad && self.mad_multiply_high.val())
            || (self.d_row.val().mad_7 && (self.mad_7.val() == 0));
        self.integer_lines.next.multiply_signed_a = (self.d_row.val().mul && self.mul.val().get_bit(1))
            || (self.d_row.val().mad && self.mad_multiply_signed_a.val())
            || (self.d_row.val().mad_7 && (self.mad_7.val() == 0))
            || (self.d_row.val().mad_short && self.mad_short_multiply_signed_a.val());
        self.integer_lines.next.multiply_signed_b = (self.d_row.val().mul && self.mul_multiply_signed_b.val())
            || (self.d_row.val().mad && self.mad_multiply_signed_b.val())
            || (self.d_row.val().mad_7 && (self.mad_7.val() == 0))
            || (self.d_row.val().mad_short && self.mad_short_multiply_signed_b.val());
        self.integer_lines.next.negate = self.d_row.val().negate_61 && self.negate_61.val();
        self.integer_lines.next.negate_first = (self.d_row.val().sum && (self.sum.val() == 2))
            || (self.d_row.val().product_sum && (self.product_sum.val() == 2));
        self.integer_lines.next.negate_last = (self.d_row.val().sum && (self.sum.val() == 1))
            || (self.d_row.val().product_sum && (self.product_sum.val() == 1));
        self.integer_lines.next.result_signed = self.d_row.val().result_type && self.result_type.val().get_bit(1);
        self.integer_lines.next.saturate = (self.d_row.val().clamp && self.clamp.val())
            || (self.d_row.val().mad && self.mad_saturate.val())
            || (self.d_row.val().mad_7 && (self.mad_7.val() == 0))
            || (self.d_row.val().mad_short && (self.mad_short.val() == 2));
        self.integer_lines.next.shift_right = self.d_row.val().shift_right;
        self.integer_lines.next.source_signed = self.d_row.val().source_type && self.source_type.val().get_bit(2);
    }

    /// The lines of the special function unit that are one bit.
    #[hdl_part]
    fn special_bits(&mut self) {
        self.special_lines.next.absolute = (self.d_row.val().absolute_1 && self.absolute_1.val())
            || (self.d_row.val().absolute_short && self.absolute_short.val());
        self.special_lines.next.negate = (self.d_row.val().negate_1 && self.negate_1.val())
            || (self.d_row.val().negate_short && self.negate_short.val());
        self.special_lines.next.saturate = self.d_row.val().special_clamp && self.special_clamp.val();
    }

    /// The lines of all units that are numbers or one of several names.
    #[hdl_part]
    fn numbers(&mut self) {
        if self.d_row.val().source_type {
            match self.source_type.val().index() {
                0 => self.integer_lines.next.source_width = IntegerWidth::Half,
                1 => self.integer_lines.next.source_width = IntegerWidth::Word,
                2 => self.integer_lines.next.source_width = IntegerWidth::Byte,
                3 => self.integer_lines.next.source_width = IntegerWidth::Byte,
                4 => self.integer_lines.next.source_width = IntegerWidth::Half,
                5 => self.integer_lines.next.source_width = IntegerWidth::Word,
                6 => self.integer_lines.next.source_width = IntegerWidth::Byte,
                _ => self.integer_lines.next.source_width = IntegerWidth::Byte,
            }
        }
        if self.d_row.val().source_type {
            match self.source_type.val().index() {
                0 => self.float_lines.next.source_width = IntegerWidth::Half,
                1 => self.float_lines.next.source_width = IntegerWidth::Word,
                2 => self.float_lines.next.source_width = IntegerWidth::Byte,
                3 => self.float_lines.next.source_width = IntegerWidth::Byte,
                4 => self.float_lines.next.source_width = IntegerWidth::Half,
                5 => self.float_lines.next.source_width = IntegerWidth::Word,
                6 => self.float_lines.next.source_width = IntegerWidth::Byte,
                _ => self.float_lines.next.source_width = IntegerWidth::Byte,
            }
        }
        if self.d_row.val().result_type {
            match self.result_type.val().index() {
                0 => self.integer_lines.next.result_width = IntegerWidth::Half,
                1 => self.integer_lines.next.result_width = IntegerWidth::Word,
                2 => self.integer_lines.next.result_width = IntegerWidth::Half,
                3 => self.integer_lines.next.result_width = IntegerWidth::Word,
                4 => self.integer_lines.next.result_width = IntegerWidth::Byte,
                5 => self.integer_lines.next.result_width = IntegerWidth::Byte,
                6 => self.integer_lines.next.result_width = IntegerWidth::Byte,
                _ => self.integer_lines.next.result_width = IntegerWidth::Byte,
            }
        }
        if self.d_row.val().logic_function {
            self.integer_lines.next.logic_function = self.logic_function.val();
        }
        if self.d_row.val().rounding_16 {
            self.float_lines.next.rounding = self.rounding_16.val();
        }
        if self.d_row.val().rounding_46 {
            self.float_lines.next.rounding = self.rounding_46.val();
        }
        if self.d_row.val().reduction {
            self.float_lines.next.operation = FloatOperation::ReduceSine;
            if self.reduction.val() {
                self.float_lines.next.operation = FloatOperation::ReducePower;
            }
        }
        if self.d_row.val().rounding_49 {
            self.float_lines.next.rounding = self.rounding_49.val();
        }
    }
}
