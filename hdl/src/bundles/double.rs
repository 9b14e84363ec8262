//! The control of the double-precision unit.

use super::float::{FloatControl, FloatOperation};
use hdlkit::prelude::*;

/// The operations of the double-precision unit.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum DoubleOperation {
    /// DFMA: a * b + c, rounded once.
    MultiplyAdd,
    /// DADD: a + c. The instruction's sources 1 and 3.
    Add,
    /// DMUL: a * b.
    Multiply,
    /// DSET: a compared with b: 32 ones or 0.
    Set,
    /// DMIN, DMAX: the smaller or greater of a and b.
    MinMax,
    /// F2F: a as another float, or as a double of integral value.
    ToFloat,
    /// F2I: a as an integer.
    ToInteger,
    /// I2F: the integer a as a float.
    FromInteger,
}

/// A lane's operands of the double-precision unit.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DoubleOperands {
    pub a: Bits<64>,
    pub b: Bits<64>,
    pub c: Bits<64>,
}

/// The control of the double-precision unit. An operation ignores the fields that do not name it.
///
/// At least one side of a conversion has 64 bits, and both if `integral` is set: the unit's results are meaningless
/// otherwise.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DoubleControl {
    pub operation: DoubleOperation,
    /// Rounding mode: 0 to nearest, 1 down, 2 up, 3 toward zero. All but Set and MinMax.
    pub rounding: Bits<2>,
    /// The absolute value of a, then the negative: all operations. FromInteger: of the integer.
    pub absolute_a: Bit,
    pub negate_a: Bit,
    /// The absolute value of b, then the negative: MultiplyAdd, Multiply, Set, MinMax.
    pub absolute_b: Bit,
    pub negate_b: Bit,
    /// The negative of c: MultiplyAdd, Add.
    pub negate_c: Bit,
    /// Set: true if less, equal, greater, unordered (any subset).
    pub compare_less: Bit,
    pub compare_equal: Bit,
    pub compare_greater: Bit,
    pub compare_unordered: Bit,
    /// MinMax: take the greater.
    pub maximum: Bit,
    /// ToFloat: round to an integral value.
    pub integral: Bit,
    /// ToFloat, ToInteger: a is a float32; FromInteger: a 32-bit integer. In bits 31..0.
    pub source_short: Bit,
    /// ToFloat, FromInteger: the result is a float32; ToInteger: a 32-bit integer. In bits 31..0; the others are 0.
    pub result_short: Bit,
    /// FromInteger: the integer is signed.
    pub source_signed: Bit,
    /// ToInteger: the result is signed.
    pub result_signed: Bit,
}

/// A beat for the double-precision unit. If the sources have 64 bits, a beat is sent twice: with the lanes' low words,
/// then with their high words.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DoubleBeat {
    pub valid: Bit,
    /// The operands are the high words.
    pub high: Bit,
    pub control: DoubleControl,
    /// The result has 64 bits; its second register exists; this is the first write of that register.
    pub wide: Bit,
    pub second: Bit,
    pub second_fill: Bit,
}

/// The state of the double-precision unit in a cycle.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DoubleEvents {
    /// No instruction is in the unit or its queue.
    pub idle: Bit,
    /// The beat at the end of the pipeline is the unit's; a beat of the unit waits for a gap there.
    pub fills: Bit,
    pub waits: Bit,
    /// An entry of the queue is free again.
    pub dequeued: Bit,
}

/// Returns the control of a double instruction. Decode drives the lines of the float instruction of the same name, with
/// 64 bits for 32, and 32 bits for a half.
#[hdl_fn]
pub fn control_of(float: FloatControl) -> DoubleControl {
    DoubleControl {
        operation: match float.operation {
            FloatOperation::MultiplyAdd => DoubleOperation::MultiplyAdd,
            FloatOperation::Add => DoubleOperation::Add,
            FloatOperation::Multiply => DoubleOperation::Multiply,
            FloatOperation::Set => DoubleOperation::Set,
            FloatOperation::MinMax => DoubleOperation::MinMax,
            FloatOperation::ToFloat => DoubleOperation::ToFloat,
            FloatOperation::ToInteger => DoubleOperation::ToInteger,
            _ => DoubleOperation::FromInteger,
        },
        rounding: float.rounding,
        absolute_a: float.absolute_a,
        negate_a: float.negate_a,
        absolute_b: float.absolute_b,
        negate_b: float.negate_b,
        negate_c: float.negate_c,
        compare_less: float.compare_less,
        compare_equal: float.compare_equal,
        compare_greater: float.compare_greater,
        compare_unordered: float.compare_unordered,
        maximum: float.maximum,
        integral: float.integral,
        source_short: float.source_half,
        result_short: float.result_half,
        source_signed: float.source_signed,
        result_signed: float.result_signed,
    }
}
