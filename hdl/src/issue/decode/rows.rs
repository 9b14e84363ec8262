// Written by `cargo xtask update reference`. Do not edit.

//! The rows of the ISA table in the decoder, and the kernel that finds the row of a word.

use super::doubles::{double_exists, double_instruction, double_row};
use super::later::{is_lock, is_unlock, later_exists, later_instruction, later_row, unlock_exists};
use super::layout::Layout;
use super::row::{Row, NO_ROW};
use crate::bundles::*;
use hdlkit::prelude::*;

/// A row: its unit and operation, and its flags.
macro_rules! row {
    (Memory $operation:ident $(| $($flag:ident)*)*) => {
        Row { unit: Unit::Memory, $($($flag: true,)*)* ..NO_ROW }
    };
    (Integer $operation:ident $(| $($flag:ident)*)*) => {
        Row { unit: Unit::Integer, integer: IntegerOperation::$operation, $($($flag: true,)*)* ..NO_ROW }
    };
    (Float $operation:ident $(| $($flag:ident)*)*) => {
        Row { unit: Unit::Float, float: FloatOperation::$operation, $($($flag: true,)*)* ..NO_ROW }
    };
    (SpecialFunction $operation:ident $(| $($flag:ident)*)*) => {
        Row { unit: Unit::SpecialFunction, special: SpecialOperation::$operation, $($($flag: true,)*)* ..NO_ROW }
    };
    (Control $operation:ident $(| $($flag:ident)*)*) => {
        Row { unit: Unit::Control, control: ControlOperation::$operation, $($($flag: true,)*)* ..NO_ROW }
    };
}

