//! The double-precision instructions that compute capability 1.3 adds. Each has the flags of a similar float row of
//! 1.0, for the double-precision unit; the remaining differences are in [`Decode`](super::Decode).
//!
//! | word | bits | instruction | like |
//! |---|---|---|---|
//! | opcode 14, sub-opcode 2 | 55..54 rounding | DFMA | FMAD |
//! | opcode 14, sub-opcode 3 | 17..16 rounding | DADD | FADD |
//! | opcode 14, sub-opcode 4 | 50..49 rounding | DMUL | FMUL |
//! | opcode 14, sub-opcodes 5, 6, 7 | | DMIN, DMAX, DSET | FMIN, FMAX, FSET |
//! | opcode 10, 63..62 = 3, 2, 1, 54 = 1 | 46 source, 58 result of 64 bits | F2F, F2I, I2F | F2F, F2I, I2F |
//!
//! A 64-bit operand is an even register and the next one. Up to 1.2 a conversion ignores bit 54.

use super::layout::Layout;
use super::row::{Row, NO_ROW};
use crate::bundles::*;
use hdlkit::prelude::*;

/// Identifies a word as a double instruction by its opcode, sub-opcode and bit 54.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DoubleInstruction {
    /// DFMA, DADD, DMUL, DMIN, DMAX, DSET; a conversion. At most one is set.
    pub computes: Bit,
    pub converts: Bit,
    /// The sources have 64 bits; the result has 64 bits.
    pub wide_source: Bit,
    pub wide_result: Bit,
}

const DOUBLE: Row = Row {
    unit: Unit::SpecialFunction,
    uses_a: true,
    writes: true,
    discards: true,
    sets_cc: true,
    guarded: true,
    ..NO_ROW
};
const DFMA: Row = Row { uses_b: true, uses_c: true, negate_1: true, negate_3: true, ..DOUBLE };
const DADD: Row =
    Row { float: FloatOperation::Add, uses_c: true, negate_1: true, negate_3: true, rounding_16: true, ..DOUBLE };
const DMUL: Row = Row { float: FloatOperation::Multiply, uses_b: true, negate_1: true, rounding_49: true, ..DOUBLE };
const DMIN: Row = Row { float: FloatOperation::MinMax, ..OF_SIGNS };
const DMAX: Row = Row { maximum: true, ..DMIN };
const DSET: Row = Row { float: FloatOperation::Set, compare_float: true, ..OF_SIGNS };
const OF_SIGNS: Row =
    Row { uses_b: true, absolute_1: true, negate_1: true, absolute_2: true, negate_2: true, ..DOUBLE };
const F2F: Row = Row { float: FloatOperation::ToFloat, ..CONVERSION };
const F2I: Row = Row { float: FloatOperation::ToInteger, integer_result: true, ..CONVERSION };
const I2F: Row = Row { float: FloatOperation::FromInteger, source_type: true, ..CONVERSION };
const CONVERSION: Row = Row { shared_a: true, absolute_1: true, negate_61: true, rounding_49: true, ..DOUBLE };

/// Returns the double instruction of a word.
#[hdl_fn]
pub fn double_instruction(word: Bits<64>, layout: Layout) -> DoubleInstruction {
    let opcode = word.bits::<4>(28);
    let computes = layout.is_full && opcode == 14 && word.bits::<3>(61) >= 2;
    let converts = layout.is_full && opcode == 10 && word.bits::<2>(62).any() && word.get_bit(54);
    DoubleInstruction {
        computes,
        converts,
        wide_source: computes || word.get_bit(46),
        wide_result: if computes { !word.bits::<3>(61).all() } else { word.get_bit(58) },
    }
}

/// Returns the row of a double instruction.
#[hdl_fn]
pub fn double_row(word: Bits<64>, double: DoubleInstruction) -> Row {
    if double.computes {
        match word.bits::<3>(61).index() {
            2 => DFMA,
            3 => DADD,
            4 => DMUL,
            5 => DMIN,
            6 => DMAX,
            _ => DSET,
        }
    } else {
        match word.bits::<2>(62).index() {
            3 => F2F,
            2 => F2I,
            _ => I2F,
        }
    }
}

/// True if the fields of a double instruction are defined: 64-bit operands are registers with even numbers, and at
/// least one side of a conversion has 64 bits.
#[hdl_fn]
pub fn double_exists(word: Bits<64>, layout: Layout, double: DoubleInstruction, row: Row) -> Bit {
    let odd_source = word.get_bit(9) || row.uses_b && word.get_bit(16) || row.uses_c && word.get_bit(46);
    let odd_result = word.get_bit(2) && !layout.discard;
    let in_memory = word.get_bit(53) || double.computes && word.bits::<2>(23).any();
    (double.wide_source || double.wide_result)
        && !(double.wide_source && (odd_source || in_memory))
        && !(double.wide_result && odd_result)
}
