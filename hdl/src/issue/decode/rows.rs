// Written by `make reference`. Do not edit.

//! The rows of the ISA table, as the decoder sees them: which word is of which row, and what the row asks for.

use super::layout::Layout;
use crate::bundles::*;
use crate::execute::float::FloatOperation;
use crate::execute::special_function::SpecialOperation;
use hdlkit::prelude::*;

/// What a row asks for.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Row {
    pub unit: Unit,
    pub integer: IntegerOperation,
    pub float: FloatOperation,
    pub special: SpecialOperation,
    pub control: ControlOperation,
    /// Operand a is a register or, with `shared_a`, a place in s[].
    pub uses_a: Bit,
    /// Bit 53 or 24 makes operand a a place in s[].
    pub shared_a: Bit,
    /// Operand a is a half unless bit 58 or 15 is set.
    pub sized_a: Bit,
    /// Operand a is a half unless bit 46 is set.
    pub from_a: Bit,
    /// Operands a and b are halves unless the product is of 24 bits.
    pub product: Bit,
    /// Operand a is in source 3's field.
    pub a_is_3: Bit,
    /// Operand a is the 32-bit number.
    pub a_is_number: Bit,
    /// Operand a is an address register, or a place in local memory.
    pub reads_address: Bit,
    /// It is a place in local memory.
    pub is_local: Bit,
    /// Operand a is a condition-code register.
    pub reads_code: Bit,
    /// Operand a is a special register.
    pub reads_special: Bit,
    /// Operand a is a place in c[] with a 16-bit offset.
    pub moves_constant: Bit,
    /// Source 1 is a place in s[] that operand b is stored to.
    pub scatters: Bit,
    /// Operand b is a register or, with `constant_b`, a place in c[].
    pub uses_b: Bit,
    /// Bit 23, or 24 of source 3, makes operand b a place in c[].
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
    /// Operand b is the 32-bit number.
    pub b_is_number: Bit,
    /// Bit 52 makes operand b the 7-bit number in source 2's field.
    pub b_is_count: Bit,
    /// Operand b is the 4-bit number from bit 16 on.
    pub b_is_shift: Bit,
    /// Operand b is the 16-bit number from bit 9 on.
    pub b_is_offset: Bit,
    /// Operand c is a register or, with `constant_c`, a place in c[].
    pub uses_c: Bit,
    /// Bit 24, or 23 of source 2, makes operand c a place in c[].
    pub constant_c: Bit,
    /// Operand c is in source 2's field.
    pub c_is_2: Bit,
    /// Operand c is in the destination's field.
    pub c_is_destination: Bit,
    /// Operand c is the 32-bit number.
    pub c_is_number: Bit,
    /// The destination is a register.
    pub writes: Bit,
    /// It is a half unless bit 58 or 15 is set.
    pub sized: Bit,
    /// Its field has seven bits, though the form is not long.
    pub seven_bits: Bit,
    /// Bit 35 makes it o[], of which there is only the one that discards.
    pub discards: Bit,
    /// The destination is an address register.
    pub writes_address: Bit,
    /// The destination is a condition-code register.
    pub writes_code: Bit,
    /// Bit 38 has a condition-code register written beside.
    pub sets_cc: Bit,
    /// The condition in bits 43..39 has a say.
    pub guarded: Bit,
    /// Stores to memory.
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

/// A row: its unit and operation, and its flags.
macro_rules! row {
    (Memory $operation:ident $(| $($flag:ident)*)*) => {
        row!(@ Row { unit: Unit::Memory, ..Row::default() }; $($($flag)*)*)
    };
    (Integer $operation:ident $(| $($flag:ident)*)*) => {
        row!(@ Row { unit: Unit::Integer, integer: IntegerOperation::$operation, ..Row::default() }; $($($flag)*)*)
    };
    (Float $operation:ident $(| $($flag:ident)*)*) => {
        row!(@ Row { unit: Unit::Float, float: FloatOperation::$operation, ..Row::default() }; $($($flag)*)*)
    };
    (SpecialFunction $operation:ident $(| $($flag:ident)*)*) => {
        row!(@ Row { unit: Unit::SpecialFunction, special: SpecialOperation::$operation, ..Row::default() }; $($($flag)*)*)
    };
    (Control $operation:ident $(| $($flag:ident)*)*) => {
        row!(@ Row { unit: Unit::Control, control: ControlOperation::$operation, ..Row::default() }; $($($flag)*)*)
    };
    (@ $row:expr; $($flag:ident)*) => {
        Constant::new(Row { $($flag: true,)* ..$row })
    };
}