//    row                               unit, operation                | a                       | b                                    | c                        | result                                | lines | undefined
const MOV:                  Row = row!(  Integer         Move           | uses_a shared_a sized_a |                                      |                          | writes sized discards guarded         |  | checks_fixed_46);
const MOV32:                Row = row!(  Integer         Move           | uses_a shared_a sized_a |                                      |                          | writes sized);
const MVI:                  Row = row!(  Integer         Move           | a_is_number sized_a     |                                      |                          | writes sized seven_bits);
const MVC:                  Row = row!(  Integer         Move           | moves_constant sized_a  |                                      |                          | writes sized discards guarded);
const R2G:                  Row = row!(  Integer         Move           | scatters                | uses_b b_is_3 word_b                 |                          | guarded                               |  | checks_type_53);
const R2A:                  Row = row!(  Integer         Shift          | uses_a shared_a         | b_is_shift                           |                          | writes_address guarded);
const A2R:                  Row = row!(  Integer         Move           | reads_address           |                                      |                          | writes guarded);
const ADA:                  Row = row!(  Integer         Add            | reads_address           | b_is_offset                          |                          | writes_address guarded);
const C2R:                  Row = row!(  Integer         Move           | reads_code              |                                      |                          | writes guarded);
const R2C:                  Row = row!(  Integer         SetCode        | uses_a                  |                                      |                          | writes_code guarded);
const S2R:                  Row = row!(  Integer         Move           | reads_special           |                                      |                          | writes guarded                        |  | checks_special_register_46);
const I2I:                  Row = row!(  Integer         Convert        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | source_type result_type absolute_1 negate_61);
const IADD:                 Row = row!(  Integer         Add            | uses_a shared_a sized_a | uses_b b_is_3 constant_b sized_b     |                          | writes sized discards sets_cc guarded | sum clamp);
const IADD32:               Row = row!(  Integer         Add            | uses_a shared_a sized_a | uses_b constant_b sized_b            |                          | writes sized                          | sum clamp);
const IADD32I:              Row = row!(  Integer         Add            | uses_a shared_a sized_a | b_is_number                          |                          | writes sized                          | sum clamp);
const IMUL:                 Row = row!(  Integer         Multiply       | uses_a shared_a product | uses_b constant_b                    |                          | writes discards sets_cc guarded       | mul);
const IMUL32:               Row = row!(  Integer         Multiply       | uses_a shared_a product | uses_b constant_b                    |                          | writes                                | mul);
const IMUL32I:              Row = row!(  Integer         Multiply       | uses_a shared_a product | b_is_number                          |                          | writes                                | mul);
const IMAD:                 Row = row!(  Integer         Multiply       | uses_a shared_a product | uses_b constant_b                    | uses_c constant_c        | writes discards sets_cc guarded       | accumulate product_sum mad);
const IMAD_7:               Row = row!(  Integer         Multiply       | uses_a shared_a         | uses_b constant_b                    | uses_c constant_c        | writes discards sets_cc guarded       | accumulate multiply_24 product_sum mad_7);
const IMAD32:               Row = row!(  Integer         Multiply       | uses_a shared_a product | uses_b constant_b                    | uses_c c_is_destination  | writes                                | accumulate product_sum mad_short);
const IMAD32I:              Row = row!(  Integer         Multiply       | uses_a shared_a product | b_is_number                          | uses_c c_is_destination  | writes                                | accumulate product_sum mad_short);
const ISAD:                 Row = row!(  Integer         SumDistance    | uses_a shared_a sized_a | uses_b constant_b sized_b            | uses_c constant_c        | writes discards sets_cc guarded       | sign);
const ISAD32:               Row = row!(  Integer         SumDistance    | uses_a sized_a          | uses_b sized_b                       | uses_c c_is_destination  | writes                                | sign);
const SHL:                  Row = row!(  Integer         Shift          | uses_a shared_a sized_a | uses_b constant_b b_is_count sized_b |                          | writes sized discards sets_cc guarded);
const SHR:                  Row = row!(  Integer         Shift          | uses_a shared_a sized_a | uses_b constant_b b_is_count sized_b |                          | writes sized discards sets_cc guarded | shift_right sign);
const LOP:                  Row = row!(  Integer         Logic          | uses_a shared_a sized_a | uses_b constant_b sized_b            |                          | writes sized discards sets_cc guarded | logic_function invert_1 invert_2);
const LOP32I:               Row = row!(  Integer         Logic          | uses_a shared_a         | b_is_number                          |                          | writes                                | logic_function invert_1);
const ISET:                 Row = row!(  Integer         Set            | uses_a shared_a sized_a | uses_b constant_b sized_b            |                          | writes sized discards sets_cc guarded | sign compare);
const IMAX:                 Row = row!(  Integer         MinMax         | uses_a shared_a sized_a | uses_b constant_b sized_b            |                          | writes sized discards sets_cc guarded | maximum sign);
const IMIN:                 Row = row!(  Integer         MinMax         | uses_a shared_a sized_a | uses_b constant_b sized_b            |                          | writes sized discards sets_cc guarded | sign);
const KIL:                  Row = row!(  Control         Kill           |                         |                                      |                          | guarded);
const BRA:                  Row = row!(  Control         Branch         |                         |                                      |                          | guarded);
const CAL:                  Row = row!(  Control         Call);
const RET:                  Row = row!(  Control         Return         |                         |                                      |                          | guarded);
const PBK:                  Row = row!(  Control         PushBreak);
const BRK:                  Row = row!(  Control         Break          |                         |                                      |                          | guarded);
const BAR:                  Row = row!(  Control         Barrier);
const TRAP:                 Row = row!(  Control         Trap);
const BPT:                  Row = row!(  Control         Breakpoint     |                         |                                      |                          | guarded);
const BPT32:                Row = row!(  Control         Breakpoint);
const SSY:                  Row = row!(  Control         PushJoin);
const NOP:                  Row = row!(  Integer         Move);
const GLD:                  Row = row!(  Memory          Load           | uses_a                  |                                      |                          | writes guarded                        |  | checks_access_53 checks_global_space_16);
const GST:                  Row = row!(  Memory          Store          | uses_a                  | uses_b b_is_destination              |                          | store guarded                         |  | checks_access_53 checks_global_space_16);
const LLD:                  Row = row!(  Memory          Load           | reads_address is_local  |                                      |                          | writes guarded                        |  | checks_access_53);
const LST:                  Row = row!(  Memory          Store          | reads_address is_local  | uses_b b_is_destination              |                          | store guarded                         |  | checks_access_53);
const FADD:                 Row = row!(  Float           Add            | uses_a shared_a         |                                      | uses_c constant_c        | writes discards sets_cc guarded       | negate_1 negate_3 float_clamp rounding_16 | checks_rounding_16);
const FADD32:               Row = row!(  Float           Add            | uses_a shared_a         |                                      | uses_c c_is_2 constant_c | writes                                | negate_1 negate_3 float_clamp);
const FADD32I:              Row = row!(  Float           Add            | uses_a shared_a         |                                      | c_is_number              | writes                                | negate_1 negate_3 float_clamp);
const FMUL:                 Row = row!(  Float           Multiply       | uses_a shared_a         | uses_b constant_b                    |                          | writes discards sets_cc guarded       | negate_1 negate_2 rounding_46 | checks_rounding_46);
const FMUL32:               Row = row!(  Float           Multiply       | uses_a shared_a         | uses_b constant_b                    |                          | writes                                | negate_1 negate_2);
const FMUL32I:              Row = row!(  Float           Multiply       | uses_a shared_a         | b_is_number                          |                          | writes                                | negate_1 negate_2);
const FMAD:                 Row = row!(  Float           MultiplyAdd    | uses_a shared_a         | uses_b constant_b                    | uses_c constant_c        | writes discards sets_cc guarded       | negate_1 negate_3 float_clamp);
const FMAD32:               Row = row!(  Float           MultiplyAdd    | uses_a shared_a         | uses_b constant_b                    | uses_c c_is_destination  | writes                                | negate_1 negate_3 float_clamp);
const FMAD32I:              Row = row!(  Float           MultiplyAdd    | uses_a shared_a         | b_is_number                          | uses_c c_is_destination  | writes                                | negate_1 negate_3 float_clamp);
const FSET:                 Row = row!(  Float           Set            | uses_a shared_a         | uses_b constant_b                    |                          | writes discards sets_cc guarded       | absolute_1 negate_1 absolute_2 negate_2 compare_float);
const FMAX:                 Row = row!(  Float           MinMax         | uses_a shared_a         | uses_b constant_b                    |                          | writes discards sets_cc guarded       | maximum absolute_1 negate_1 absolute_2 negate_2);
const FMIN:                 Row = row!(  Float           MinMax         | uses_a shared_a         | uses_b constant_b                    |                          | writes discards sets_cc guarded       | absolute_1 negate_1 absolute_2 negate_2);
const FSLCT:                Row = row!(  Float           Select         | uses_a shared_a         | uses_b constant_b                    | uses_c constant_c        | writes discards sets_cc guarded       | select_negate_3);
const FSWZ:                 Row = row!(  Float           Add            | uses_a a_is_3           | uses_b b_is_1                        |                          | writes discards sets_cc guarded       | swizzles);
const RRO:                  Row = row!(  Float           ReduceSine     | uses_a shared_a         |                                      |                          | writes discards guarded               | absolute_1 negate_1 reduction);
const F2F_F32_F32:          Row = row!(  Float           ToFloat        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | absolute_1 negate_61 clamp_51);
const F2F_F32_F32_INTEGRAL: Row = row!(  Float           ToFloat        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | integral absolute_1 negate_61 clamp_51 rounding_49);
const F2I_F32:              Row = row!(  Float           ToInteger      | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | absolute_1 negate_61 rounding_49 integer_result);
const I2F_F32:              Row = row!(  Float           FromInteger    | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | absolute_1 negate_61 rounding_49 clamp_51 source_type);
const F2F_F16_F16:          Row = row!(  Float           ToFloat        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | source_half result_half absolute_1 negate_61 clamp_51);
const F2F_F16_F16_INTEGRAL: Row = row!(  Float           ToFloat        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | source_half result_half integral absolute_1 negate_61 clamp_51 rounding_49);
const F2F_F16_F32:          Row = row!(  Float           ToFloat        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | result_half absolute_1 negate_61 clamp_51 rounding_49 rounds_to_integral);
const F2F_F32_F16:          Row = row!(  Float           ToFloat        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | source_half absolute_1 negate_61 clamp_51);
const F2F_F32_F16_INTEGRAL: Row = row!(  Float           ToFloat        | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | source_half integral absolute_1 negate_61 clamp_51 rounding_49);
const F2I_F16:              Row = row!(  Float           ToInteger      | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | source_half absolute_1 negate_61 rounding_49 integer_result);
const I2F_F16:              Row = row!(  Float           FromInteger    | uses_a shared_a from_a  |                                      |                          | writes sized discards sets_cc guarded | result_half absolute_1 negate_61 rounding_49 clamp_51 source_type);
const RCP:                  Row = row!(  SpecialFunction Reciprocal     | uses_a                  |                                      |                          | writes discards guarded               | absolute_1 negate_1);
const RCP32:                Row = row!(  SpecialFunction Reciprocal     | uses_a                  |                                      |                          | writes                                | absolute_short negate_short);
const RSQ:                  Row = row!(  SpecialFunction ReciprocalRoot | uses_a                  |                                      |                          | writes discards guarded               | absolute_1 negate_1);
const LG2:                  Row = row!(  SpecialFunction Logarithm      | uses_a                  |                                      |                          | writes discards guarded               | absolute_1 negate_1);
const SIN:                  Row = row!(  SpecialFunction Sine           | uses_a                  |                                      |                          | writes discards guarded);
const COS:                  Row = row!(  SpecialFunction Cosine         | uses_a                  |                                      |                          | writes discards guarded);
const EX2:                  Row = row!(  SpecialFunction Power          | uses_a                  |                                      |                          | writes discards guarded               | special_clamp);

