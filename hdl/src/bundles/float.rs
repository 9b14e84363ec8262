//! The control of the float lanes.

use super::integer::IntegerWidth;
use hdlkit::prelude::*;

/// The operations of a float lane.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum FloatOperation {
    /// FMAD: a * b + c.
    MultiplyAdd,
    /// FADD: a + c.
    Add,
    /// FMUL: a * b.
    Multiply,
    /// FSET: a compared with b: all ones or 0.
    Set,
    /// FMIN, FMAX: the smaller or greater of a and b.
    MinMax,
    /// FSLCT: a if c is 0 or more, else b.
    Select,
    /// F2F: a in another format, or rounded to an integral value.
    ToFloat,
    /// F2I: a as an integer.
    ToInteger,
    /// I2F: the integer a as a float.
    FromInteger,
    /// RRO.SIN: a * 2/pi as a fixed-point number.
    ReduceSine,
    /// RRO.EX2: a as a fixed-point number.
    ReducePower,
}

/// The control of a float lane; the same for all lanes. An operation ignores the fields that do not name it.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatControl {
    pub operation: FloatOperation,
    /// Rounding mode: 0 to nearest, 1 down, 2 up, 3 toward zero. Add, Multiply, ToFloat, ToInteger, FromInteger.
    /// MultiplyAdd: 0; for the saturating product, whose c is 0, the product's mode.
    pub rounding: Bits<2>,
    /// Clamp to [+0, 1]: MultiplyAdd, Add, ToFloat, FromInteger.
    pub saturate: Bit,
    /// The absolute value of a, then the negative: all but Select. FromInteger: of the integer.
    pub absolute_a: Bit,
    pub negate_a: Bit,
    /// The absolute value of b, then the negative: MultiplyAdd, Multiply, Set, MinMax.
    pub absolute_b: Bit,
    pub negate_b: Bit,
    /// The negative of c: MultiplyAdd, Add, Select.
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
    /// ToFloat, ToInteger: a is a 16-bit float, in bits 15..0.
    pub source_half: Bit,
    /// ToFloat, FromInteger: the result is a 16-bit float, in bits 15..0; the other bits are 0.
    pub result_half: Bit,
    /// FromInteger: width and signedness of the integer.
    pub source_width: IntegerWidth,
    pub source_signed: Bit,
    /// ToInteger: to 16 bits instead of 32; the upper bits are 0.
    pub result_narrow: Bit,
    /// ToInteger: the result is signed.
    pub result_signed: Bit,
}