impl Default for DecodeRows {
    fn default() -> Self {
        DecodeRows {
            // row                       unit, operation                | a                       | b                                    | c                        | result                                | lines | undefined
            mov:                  row!(  Integer         Move           | uses_a shared_a sized_a |                                      |                          | writes sized discards guarded         |  | checks_fixed_46),
            mov32:                row!(  Integer         Move           | uses_a shared_a sized_a |                                      |                          | writes sized),
            mvi:                  row!(  Integer         Move           | a_is_number sized_a     |                                      |                          | writes sized seven_bits),
            mvc:                  row!(  Integer         Move           | moves_constant sized_a  |                                      |                          | writes sized discards guarded),
            r2g:                  row!(  Integer         Move           | scatters                | uses_b b_is_3 word_b                 |                          | guarded                               |  | checks_type_53),
            r2a:                  row!(  Integer         Shift          | uses_a shared_a         | b_is_shift                           |                          | writes_address guarded),
            a2r:                  row!(  Integer         Move           | reads_address           |                                      |                          | writes guarded),
            ada:                  row!(  Integer         Add            | reads_address           | b_is_offset                          |                          | writes_address guarded),
            c2r:                  row!(  Integer         Move           | reads_code              |                                      |                          | writes guarded),
            r2c:                  row!(  Integer         SetCode        | uses_a                  |                                      |                          | writes_code guarded),
            s2r:                  row!(  Integer         Move           | reads_special           |                                      |                          | writes guarded                        |  | checks_special_register_46),
            i2i:                  row!(  Integer         Convert        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | source_type result_type absolute_1 negate_61),
            iadd:                 row!(  Integer         Add            | uses_a shared_a sized_a | uses_b b_is_3 constant_b sized_b     |                          | writes sized discards sets_cc guarded | sum clamp),
            iadd32:               row!(  Integer         Add            | uses_a shared_a sized_a | uses_b constant_b sized_b            |                          | writes sized                          | sum clamp),
            iadd32i:              row!(  Integer         Add            | uses_a shared_a sized_a | b_is_number                          |                          | writes sized                          | sum clamp),
            imul:                 row!(  Integer         Multiply       | uses_a shared_a product | uses_b constant_b                    |                          | writes discards sets_cc guarded       | mul),
            imul32:               row!(  Integer         Multiply       | uses_a shared_a product | uses_b constant_b                    |                          | writes                                | mul),
            imul32i:              row!(  Integer         Multiply       | uses_a shared_a product | b_is_number                          |                          | writes                                | mul),
            imad:                 row!(  Integer         Multiply       | uses_a shared_a product | uses_b constant_b                    | uses_c constant_c        | writes discards sets_cc guarded       | accumulate product_sum mad),
            imad_7:               row!(  Integer         Multiply       | uses_a shared_a         | uses_b constant_b                    | uses_c constant_c        | writes discards sets_cc guarded       | accumulate multiply_24 product_sum mad_7),
            imad32:               row!(  Integer         Multiply       | uses_a shared_a product | uses_b constant_b                    | uses_c c_is_destination  | writes                                | accumulate product_sum mad_short),
            imad32i:              row!(  Integer         Multiply       | uses_a shared_a product | b_is_number                          | uses_c c_is_destination  | writes                                | accumulate product_sum mad_short),
            isad:                 row!(  Integer         SumDistance    | uses_a shared_a sized_a | uses_b constant_b sized_b            | uses_c constant_c        | writes discards sets_cc guarded       | sign),
            isad32:               row!(  Integer         SumDistance    | uses_a sized_a          | uses_b sized_b                       | uses_c c_is_destination  | writes                                | sign),
            shl:                  row!(  Integer         Shift          | uses_a shared_a sized_a | uses_b constant_b b_is_count sized_b |                          | writes sized discards sets_cc guarded),
            shr:                  row!(  Integer         Shift          | uses_a shared_a sized_a | uses_b constant_b b_is_count sized_b |                          | writes sized discards sets_cc guarded | shift_right sign),
            lop:                  row!(  Integer         Logic          | uses_a shared_a sized_a | uses_b constant_b sized_b            |                          | writes sized discards sets_cc guarded | logic_function invert_1 invert_2),
            lop32i:               row!(  Integer         Logic          | uses_a shared_a         | b_is_number                          |                          | writes                                | logic_function invert_1),
            iset:                 row!(  Integer         Set            | uses_a shared_a sized_a | uses_b constant_b sized_b            |                          | writes sized discards sets_cc guarded | sign compare),
            imax:                 row!(  Integer         MinMax         | uses_a shared_a sized_a | uses_b constant_b sized_b            |                          | writes sized discards sets_cc guarded | maximum sign),
            imin:                 row!(  Integer         MinMax         | uses_a shared_a sized_a | uses_b constant_b sized_b            |                          | writes sized discards sets_cc guarded | sign),
            kil:                  row!(  Control         Kill           |                         |                                      |                          | guarded),
            bra:                  row!(  Control         Branch         |                         |                                      |                          | guarded),
            cal:                  row!(  Control         Call),
            ret:                  row!(  Control         Return         |                         |                                      |                          | guarded),
            pbk:                  row!(  Control         PushBreak),
            brk:                  row!(  Control         Break          |                         |                                      |                          | guarded),
            bar:                  row!(  Control         Barrier),
            trap:                 row!(  Control         Trap),
            trap32:               row!(  Control         Trap),
            bpt:                  row!(  Control         Breakpoint     |                         |                                      |                          | guarded),
            bpt32:                row!(  Control         Breakpoint),
            ssy:                  row!(  Control         PushJoin),
            nop:                  row!(  Integer         Move),
            pmtrig:               row!(  Integer         Move),
            gld:                  row!(  Memory          Load           | uses_a                  |                                      |                          | writes guarded                        |  | checks_access_53 checks_global_space_16),
            gst:                  row!(  Memory          Store          | uses_a                  | uses_b b_is_destination              |                          | store guarded                         |  | checks_access_53 checks_global_space_16),
            lld:                  row!(  Memory          Load           | reads_address is_local  |                                      |                          | writes guarded                        |  | checks_access_53),
            lst:                  row!(  Memory          Store          | reads_address is_local  | uses_b b_is_destination              |                          | store guarded                         |  | checks_access_53),
            fadd:                 row!(  Float           Add            | uses_a shared_a         |                                      | uses_c constant_c        | writes discards sets_cc guarded       | negate_1 negate_3 float_clamp rounding_16 | checks_rounding_16),
            fadd32:               row!(  Float           Add            | uses_a shared_a         |                                      | uses_c c_is_2 constant_c | writes                                | negate_1 negate_3 float_clamp),
            fadd32i:              row!(  Float           Add            | uses_a shared_a         |                                      | c_is_number              | writes                                | negate_1 negate_3 float_clamp),
            fmul:                 row!(  Float           Multiply       | uses_a shared_a         | uses_b constant_b                    |                          | writes discards sets_cc guarded       | negate_1 negate_2 rounding_46 | checks_rounding_46),
            fmul32:               row!(  Float           Multiply       | uses_a shared_a         | uses_b constant_b                    |                          | writes                                | negate_1 negate_2),
            fmul32i:              row!(  Float           Multiply       | uses_a shared_a         | b_is_number                          |                          | writes                                | negate_1 negate_2),
            fmad:                 row!(  Float           MultiplyAdd    | uses_a shared_a         | uses_b constant_b                    | uses_c constant_c        | writes discards sets_cc guarded       | negate_1 negate_3 float_clamp),
            fmad32:               row!(  Float           MultiplyAdd    | uses_a shared_a         | uses_b constant_b                    | uses_c c_is_destination  | writes                                | negate_1 negate_3 float_clamp),
            fmad32i:              row!(  Float           MultiplyAdd    | uses_a shared_a         | b_is_number                          | uses_c c_is_destination  | writes                                | negate_1 negate_3 float_clamp),
            fset:                 row!(  Float           Set            | uses_a shared_a         | uses_b constant_b                    |                          | writes discards sets_cc guarded       | absolute_1 negate_1 absolute_2 negate_2 compare_float),
            fmax:                 row!(  Float           MinMax         | uses_a shared_a         | uses_b constant_b                    |                          | writes discards sets_cc guarded       | maximum absolute_1 negate_1 absolute_2 negate_2),
            fmin:                 row!(  Float           MinMax         | uses_a shared_a         | uses_b constant_b                    |                          | writes discards sets_cc guarded       | absolute_1 negate_1 absolute_2 negate_2),
            fslct:                row!(  Float           Select         | uses_a shared_a         | uses_b constant_b                    | uses_c constant_c        | writes discards sets_cc guarded       | select_negate_3),
            fswz:                 row!(  Float           Add            | uses_a a_is_3           | uses_b b_is_1                        |                          | writes discards sets_cc guarded       | swizzles),
            rro:                  row!(  Float           ReduceSine     | uses_a shared_a         |                                      |                          | writes discards guarded               | absolute_1 negate_1 reduction),
            f2f_f32_f32:          row!(  Float           ToFloat        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | absolute_1 negate_61 clamp_51),
            f2f_f32_f32_integral: row!(  Float           ToFloat        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | integral absolute_1 negate_61 clamp_51 rounding_49),
            f2i_f32:              row!(  Float           ToInteger      | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | absolute_1 negate_61 rounding_49 integer_result),
            i2f_f32:              row!(  Float           FromInteger    | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | absolute_1 negate_61 rounding_49 clamp_51 source_type),
            f2f_f16_f16:          row!(  Float           ToFloat        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | source_half result_half absolute_1 negate_61 clamp_51),
            f2f_f16_f16_integral: row!(  Float           ToFloat        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | source_half result_half integral absolute_1 negate_61 clamp_51 rounding_49),
            f2f_f16_f32:          row!(  Float           ToFloat        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | result_half absolute_1 negate_61 clamp_51 rounding_49 rounds_to_integral),
            f2f_f32_f16:          row!(  Float           ToFloat        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | source_half absolute_1 negate_61 clamp_51),
            f2f_f32_f16_integral: row!(  Float           ToFloat        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | source_half integral absolute_1 negate_61 clamp_51 rounding_49),
            f2i_f16:              row!(  Float           ToInteger      | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | source_half absolute_1 negate_61 rounding_49 integer_result),
            i2f_f16:              row!(  Float           FromInteger    | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | result_half absolute_1 negate_61 rounding_49 clamp_51 source_type),
            rcp:                  row!(  SpecialFunction Reciprocal     | uses_a                  |                                      |                          | writes discards guarded               | absolute_1 negate_1),
            rcp32:                row!(  SpecialFunction Reciprocal     | uses_a                  |                                      |                          | writes                                | absolute_short negate_short),
            rsq:                  row!(  SpecialFunction ReciprocalRoot | uses_a                  |                                      |                          | writes discards guarded               | absolute_1 negate_1),
            lg2:                  row!(  SpecialFunction Logarithm      | uses_a                  |                                      |                          | writes discards guarded               | absolute_1 negate_1),
            sin:                  row!(  SpecialFunction Sine           | uses_a                  |                                      |                          | writes discards guarded),
            cos:                  row!(  SpecialFunction Cosine         | uses_a                  |                                      |                          | writes discards guarded),
            ex2:                  row!(  SpecialFunction Power          | uses_a                  |                                      |                          | writes discards guarded               | special_clamp),
            opcode: Signal::default(),
            subop: Signal::default(),
            bits_46_58: Signal::default(),
            bits_46: Signal::default(),
            bits_58: Signal::default(),
            fixed_46: Signal::default(),
            fixed_46_defined: Signal::default(),
            type_53: Signal::default(),
            type_53_defined: Signal::default(),
            special_register_46: Signal::default(),
            special_register_46_defined: Signal::default(),
            access_53: Signal::default(),
            access_53_defined: Signal::default(),
            global_space_16: Signal::default(),
            global_space_16_defined: Signal::default(),
            rounding_16: Signal::default(),
            rounding_16_defined: Signal::default(),
            rounding_46: Signal::default(),
            rounding_46_defined: Signal::default(),
            opcodes: Signal::default(),
            subops: Signal::default(),
            exists: Signal::default(),
            row: Signal::default(),
            d_word: Signal::default(),
            d_layout: Signal::default(),
            d_row: Signal::default(),
            d_exists: Signal::default(),
            _activity: Activity::default(),
        }
    }
}