/// The row of a control word.
#[hdl_fn]
fn control_row(word: Bits<64>, layout: Layout) -> Row {
    match word.bits::<4>(28).index() {
        0 => KIL,                                //            0000 11           KIL
        1 => BRA,                                //            0001 11           BRA
        2 => CAL,                                //            0010 11           CAL
        3 => RET,                                //            0011 11           RET
        4 => PBK,                                //            0100 11           PBK
        5 => BRK,                                //            0101 11           BRK
        8 => BAR,                                //            1000 11           BAR
        9 => TRAP,                               //            1001 11           TRAP, TRAP32
        10 => SSY,                               //            1010 11           SSY
        11 => if layout.is_long {
            BPT                                  //            1011 11           BPT
        } else {
            BPT32                                //            1011 10           BPT32
        }
        _ => MOV,
    }
}

/// The row of a word with opcode 0: R2G, R2A, A2R, C2R, R2C, S2R.
#[hdl_fn]
fn opcode_0_row(word: Bits<64>) -> Row {
    match word.bits::<3>(61).index() {
        2 => A2R,                                // 010     ?? 0000 01           A2R
        3 => S2R,                                // 011     ?? 0000 01           S2R
        5 => R2C,                                // 101     ?? 0000 01           R2C
        6 => R2A,                                // 110     ?? 0000 01           R2A
        7 => R2G,                                // 111     ?? 0000 01           R2G
        _ => C2R,                                // 001     ?? 0000 01           C2R
    }
}

