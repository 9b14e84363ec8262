//! The control of the double-precision unit.

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