impl Blank for DecodeRows {
    fn blank() -> Self {
        DecodeRows::default()
    }
}

/// Which row a word is of. Where the word is none's, `d_exists` is 0 and the row is any.
#[derive(LogicBlock, Cycle)]
pub struct DecodeRows {
    pub d_word: Signal<In, Bits<64>>,
    pub d_layout: Signal<In, Layout>,
    pub d_row: Signal<Out, Row>,
    pub d_exists: Signal<Out, Bit>,
    mov: Constant<Row>,
    mov32: Constant<Row>,
    mvi: Constant<Row>,
    mvc: Constant<Row>,
    r2g: Constant<Row>,
    r2a: Constant<Row>,
    a2r: Constant<Row>,
    ada: Constant<Row>,
    c2r: Constant<Row>,
    r2c: Constant<Row>,
    s2r: Constant<Row>,
    i2i: Constant<Row>,
    iadd: Constant<Row>,
    iadd32: Constant<Row>,
    iadd32i: Constant<Row>,
    imul: Constant<Row>,
    imul32: Constant<Row>,
    imul32i: Constant<Row>,
    imad: Constant<Row>,
    imad_7: Constant<Row>,
    imad32: Constant<Row>,
    imad32i: Constant<Row>,
    isad: Constant<Row>,
    isad32: Constant<Row>,
    shl: Constant<Row>,
    shr: Constant<Row>,
    lop: Constant<Row>,
    lop32i: Constant<Row>,
    iset: Constant<Row>,
    imax: Constant<Row>,
    imin: Constant<Row>,
    kil: Constant<Row>,
    bra: Constant<Row>,
    cal: Constant<Row>,
    ret: Constant<Row>,
    pbk: Constant<Row>,
    brk: Constant<Row>,
    bar: Constant<Row>,
    trap: Constant<Row>,
    trap32: Constant<Row>,
    bpt: Constant<Row>,
    bpt32: Constant<Row>,
    ssy: Constant<Row>,
    nop: Constant<Row>,
    pmtrig: Constant<Row>,
    gld: Constant<Row>,
    gst: Constant<Row>,
    lld: Constant<Row>,
    lst: Constant<Row>,
    fadd: Constant<Row>,
    fadd32: Constant<Row>,
    fadd32i: Constant<Row>,
    fmul: Constant<Row>,
    fmul32: Constant<Row>,
    fmul32i: Constant<Row>,
    fmad: Constant<Row>,
    fmad32: Constant<Row>,
    fmad32i: Constant<Row>,
    fset: Constant<Row>,
    fmax: Constant<Row>,
    fmin: Constant<Row>,
    fslct: Constant<Row>,
    fswz: Constant<Row>,
    rro: Constant<Row>,
    f2f_f32_f32: Constant<Row>,
    f2f_f32_f32_integral: Constant<Row>,
    f2i_f32: Constant<Row>,
    i2f_f32: Constant<Row>,
    f2f_f16_f16: Constant<Row>,
    f2f_f16_f16_integral: Constant<Row>,
    f2f_f16_f32: Constant<Row>,
    f2f_f32_f16: Constant<Row>,
    f2f_f32_f16_integral: Constant<Row>,
    f2i_f16: Constant<Row>,
    i2f_f16: Constant<Row>,
    rcp: Constant<Row>,
    rcp32: Constant<Row>,
    rsq: Constant<Row>,
    lg2: Constant<Row>,
    sin: Constant<Row>,
    cos: Constant<Row>,
    ex2: Constant<Row>,
    opcode: Signal<Local, Bits<4>>,
    subop: Signal<Local, Bits<3>>,
    bits_46_58: Signal<Local, Bits<3>>,
    bits_46: Signal<Local, Bit>,
    bits_58: Signal<Local, Bit>,
    fixed_46: Signal<Local, Bits<4>>,
    fixed_46_defined: Signal<Local, Bit>,
    type_53: Signal<Local, Bits<3>>,
    type_53_defined: Signal<Local, Bit>,
    special_register_46: Signal<Local, Bits<4>>,
    special_register_46_defined: Signal<Local, Bit>,
    access_53: Signal<Local, Bits<3>>,
    access_53_defined: Signal<Local, Bit>,
    global_space_16: Signal<Local, Bits<4>>,
    global_space_16_defined: Signal<Local, Bit>,
    rounding_16: Signal<Local, Bits<2>>,
    rounding_16_defined: Signal<Local, Bit>,
    rounding_46: Signal<Local, Bits<2>>,
    rounding_46_defined: Signal<Local, Bit>,
    opcodes: Signal<Local, Bits<16>>,
    subops: Signal<Local, Bits<8>>,
    exists: Signal<Local, Bit>,
    row: Signal<Local, Row>,
    _activity: Activity,
}

