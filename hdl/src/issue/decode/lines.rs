// Written by `cargo xtask update reference`. Do not edit.

//! Drives the control lines of the units from the fields of the word that the row requests.

use super::layout::Layout;
use super::row::Row;
use crate::bundles::*;
use hdlkit::prelude::*;

/// The lines of the integer lanes.
#[hdl_fn]
fn integer_lines(word: Bits<64>, layout: Layout, row: Row) -> IntegerControl {
    let source_type = word.bits::<3>(46);
    let result_type = word.bits::<1>(51).concat::<2, 3>(word.bits::<1>(59).concat::<1, 2>(word.bits::<1>(58)));
    let absolute_1 = word.get_bit(52);
    let negate_61 = word.get_bit(61);
    let sum = word.bits::<1>(28).concat::<1, 2>(word.bits::<1>(22));
    let clamp = if layout.is_full {
        word.get_bit(59)
    } else {
        word.get_bit(8)
    };
    let mul = if layout.is_full {
        word.bits::<3>(46)
    } else {
        word.bits::<1>(22).concat::<2, 3>(word.bits::<1>(15).concat::<1, 2>(word.bits::<1>(8)))
    };
    let mul_multiply_signed_b = mul == 1 || mul == 3 || mul == 6 || mul == 7;
    let mul_multiply_high = mul == 5 || mul == 7;
    let product_sum = if layout.is_full {
        word.bits::<1>(59).concat::<1, 2>(word.bits::<1>(58))
    } else {
        word.bits::<1>(28).concat::<1, 2>(word.bits::<1>(22))
    };
    let mad = word.bits::<3>(61);
    let mad_multiply_signed_a = mad != 0 && mad != 3 && mad != 6;
    let mad_multiply_signed_b = mad != 0 && mad != 3 && mad != 6;
    let mad_multiply_24 = mad != 0 && mad != 1 && mad != 2;
    let mad_multiply_high = mad == 6 || mad == 7;
    let mad_saturate = mad == 2 || mad == 5;
    let mad_7 = word.bits::<3>(61);
    let mad_short = word.bits::<1>(15).concat::<1, 2>(word.bits::<1>(8));
    let mad_short_multiply_signed_a = mad_short == 1 || mad_short == 2;
    let mad_short_multiply_signed_b = mad_short == 1 || mad_short == 2;
    let sign = if layout.is_full {
        word.get_bit(59)
    } else {
        word.get_bit(8)
    };
    let logic_function = if layout.is_full {
        word.bits::<2>(46)
    } else {
        word.bits::<1>(15).concat::<1, 2>(word.bits::<1>(8))
    };
    let invert_1 = if layout.is_full {
        word.get_bit(48)
    } else {
        word.get_bit(22)
    };
    let invert_2 = word.get_bit(49);
    let compare = word.bits::<3>(46);
    IntegerControl {
        operation: row.integer,
        narrow: (row.sized || row.sized_a) && !layout.wide,
        absolute: row.absolute_1 && absolute_1,
        accumulate: row.accumulate,
        carry_in: (row.sum && sum == 3)
            || (row.product_sum && product_sum == 3),
        compare_equal: row.compare && compare.get_bit(1),
        compare_greater: row.compare && compare.get_bit(2),
        compare_less: row.compare && compare.get_bit(0),
        invert_a: row.invert_1 && invert_1,
        invert_b: row.invert_2 && invert_2,
        is_signed: row.sign && sign,
        maximum: row.maximum,
        multiply_24: row.multiply_24
            || (row.mul && mul.get_bit(2))
            || (row.mad && mad_multiply_24)
            || (row.mad_short && mad_short == 3),
        multiply_high: (row.mul && mul_multiply_high)
            || (row.mad && mad_multiply_high)
            || (row.mad_7 && mad_7 == 0),
        multiply_signed_a: (row.mul && mul.get_bit(1))
            || (row.mad && mad_multiply_signed_a)
            || (row.mad_7 && mad_7 == 0)
            || (row.mad_short && mad_short_multiply_signed_a),
        multiply_signed_b: (row.mul && mul_multiply_signed_b)
            || (row.mad && mad_multiply_signed_b)
            || (row.mad_7 && mad_7 == 0)
            || (row.mad_short && mad_short_multiply_signed_b),
        negate: row.negate_61 && negate_61,
        negate_first: (row.sum && sum == 2)
            || (row.product_sum && product_sum == 2),
        negate_last: (row.sum && sum == 1)
            || (row.product_sum && product_sum == 1),
        result_signed: row.result_type && result_type.get_bit(1),
        saturate: (row.clamp && clamp)
            || (row.mad && mad_saturate)
            || (row.mad_7 && mad_7 == 0)
            || (row.mad_short && mad_short == 2),
        shift_right: row.shift_right,
        source_signed: row.source_type && source_type.get_bit(2),
        logic_function: if row.logic_function {
            logic_function
        } else {
            bits(0)
        },
        result_width: if row.result_type {
            match result_type.index() {
                0 | 2 => IntegerWidth::Half,
                1 | 3 => IntegerWidth::Word,
                _ => IntegerWidth::Byte,
            }
        } else {
            IntegerWidth::default()
        },
        source_width: if row.source_type {
            match source_type.index() {
                0 | 4 => IntegerWidth::Half,
                1 | 5 => IntegerWidth::Word,
                _ => IntegerWidth::Byte,
            }
        } else {
            IntegerWidth::default()
        },
    }
}