/// The row of a word with opcode 1: MOV32, MVI, MOV, MVC.
#[hdl_fn]
fn opcode_1_row(word: Bits<64>, layout: Layout) -> Row {
    match layout.form.index() {
        0 => MOV32,                              //            0001 00           MOV32
        3 => MVI,                                //         11 0001 01           MVI
        _ => match word.bits::<3>(61).index() {
            1 => MVC,                            // 001     ?? 0001 01           MVC
            _ => MOV,                            // 000     ?? 0001 01, 49..46: 1111 MOV
        },
    }
}

/// The row of a word with opcode 3: IADD32, IADD32I, IADD, SHL, SHR, ISET, IMAX, IMIN.
#[hdl_fn]
fn opcode_3_row(word: Bits<64>, layout: Layout) -> Row {
    match layout.form.index() {
        0 => IADD32,                             //            001? 00           IADD32
        3 => IADD32I,                            //         11 001? 01           IADD32I
        _ => match word.bits::<3>(61).index() {
            3 => ISET,                           // 011     ?? 0011 01           ISET
            4 => IMAX,                           // 100     ?? 0011 01           IMAX
            5 => IMIN,                           // 101     ?? 0011 01           IMIN
            6 => SHL,                            // 110     ?? 0011 01           SHL
            7 => SHR,                            // 111     ?? 0011 01           SHR
            _ => IADD,                           // 000     ?? 001? 01           IADD
        },
    }
}