impl Logic for DecodeRows {
    #[hdl_gen]
    fn update(&mut self) {
        self.opcode.next = self.d_word.val().get_bits::<4>(28);
        self.subop.next = self.d_word.val().get_bits::<3>(61);
        self.bits_46_58.next = bit_cast::<3, 1>(self.d_word.val().get_bits::<1>(46)) | (bit_cast::<3, 2>(self.d_word.val().get_bits::<2>(58)) << 1);
        self.bits_46.next = self.d_word.val().get_bit(46);
        self.bits_58.next = self.d_word.val().get_bit(58);

        // Which row. Rows are told apart by as few bits as will do: whether the word is one of the row is below.
        self.row.next = self.mov.val();
        if self.d_layout.val().is_control {
            self.control_row();
        } else {
            self.other_row();
        }
        self.d_row.next = self.row.val();

        // Whether the word is one.
        self.find_opcode();
        self.check_fields();
        self.d_exists.next = self.exists.val();
    }
}

impl DecodeRows {
    /// The row of a control word.
    #[hdl_part]
    fn control_row(&mut self) {
        match self.opcode.val().index() {
            0 => self.row.next = self.kil.val(),                             //            0000 11           KIL
            1 => self.row.next = self.bra.val(),                             //            0001 11           BRA
            2 => self.row.next = self.cal.val(),                             //            0010 11           CAL
            3 => self.row.next = self.ret.val(),                             //            0011 11           RET
            4 => self.row.next = self.pbk.val(),                             //            0100 11           PBK
            5 => self.row.next = self.brk.val(),                             //            0101 11           BRK
            8 => self.row.next = self.bar.val(),                             //            1000 11           BAR
            9 => self.row.next = self.trap.val(),                            //            1001 11           TRAP, TRAP32
            10 => self.row.next = self.ssy.val(),                            //            1010 11           SSY
            11 => {
                self.row.next = self.bpt.val();                              //            1011 11           BPT
                if !self.d_layout.val().is_long {
                    self.row.next = self.bpt32.val();                        //            1011 10           BPT32
                }
            }
            _ => {}
        }
    }

