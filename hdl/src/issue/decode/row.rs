// Written by `cargo xtask update reference`. Do not edit.

//! The requests of a row of the ISA table in the decoder.

use crate::bundles::*;
use hdlkit::prelude::*;

/// The requests of a row: its unit, the unit's operation, and flags.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Row {
    pub unit: Unit,
    pub integer: IntegerOperation,
    pub float: FloatOperation,
    pub special: SpecialOperation,
    pub control: ControlOperation,
    /// Operand a is a register or, with `shared_a`, a location in s[].
    pub uses_a: Bit,
    /// Bit 53 or 24 makes operand a a location in s[].
    pub shared_a: Bit,
    /// Operand a is a half unless bit 58 or 15 is set.
    pub sized_a: Bit,
    /// Operand a is a half unless bit 46 is set.
    pub from_a: Bit,
    /// Operands a and b are halves unless the product has factors of 24 bits.
    pub product: Bit,
    /// Operand a is in source 3's field.
    pub a_is_3: Bit,
    /// Operand a is the 32-bit immediate.
    pub a_is_number: Bit,
    /// Operand a is an address register, or a location in local memory.
    pub reads_address: Bit,
    /// Operand a is a location in local memory.
    pub is_local: Bit,
    /// Operand a is a condition-code register.
    pub reads_code: Bit,
    /// Operand a is a special register.
    pub reads_special: Bit,
    /// Operand a is a location in c[] with a 16-bit offset.
    pub moves_constant: Bit,
    /// Source 1 is a location in s[] that operand b is stored to.
    pub scatters: Bit,
    /// Operand b is a register or, with `constant_b`, a location in c[].
    pub uses_b: Bit,
    /// Bit 23, or 24 of source 3, makes operand b a location in c[].
    pub constant_b: Bit,
    /// Operand b is a half unless bit 58 or 15 is set.
    pub sized_b: Bit,
    /// Operand b is a half unless bit 53 is set.
    pub word_b: Bit,
    /// Operand b is in source 1's field.
    pub b_is_1: Bit,
    /// Operand b is in source 3's field.
    pub b_is_3: Bit,
    /// Operand b is in the destination's field.
    pub b_is_destination: Bit,
    /// Operand b is the 32-bit immediate.
    pub b_is_number: Bit,
    /// Bit 52 makes operand b the 7-bit immediate in source 2's field.
    pub b_is_count: Bit,
    /// Operand b is the 4-bit immediate that begins at bit 16.
    pub b_is_shift: Bit,
    /// Operand b is the 16-bit immediate that begins at bit 9.
    pub b_is_offset: Bit,
    /// Operand c is a register or, with `constant_c`, a location in c[].
    pub uses_c: Bit,
    /// Bit 24, or 23 of source 2, makes operand c a location in c[].
    pub constant_c: Bit,
    /// Operand c is in source 2's field.
    pub c_is_2: Bit,
    /// Operand c is in the destination's field.
    pub c_is_destination: Bit,
    /// Operand c is the 32-bit immediate.
    pub c_is_number: Bit,
    /// The destination is a register.
    pub writes: Bit,
    /// The destination is a half unless bit 58 or 15 is set.
    pub sized: Bit,
    /// The destination's field has seven bits, although the form is not long.
    pub seven_bits: Bit,
    /// Bit 35 makes the destination o[]: only o[0x7f], which discards the result, exists.
    pub discards: Bit,
    /// The destination is an address register.
    pub writes_address: Bit,
    /// The destination is a condition-code register.
    pub writes_code: Bit,
    /// Bit 38 also writes a condition-code register.
    pub sets_cc: Bit,
    /// The instruction is predicated by the condition in bits 43..39.
    pub guarded: Bit,
    /// The instruction stores to memory.
    pub store: Bit,
    /// Not all values of bits 49..46 are defined.
    pub checks_fixed_46: Bit,
    /// Not all values of bits 53, 54, 58 are defined.
    pub checks_type_53: Bit,
    /// Not all values of bits 49..46 are defined.
    pub checks_special_register_46: Bit,
    /// The field "source type" drives float.source_signed, float.source_width, integer.source_signed, integer.source_width.
    pub source_type: Bit,
    /// The field "destination type" drives integer.result_signed, integer.result_width.
    pub result_type: Bit,
    /// The field "absolute value" drives float.absolute_a, integer.absolute, special.absolute.
    pub absolute_1: Bit,
    /// The field "negate" drives float.negate_a, integer.negate.
    pub negate_61: Bit,
    /// The field "add kind" drives integer.carry_in, integer.negate_first, integer.negate_last.
    pub sum: Bit,
    /// The field "saturate" drives integer.saturate.
    pub clamp: Bit,
    /// The field "type" drives integer.multiply_24, integer.multiply_high, integer.multiply_signed_a, integer.multiply_signed_b.
    pub mul: Bit,
    /// Sets integer.accumulate.
    pub accumulate: Bit,
    /// The field "add kind" drives integer.carry_in, integer.negate_first, integer.negate_last.
    pub product_sum: Bit,
    /// The field "type" drives integer.multiply_24, integer.multiply_high, integer.multiply_signed_a, integer.multiply_signed_b, integer.saturate.
    pub mad: Bit,
    /// Sets integer.multiply_24.
    pub multiply_24: Bit,
    /// The field "type" drives integer.multiply_high, integer.multiply_signed_a, integer.multiply_signed_b, integer.saturate.
    pub mad_7: Bit,
    /// The field "type" drives integer.multiply_24, integer.multiply_signed_a, integer.multiply_signed_b, integer.saturate.
    pub mad_short: Bit,
    /// The field "signed" drives integer.is_signed.
    pub sign: Bit,
    /// Sets integer.shift_right.
    pub shift_right: Bit,
    /// The field "operation" drives integer.logic_function.
    pub logic_function: Bit,
    /// The field "invert source 1" drives integer.invert_a.
    pub invert_1: Bit,
    /// The field "invert source 2" drives integer.invert_b.
    pub invert_2: Bit,
    /// The field "comparison" drives integer.compare_equal, integer.compare_greater, integer.compare_less.
    pub compare: Bit,
    /// Sets integer.maximum.
    pub maximum: Bit,
    /// Not all values of bits 55..53 are defined.
    pub checks_access_53: Bit,
    /// Not all values of bits 19..16 are defined.
    pub checks_global_space_16: Bit,
    /// The field "negate source 1" drives float.negate_a, special.negate.
    pub negate_1: Bit,
    /// The field "negate source 2" drives float.negate_c.
    pub negate_3: Bit,
    /// The field "saturate" drives float.saturate.
    pub float_clamp: Bit,
    /// The field "rounding" drives float.rounding.
    pub rounding_16: Bit,
    /// Not all values of bits 17..16 are defined.
    pub checks_rounding_16: Bit,
    /// The field "negate source 2" drives float.negate_b.
    pub negate_2: Bit,
    /// The field "rounding" drives float.rounding.
    pub rounding_46: Bit,
    /// Not all values of bits 47..46 are defined.
    pub checks_rounding_46: Bit,
    /// The field "absolute value of source 2" drives float.absolute_b.
    pub absolute_2: Bit,
    /// The field "comparison" drives float.compare_equal, float.compare_greater, float.compare_less, float.compare_unordered.
    pub compare_float: Bit,
    /// The field "negate" drives float.negate_c.
    pub select_negate_3: Bit,
    /// Sets swizzles.
    pub swizzles: Bit,
    /// The field "reduction" drives float.operation.
    pub reduction: Bit,
    /// The field "saturate" drives float.saturate.
    pub clamp_51: Bit,
    /// Sets float.integral.
    pub integral: Bit,
    /// The field "rounding" drives float.rounding.
    pub rounding_49: Bit,
    /// The field "type" drives float.result_narrow, float.result_signed.
    pub integer_result: Bit,
    /// Sets float.source_half.
    pub source_half: Bit,
    /// Sets float.result_half.
    pub result_half: Bit,
    /// The field "integral" drives float.integral.
    pub rounds_to_integral: Bit,
    /// The field "absolute value" drives special.absolute.
    pub absolute_short: Bit,
    /// The field "negate source 2" drives special.negate.
    pub negate_short: Bit,
    /// The field "saturate" drives special.saturate.
    pub special_clamp: Bit,
}