/// The row of a word with opcode 9: RCP32, RCP, RSQ, LG2, SIN, COS, EX2.
#[hdl_fn]
fn opcode_9_row(word: Bits<64>, layout: Layout) -> Row {
    match layout.form.index() {
        0 => RCP32,                              //            1001 00           RCP32
        _ => match word.bits::<3>(61).index() {
            2 => RSQ,                            // 010     ?? 1001 01           RSQ
            3 => LG2,                            // 011     ?? 1001 01           LG2
            4 => SIN,                            // 100     ?? 1001 01           SIN
            5 => COS,                            // 101     ?? 1001 01           COS
            6 => EX2,                            // 110     ?? 1001 01           EX2
            _ => RCP,                            // 000     ?? 1001 01           RCP
        },
    }
}

/// The row of a word with opcode 10: I2I, F2F, F2I, I2F, F2F, F2I, I2F.
#[hdl_fn]
fn opcode_10_row(word: Bits<64>) -> Row {
    match word.bits::<3>(61).index() {
        2 | 3 => if word.get_bit(58) {
            I2F_F32                              // 01?     ?? 1010 01, 58: 1    I2F
        } else {
            I2F_F16                              // 01?     ?? 1010 01, 58: 0    I2F
        }
        4 | 5 => if word.get_bit(46) {
            F2I_F32                              // 10?     ?? 1010 01, 46: 1    F2I
        } else {
            F2I_F16                              // 10?     ?? 1010 01, 46: 0    F2I
        }
        6 | 7 => match word.bits::<2>(58).concat::<1, 3>(word.bits::<1>(46)).index() {
            0 => F2F_F16_F16,                    // 11?     ?? 1010 01, 46: 0, 59..58: 00 F2F
            1 => F2F_F16_F32,                    // 11?     ?? 1010 01, 46: 1, 58: 0 F2F
            2 => F2F_F32_F16,                    // 11?     ?? 1010 01, 46: 0, 59..58: 01 F2F
            3 => F2F_F32_F32,                    // 11?     ?? 1010 01, 46: 1, 59..58: 01 F2F
            4 => F2F_F16_F16_INTEGRAL,           // 11?     ?? 1010 01, 46: 0, 59..58: 10 F2F
            5 => F2F_F16_F32,                    // 11?     ?? 1010 01, 46: 1, 58: 0 F2F
            6 => F2F_F32_F16_INTEGRAL,           // 11?     ?? 1010 01, 46: 0, 59..58: 11 F2F
            _ => F2F_F32_F32_INTEGRAL,           // 11?     ?? 1010 01, 46: 1, 59..58: 11 F2F
        },
        _ => I2I,                                // 00?     ?? 1010 01           I2I
    }
}

/// The row of a word with opcode 11: FADD32, FADD32I, FADD, FSET, FMAX, FMIN, RRO.
#[hdl_fn]
fn opcode_11_row(word: Bits<64>, layout: Layout) -> Row {
    match layout.form.index() {
        0 => FADD32,                             //            1011 00           FADD32
        3 => FADD32I,                            //         11 1011 01           FADD32I
        _ => match word.bits::<3>(61).index() {
            3 => FSET,                           // 011     ?? 1011 01           FSET
            4 => FMAX,                           // 100     ?? 1011 01           FMAX
            5 => FMIN,                           // 101     ?? 1011 01           FMIN
            6 => RRO,                            // 110     ?? 1011 01           RRO
            _ => FADD,                           // 00?     ?? 1011 01           FADD
        },
    }
}