    /// The row of a word that is no control word.
    #[hdl_part]
    fn other_row(&mut self) {
        match self.opcode.val().index() {
            0 => self.opcode_0_row(),
            1 => self.opcode_1_row(),
            2 => match self.d_layout.val().form.index() {
                0 => self.row.next = self.iadd32.val(),                      //            001? 00           IADD32
                3 => self.row.next = self.iadd32i.val(),                     //         11 001? 01           IADD32I
                _ => self.row.next = self.iadd.val(),                        // 000     ?? 001? 01           IADD
            },
            3 => self.opcode_3_row(),
            4 => match self.d_layout.val().form.index() {
                0 => self.row.next = self.imul32.val(),                      //            0100 00           IMUL32
                3 => self.row.next = self.imul32i.val(),                     //         11 0100 01           IMUL32I
                _ => self.row.next = self.imul.val(),                        // 000     ?? 0100 01           IMUL
            },
            5 => match self.d_layout.val().form.index() {
                0 => self.row.next = self.isad32.val(),                      //            0101 00           ISAD32
                _ => self.row.next = self.isad.val(),                        // 000     ?? 0101 01           ISAD
            },
            6 => match self.d_layout.val().form.index() {
                0 => self.row.next = self.imad32.val(),                      //            011? 00           IMAD32
                3 => self.row.next = self.imad32i.val(),                     //         11 011? 01           IMAD32I
                _ => self.row.next = self.imad.val(),                        // ???     ?? 0110 01           IMAD
            },
            7 => match self.d_layout.val().form.index() {
                0 => self.row.next = self.imad32.val(),                      //            011? 00           IMAD32
                3 => self.row.next = self.imad32i.val(),                     //         11 011? 01           IMAD32I
                _ => self.row.next = self.imad_7.val(),                      // ???     ?? 0111 01           IMAD
            },
            9 => self.opcode_9_row(),
            10 => self.opcode_10_row(),
            11 => self.opcode_11_row(),
            12 => self.opcode_12_row(),
            13 => self.opcode_13_row(),
            14 => match self.d_layout.val().form.index() {
                0 => self.row.next = self.fmad32.val(),                      //            1110 00           FMAD32
                3 => self.row.next = self.fmad32i.val(),                     //         11 1110 01           FMAD32I
                _ => self.row.next = self.fmad.val(),                        // 00?     ?? 1110 01           FMAD
            },
            15 => self.row.next = self.nop.val(),                            // 111     ?? 1111 01, 34: 0    NOP, PMTRIG
            _ => {}
        }
    }