/// The row without any request.
pub(super) const NO_ROW: Row = Row {
    unit: Unit::Integer,
    integer: IntegerOperation::Move,
    float: FloatOperation::MultiplyAdd,
    special: SpecialOperation::Reciprocal,
    control: ControlOperation::Marker,
    uses_a: false, shared_a: false, sized_a: false, from_a: false, product: false, a_is_3: false, a_is_number: false,
    reads_address: false, is_local: false, reads_code: false, reads_special: false, moves_constant: false,
    scatters: false, uses_b: false, constant_b: false, sized_b: false, word_b: false, b_is_1: false, b_is_3: false,
    b_is_destination: false, b_is_number: false, b_is_count: false, b_is_shift: false, b_is_offset: false,
    uses_c: false, constant_c: false, c_is_2: false, c_is_destination: false, c_is_number: false, writes: false,
    sized: false, seven_bits: false, discards: false, writes_address: false, writes_code: false, sets_cc: false,
    guarded: false, store: false, checks_fixed_46: false, checks_type_53: false, checks_special_register_46: false,
    source_type: false, result_type: false, absolute_1: false, negate_61: false, sum: false, clamp: false, mul: false,
    accumulate: false, product_sum: false, mad: false, multiply_24: false, mad_7: false, mad_short: false, sign: false,
    shift_right: false, logic_function: false, invert_1: false, invert_2: false, compare: false, maximum: false,
    checks_access_53: false, checks_global_space_16: false, negate_1: false, negate_3: false, float_clamp: false,
    rounding_16: false, checks_rounding_16: false, negate_2: false, rounding_46: false, checks_rounding_46: false,
    absolute_2: false, compare_float: false, select_negate_3: false, swizzles: false, reduction: false,
    clamp_51: false, integral: false, rounding_49: false, integer_result: false, source_half: false,
    result_half: false, rounds_to_integral: false, absolute_short: false, negate_short: false, special_clamp: false,
};