/// The lines of the float lanes.
#[hdl_fn]
fn float_lines(word: Bits<64>, layout: Layout, row: Row) -> FloatControl {
    let source_type = word.bits::<3>(46);
    let absolute_1 = word.get_bit(52);
    let negate_61 = word.get_bit(61);
    let negate_1 = if layout.is_full {
        word.get_bit(58)
    } else {
        word.get_bit(15)
    };
    let negate_3 = if layout.is_full {
        word.get_bit(59)
    } else {
        word.get_bit(22)
    };
    let float_clamp = if layout.is_full {
        word.get_bit(61)
    } else {
        word.get_bit(8)
    };
    let rounding_16 = word.bits::<2>(16);
    let negate_2 = if layout.is_full {
        word.get_bit(59)
    } else {
        word.get_bit(22)
    };
    let rounding_46 = word.bits::<2>(46);
    let absolute_2 = word.get_bit(51);
    let compare_float = word.bits::<4>(46);
    let select_negate_3 = word.get_bit(61);
    let reduction = word.get_bit(46);
    let clamp_51 = word.get_bit(51);
    let rounding_49 = word.bits::<2>(49);
    let integer_result = word.bits::<1>(59).concat::<1, 2>(word.bits::<1>(58));
    let integer_result_result_narrow = integer_result == 0 || integer_result == 2;
    let rounds_to_integral = word.get_bit(59);
    FloatControl {
        absolute_a: row.absolute_1 && absolute_1,
        absolute_b: row.absolute_2 && absolute_2,
        compare_equal: row.compare_float && compare_float.get_bit(1),
        compare_greater: row.compare_float && compare_float.get_bit(2),
        compare_less: row.compare_float && compare_float.get_bit(0),
        compare_unordered: row.compare_float && compare_float.get_bit(3),
        integral: row.integral
            || (row.rounds_to_integral && rounds_to_integral),
        maximum: row.maximum,
        negate_a: (row.negate_61 && negate_61)
            || (row.negate_1 && negate_1),
        negate_b: row.negate_2 && negate_2,
        negate_c: (row.negate_3 && negate_3)
            || (row.select_negate_3 && select_negate_3),
        result_half: row.result_half,
        result_narrow: row.integer_result && integer_result_result_narrow,
        result_signed: row.integer_result && integer_result.get_bit(1),
        saturate: (row.float_clamp && float_clamp)
            || (row.clamp_51 && clamp_51),
        source_half: row.source_half,
        source_signed: row.source_type && source_type.get_bit(2),
        operation: if row.reduction {
            if reduction {
                FloatOperation::ReducePower
            } else {
                FloatOperation::ReduceSine
            }
        } else {
            row.float
        },
        rounding: if row.rounding_49 {
            rounding_49
        } else if row.rounding_46 {
            rounding_46
        } else if row.rounding_16 {
            rounding_16
        } else {
            bits(0)
        },
        source_width: if row.source_type {
            match source_type.index() {
                0 | 4 => IntegerWidth::Half,
                1 | 5 => IntegerWidth::Word,
                _ => IntegerWidth::Byte,
            }
        } else {
            IntegerWidth::default()
        },
    }
}

/// The lines of the special function unit.
#[hdl_fn]
fn special_lines(word: Bits<64>, layout: Layout, row: Row) -> SpecialControl {
    let absolute_1 = word.get_bit(52);
    let negate_1 = if layout.is_full {
        word.get_bit(58)
    } else {
        word.get_bit(15)
    };
    let absolute_short = word.get_bit(15);
    let negate_short = word.get_bit(22);
    let special_clamp = word.get_bit(59);
    SpecialControl {
        operation: row.special,
        absolute: (row.absolute_1 && absolute_1)
            || (row.absolute_short && absolute_short),
        negate: (row.negate_1 && negate_1)
            || (row.negate_short && negate_short),
        saturate: row.special_clamp && special_clamp,
    }
}

/// Drives the control lines of all units. The lines of a unit that does not execute the instruction are meaningless.
#[circuit]
pub struct DecodeLines {
    pub d_word: Signal<In, Bits<64>>,
    pub d_layout: Signal<In, Layout>,
    pub d_row: Signal<In, Row>,
    pub d_integer: Signal<Out, IntegerControl>,
    pub d_float: Signal<Out, FloatControl>,
    pub d_special: Signal<Out, SpecialControl>,
}

impl Logic for DecodeLines {
    #[hdl_gen]
    fn update(&mut self) {
        let word = self.d_word.val();
        let layout = self.d_layout.val();
        let row = self.d_row.val();
        self.d_integer.next = integer_lines(word, layout, row);
        self.d_float.next = float_lines(word, layout, row);
        self.d_special.next = special_lines(word, layout, row);
    }
}