    /// The row of a word with opcode 0: R2G, R2A, A2R, C2R, R2C, S2R.
    #[hdl_part]
    fn opcode_0_row(&mut self) {
        match self.subop.val().index() {
            2 => self.row.next = self.a2r.val(),                             // 010     ?? 0000 01           A2R
            3 => self.row.next = self.s2r.val(),                             // 011     ?? 0000 01           S2R
            5 => self.row.next = self.r2c.val(),                             // 101     ?? 0000 01           R2C
            6 => self.row.next = self.r2a.val(),                             // 110     ?? 0000 01           R2A
            7 => self.row.next = self.r2g.val(),                             // 111     ?? 0000 01           R2G
            _ => self.row.next = self.c2r.val(),                             // 001     ?? 0000 01           C2R
        }
    }

    /// The row of a word with opcode 1: MOV32, MVI, MOV, MVC.
    #[hdl_part]
    fn opcode_1_row(&mut self) {
        match self.d_layout.val().form.index() {
            0 => self.row.next = self.mov32.val(),                           //            0001 00           MOV32
            3 => self.row.next = self.mvi.val(),                             //         11 0001 01           MVI
            _ => match self.subop.val().index() {
                1 => self.row.next = self.mvc.val(),                         // 001     ?? 0001 01           MVC
                _ => self.row.next = self.mov.val(),                         // 000     ?? 0001 01, 49..46: 1111 MOV
            },
        }
    }

    /// The row of a word with opcode 3: IADD32, IADD32I, IADD, SHL, SHR, ISET, IMAX, IMIN.
    #[hdl_part]
    fn opcode_3_row(&mut self) {
        match self.d_layout.val().form.index() {
            0 => self.row.next = self.iadd32.val(),                          //            001? 00           IADD32
            3 => self.row.next = self.iadd32i.val(),                         //         11 001? 01           IADD32I
            _ => match self.subop.val().index() {
                3 => self.row.next = self.iset.val(),                        // 011     ?? 0011 01           ISET
                4 => self.row.next = self.imax.val(),                        // 100     ?? 0011 01           IMAX
                5 => self.row.next = self.imin.val(),                        // 101     ?? 0011 01           IMIN
                6 => self.row.next = self.shl.val(),                         // 110     ?? 0011 01           SHL
                7 => self.row.next = self.shr.val(),                         // 111     ?? 0011 01           SHR
                _ => self.row.next = self.iadd.val(),                        // 000     ?? 001? 01           IADD
            },
        }
    }

    /// The row of a word with opcode 9: RCP32, RCP, RSQ, LG2, SIN, COS, EX2.
    #[hdl_part]
    fn opcode_9_row(&mut self) {
        match self.d_layout.val().form.index() {
            0 => self.row.next = self.rcp32.val(),                           //            1001 00           RCP32
            _ => match self.subop.val().index() {
                2 => self.row.next = self.rsq.val(),                         // 010     ?? 1001 01           RSQ
                3 => self.row.next = self.lg2.val(),                         // 011     ?? 1001 01           LG2
                4 => self.row.next = self.sin.val(),                         // 100     ?? 1001 01           SIN
                5 => self.row.next = self.cos.val(),                         // 101     ?? 1001 01           COS
                6 => self.row.next = self.ex2.val(),                         // 110     ?? 1001 01           EX2
                _ => self.row.next = self.rcp.val(),                         // 000     ?? 1001 01           RCP
            },
        }
    }