/// The row of a word with opcode 12: FMUL32, FMUL32I, FMUL, FSLCT, FSWZ.
#[hdl_fn]
fn opcode_12_row(word: Bits<64>, layout: Layout) -> Row {
    match layout.form.index() {
        0 => FMUL32,                             //            1100 00           FMUL32
        3 => FMUL32I,                            //         11 1100 01           FMUL32I
        _ => match word.bits::<3>(61).index() {
            0 => FMUL,                           // 000     ?? 1100 01           FMUL
            4 => FSWZ,                           // 100     ?? 1100 01           FSWZ
            _ => FSLCT,                          // 01?     ?? 1100 01           FSLCT
        },
    }
}

/// The row of a word with opcode 13: LOP32I, ADA, LOP, GLD, GST, LLD, LST.
#[hdl_fn]
fn opcode_13_row(word: Bits<64>, layout: Layout) -> Row {
    match layout.form.index() {
        3 => LOP32I,                             //         11 1101 01           LOP32I
        _ => match word.bits::<3>(61).index() {
            1 => ADA,                            // 001     ?? 1101 01           ADA
            2 => LLD,                            // 010     ?? 1101 01           LLD
            3 => LST,                            // 011     ?? 1101 01           LST
            4 => GLD,                            // 100     ?? 1101 01           GLD
            5 => GST,                            // 101     ?? 1101 01           GST
            _ => LOP,                            // 000     ?? 1101 01           LOP
        },
    }
}

/// The row of a word that is not a control word.
#[hdl_fn]
fn other_row(word: Bits<64>, layout: Layout) -> Row {
    match word.bits::<4>(28).index() {
        0 => opcode_0_row(word),
        1 => opcode_1_row(word, layout),
        2 => match layout.form.index() {
            0 => IADD32,                         //            001? 00           IADD32
            3 => IADD32I,                        //         11 001? 01           IADD32I
            _ => IADD,                           // 000     ?? 001? 01           IADD
        },
        3 => opcode_3_row(word, layout),
        4 => match layout.form.index() {
            0 => IMUL32,                         //            0100 00           IMUL32
            3 => IMUL32I,                        //         11 0100 01           IMUL32I
            _ => IMUL,                           // 000     ?? 0100 01           IMUL
        },
        5 => match layout.form.index() {
            0 => ISAD32,                         //            0101 00           ISAD32
            _ => ISAD,                           // 000     ?? 0101 01           ISAD
        },
        6 => match layout.form.index() {
            0 => IMAD32,                         //            011? 00           IMAD32
            3 => IMAD32I,                        //         11 011? 01           IMAD32I
            _ => IMAD,                           // ???     ?? 0110 01           IMAD
        },
        7 => match layout.form.index() {
            0 => IMAD32,                         //            011? 00           IMAD32
            3 => IMAD32I,                        //         11 011? 01           IMAD32I
            _ => IMAD_7,                         // ???     ?? 0111 01           IMAD
        },
        9 => opcode_9_row(word, layout),
        10 => opcode_10_row(word),
        11 => opcode_11_row(word, layout),
        12 => opcode_12_row(word, layout),
        13 => opcode_13_row(word, layout),
        14 => match layout.form.index() {
            0 => FMAD32,                         //            1110 00           FMAD32
            3 => FMAD32I,                        //         11 1110 01           FMAD32I
            _ => FMAD,                           // 00?     ?? 1110 01           FMAD
        },
        15 => NOP,                               // 111     ?? 1111 01, 34: 0    NOP, PMTRIG
        _ => MOV,
    }
}