    /// The row of a word with opcode 10: I2I, F2F, F2I, I2F, F2F, F2I, I2F.
    #[hdl_part]
    fn opcode_10_row(&mut self) {
        match self.subop.val().index() {
            2 => {
                self.row.next = self.i2f_f16.val();                          // 01?     ?? 1010 01, 58: 0    I2F
                if self.bits_58.val() {
                    self.row.next = self.i2f_f32.val();                      // 01?     ?? 1010 01, 58: 1    I2F
                }
            }
            3 => {
                self.row.next = self.i2f_f16.val();                          // 01?     ?? 1010 01, 58: 0    I2F
                if self.bits_58.val() {
                    self.row.next = self.i2f_f32.val();                      // 01?     ?? 1010 01, 58: 1    I2F
                }
            }
            4 => {
                self.row.next = self.f2i_f16.val();                          // 10?     ?? 1010 01, 46: 0    F2I
                if self.bits_46.val() {
                    self.row.next = self.f2i_f32.val();                      // 10?     ?? 1010 01, 46: 1    F2I
                }
            }
            5 => {
                self.row.next = self.f2i_f16.val();                          // 10?     ?? 1010 01, 46: 0    F2I
                if self.bits_46.val() {
                    self.row.next = self.f2i_f32.val();                      // 10?     ?? 1010 01, 46: 1    F2I
                }
            }
            6 => match self.bits_46_58.val().index() {
                0 => self.row.next = self.f2f_f16_f16.val(),                 // 11?     ?? 1010 01, 46: 0, 59..58: 00 F2F
                1 => self.row.next = self.f2f_f16_f32.val(),                 // 11?     ?? 1010 01, 46: 1, 58: 0 F2F
                2 => self.row.next = self.f2f_f32_f16.val(),                 // 11?     ?? 1010 01, 46: 0, 59..58: 01 F2F
                3 => self.row.next = self.f2f_f32_f32.val(),                 // 11?     ?? 1010 01, 46: 1, 59..58: 01 F2F
                4 => self.row.next = self.f2f_f16_f16_integral.val(),        // 11?     ?? 1010 01, 46: 0, 59..58: 10 F2F
                5 => self.row.next = self.f2f_f16_f32.val(),                 // 11?     ?? 1010 01, 46: 1, 58: 0 F2F
                6 => self.row.next = self.f2f_f32_f16_integral.val(),        // 11?     ?? 1010 01, 46: 0, 59..58: 11 F2F
                _ => self.row.next = self.f2f_f32_f32_integral.val(),        // 11?     ?? 1010 01, 46: 1, 59..58: 11 F2F
            },
            7 => match self.bits_46_58.val().index() {
                0 => self.row.next = self.f2f_f16_f16.val(),                 // 11?     ?? 1010 01, 46: 0, 59..58: 00 F2F
                1 => self.row.next = self.f2f_f16_f32.val(),                 // 11?     ?? 1010 01, 46: 1, 58: 0 F2F
                2 => self.row.next = self.f2f_f32_f16.val(),                 // 11?     ?? 1010 01, 46: 0, 59..58: 01 F2F
                3 => self.row.next = self.f2f_f32_f32.val(),                 // 11?     ?? 1010 01, 46: 1, 59..58: 01 F2F
                4 => self.row.next = self.f2f_f16_f16_integral.val(),        // 11?     ?? 1010 01, 46: 0, 59..58: 10 F2F
                5 => self.row.next = self.f2f_f16_f32.val(),                 // 11?     ?? 1010 01, 46: 1, 58: 0 F2F
                6 => self.row.next = self.f2f_f32_f16_integral.val(),        // 11?     ?? 1010 01, 46: 0, 59..58: 11 F2F
                _ => self.row.next = self.f2f_f32_f32_integral.val(),        // 11?     ?? 1010 01, 46: 1, 59..58: 11 F2F
            },
            _ => self.row.next = self.i2i.val(),                             // 00?     ?? 1010 01           I2I
        }
    }

    /// The row of a word with opcode 11: FADD32, FADD32I, FADD, FSET, FMAX, FMIN, RRO.
    #[hdl_part]
    fn opcode_11_row(&mut self) {
        match self.d_layout.val().form.index() {
            0 => self.row.next = self.fadd32.val(),                          //            1011 00           FADD32
            3 => self.row.next = self.fadd32i.val(),                         //         11 1011 01           FADD32I
            _ => match self.subop.val().index() {
                3 => self.row.next = self.fset.val(),                        // 011     ?? 1011 01           FSET
                4 => self.row.next = self.fmax.val(),                        // 100     ?? 1011 01           FMAX
                5 => self.row.next = self.fmin.val(),                        // 101     ?? 1011 01           FMIN
                6 => self.row.next = self.rro.val(),                         // 110     ?? 1011 01           RRO
                _ => self.row.next = self.fadd.val(),                        // 00?     ?? 1011 01           FADD
            },
        }
    }

    /// The row of a word with opcode 12: FMUL32, FMUL32I, FMUL, FSLCT, FSWZ.
    #[hdl_part]
    fn opcode_12_row(&mut self) {
        match self.d_layout.val().form.index() {
            0 => self.row.next = self.fmul32.val(),                          //            1100 00           FMUL32
            3 => self.row.next = self.fmul32i.val(),                         //         11 1100 01           FMUL32I
            _ => match self.subop.val().index() {
                0 => self.row.next = self.fmul.val(),                        // 000     ?? 1100 01           FMUL
                4 => self.row.next = self.fswz.val(),                        // 100     ?? 1100 01           FSWZ
                _ => self.row.next = self.fslct.val(),                       // 01?     ?? 1100 01           FSLCT
            },
        }
    }

    /// The row of a word with opcode 13: LOP32I, ADA, LOP, GLD, GST, LLD, LST.
    #[hdl_part]
    fn opcode_13_row(&mut self) {
        match self.d_layout.val().form.index() {
            3 => self.row.next = self.lop32i.val(),                          //         11 1101 01           LOP32I
            _ => match self.subop.val().index() {
                1 => self.row.next = self.ada.val(),                         // 001     ?? 1101 01           ADA
                2 => self.row.next = self.lld.val(),                         // 010     ?? 1101 01           LLD
                3 => self.row.next = self.lst.val(),                         // 011     ?? 1101 01           LST
                4 => self.row.next = self.gld.val(),                         // 100     ?? 1101 01           GLD
                5 => self.row.next = self.gst.val(),                         // 101     ?? 1101 01           GST
                _ => self.row.next = self.lop.val(),                         // 000     ?? 1101 01           LOP
            },
        }
    }

    /// Whether the opcode exists in the word's form; of a long word, whether the sub-opcode does.
    #[hdl_part]
    fn find_opcode(&mut self) {
        self.opcodes.next = 0.into();
        self.subops.next = 0.into();
        if self.d_layout.val().is_control && self.d_layout.val().is_long {
            self.opcodes.next =  3903.into(); // 0b0000111100111111
        } else if self.d_layout.val().is_control {
            self.opcodes.next =  2560.into(); // 0b0000101000000000
        } else if self.d_layout.val().is_short {
            self.opcodes.next = 23294.into(); // 0b0101101011111110
        } else if self.d_layout.val().is_immediate {
            self.opcodes.next = 30942.into(); // 0b0111100011011110
        } else {
            match self.opcode.val().index() {
                 0 => self.subops.next = 238.into(), // 0b11101110
                 1 => self.subops.next =   3.into(), // 0b00000011
                 2 => self.subops.next =   1.into(), // 0b00000001
                 3 => self.subops.next = 249.into(), // 0b11111001
                 4 => self.subops.next =   1.into(), // 0b00000001
                 5 => self.subops.next =   1.into(), // 0b00000001
                 6 => self.subops.next = 255.into(), // 0b11111111
                 7 => self.subops.next = 255.into(), // 0b11111111
                 9 => self.subops.next = 125.into(), // 0b01111101
                10 => self.subops.next = 255.into(), // 0b11111111
                11 => self.subops.next = 123.into(), // 0b01111011
                12 => self.subops.next =  29.into(), // 0b00011101
                13 => self.subops.next =  63.into(), // 0b00111111
                14 => self.subops.next =   3.into(), // 0b00000011
                15 => self.subops.next = 128.into(), // 0b10000000
                _ => {}
            }
        }
        self.exists.next = self.opcodes.val().get_bit(self.opcode.val().index());
        if self.d_layout.val().is_full {
            self.exists.next = self.subops.val().get_bit(self.subop.val().index());
        }
    }

    /// Refuses words of which a field that the row checks has an undefined value.
    #[hdl_part]
    fn check_fields(&mut self) {
        // MOV
        self.fixed_46.next = self.d_word.val().get_bits::<4>(46);
        self.fixed_46_defined.next = self.fixed_46.val() == 15;
        if self.row.val().checks_fixed_46 && !self.fixed_46_defined.val() {
            self.exists.next = false;
        }

        // R2G
        self.type_53.next = bit_cast::<3, 1>(self.d_word.val().get_bits::<1>(53)) | (bit_cast::<3, 1>(self.d_word.val().get_bits::<1>(54)) << 1) | (bit_cast::<3, 1>(self.d_word.val().get_bits::<1>(58)) << 2);
        self.type_53_defined.next = true;
        match self.type_53.val().index() {
            6 => self.type_53_defined.next = false,
            7 => self.type_53_defined.next = false,
            _ => {}
        }
        if self.row.val().checks_type_53 && !self.type_53_defined.val() {
            self.exists.next = false;
        }

        // S2R
        self.special_register_46.next = self.d_word.val().get_bits::<4>(46);
        self.special_register_46_defined.next = false;
        match self.special_register_46.val().index() {
            0 => self.special_register_46_defined.next = true,
            1 => self.special_register_46_defined.next = true,
            2 => self.special_register_46_defined.next = true,
            4 => self.special_register_46_defined.next = true,
            5 => self.special_register_46_defined.next = true,
            6 => self.special_register_46_defined.next = true,
            7 => self.special_register_46_defined.next = true,
            _ => {}
        }
        if self.row.val().checks_special_register_46 && !self.special_register_46_defined.val() {
            self.exists.next = false;
        }

        // GLD, GST, LLD, LST
        self.access_53.next = self.d_word.val().get_bits::<3>(53);
        self.access_53_defined.next = self.access_53.val() != 7;
        if self.row.val().checks_access_53 && !self.access_53_defined.val() {
            self.exists.next = false;
        }

        // GLD, GST
        self.global_space_16.next = self.d_word.val().get_bits::<4>(16);
        self.global_space_16_defined.next = self.global_space_16.val() == 14;
        if self.row.val().checks_global_space_16 && !self.global_space_16_defined.val() {
            self.exists.next = false;
        }

        // FADD
        self.rounding_16.next = self.d_word.val().get_bits::<2>(16);
        self.rounding_16_defined.next = false;
        match self.rounding_16.val().index() {
            0 => self.rounding_16_defined.next = true,
            3 => self.rounding_16_defined.next = true,
            _ => {}
        }
        if self.row.val().checks_rounding_16 && !self.rounding_16_defined.val() {
            self.exists.next = false;
        }

        // FMUL
        self.rounding_46.next = self.d_word.val().get_bits::<2>(46);
        self.rounding_46_defined.next = false;
        match self.rounding_46.val().index() {
            0 => self.rounding_46_defined.next = true,
            3 => self.rounding_46_defined.next = true,
            _ => {}
        }
        if self.row.val().checks_rounding_46 && !self.rounding_46_defined.val() {
            self.exists.next = false;
        }
    }
}