/// True if the opcode exists in the word's form; of a long word, if the sub-opcode does.
#[hdl_fn]
fn opcode_exists(word: Bits<64>, layout: Layout) -> Bit {
    let opcode = word.bits::<4>(28);
    if layout.is_full {
        let subops = match opcode.index() {
             0 => bits::<8>(0b11101110),
             1 => bits::<8>(0b00000011),
             2 => bits::<8>(0b00000001),
             3 => bits::<8>(0b11111001),
             4 => bits::<8>(0b00000001),
             5 => bits::<8>(0b00000001),
             6 => bits::<8>(0b11111111),
             7 => bits::<8>(0b11111111),
             9 => bits::<8>(0b01111101),
            10 => bits::<8>(0b11111111),
            11 => bits::<8>(0b01111011),
            12 => bits::<8>(0b00011101),
            13 => bits::<8>(0b00111111),
            14 => bits::<8>(0b00000011),
            15 => bits::<8>(0b10000000),
            _ => bits(0),
        };
        subops.get_bit(word.bits::<3>(61).index())
    } else {
        let opcodes = if layout.is_control && layout.is_long {
            bits::<16>(0b0000111100111111)
        } else if layout.is_control {
            bits::<16>(0b0000101000000000)
        } else if layout.is_short {
            bits::<16>(0b0101101011111110)
        } else {
            bits::<16>(0b0111100011011110)
        };
        opcodes.get_bit(opcode.index())
    }
}

/// True if all fields that the row checks have defined values.
#[hdl_fn]
fn fields_exist(word: Bits<64>, row: Row) -> Bit {
    // MOV
    let field = word.bits::<4>(46);
    let fixed_46 = field == 15;
    // R2G
    let field = word.bits::<1>(58).concat::<2, 3>(word.bits::<1>(54).concat::<1, 2>(word.bits::<1>(53)));
    let type_53 = field != 6 && field != 7;
    // S2R
    let field = word.bits::<4>(46);
    let special_register_46 = field == 0 || field == 1 || field == 2 || field == 4 || field == 5 || field == 6 || field == 7;
    // GLD, GST, LLD, LST
    let field = word.bits::<3>(53);
    let access_53 = field != 7;
    // GLD, GST
    let field = word.bits::<4>(16);
    let global_space_16 = field == 14;
    // FADD
    let field = word.bits::<2>(16);
    let rounding_16 = field == 0 || field == 3;
    // FMUL
    let field = word.bits::<2>(46);
    let rounding_46 = field == 0 || field == 3;
    (!row.checks_fixed_46 || fixed_46)
        && (!row.checks_type_53 || type_53)
        && (!row.checks_special_register_46 || special_register_46)
        && (!row.checks_access_53 || access_53)
        && (!row.checks_global_space_16 || global_space_16)
        && (!row.checks_rounding_16 || rounding_16)
        && (!row.checks_rounding_46 || rounding_46)
}

/// Identifies the row of a word. `d_exists` is 0 if the word is not an instruction; the row is then arbitrary.
#[circuit]
pub struct DecodeRows {
    pub d_word: Signal<In, Bits<64>>,
    pub d_layout: Signal<In, Layout>,
    pub d_row: Signal<Out, Row>,
    pub d_exists: Signal<Out, Bit>,

    /// True if the capability is at least 1.1; 1.2; 1.3.
    pub(super) since_1_1: Constant<Bit>,
    pub(super) since_1_2: Constant<Bit>,
    pub(super) since_1_3: Constant<Bit>,
}

impl Logic for DecodeRows {
    #[hdl_gen]
    fn update(&mut self) {
        let word = self.d_word.val();
        let layout = self.d_layout.val();
        // Only bits that distinguish the rows select the row. `d_exists` checks the other fixed bits.
        let row = if layout.is_control {
            control_row(word, layout)
        } else {
            other_row(word, layout)
        };
        self.d_row.next = row;
        self.d_exists.next = opcode_exists(word, layout) && fields_exist(word, row);
        if self.since_1_1.val() {
            let later = later_instruction(word, layout);
            if later.loads_shared || later.votes || later.reduces || later.exchanges {
                self.d_row.next = later_row(later);
                self.d_exists.next = later_exists(word, later, self.since_1_2.val());
            }
        }
        if self.since_1_2.val() {
            let unlocks = is_unlock(word, layout);
            if unlocks && !unlock_exists(word, layout) {
                self.d_exists.next = false;
            }
            if is_lock(word, layout) {
                self.d_exists.next = true;
            }
        }
        if self.since_1_3.val() {
            let double = double_instruction(word, layout);
            if double.computes || double.converts {
                let row = double_row(word, double);
                self.d_row.next = row;
                self.d_exists.next = double_exists(word, layout, double, row);
            }
        }
    }
}
