//! What a float lane is told, and what its stages hand to each other.

use crate::execute::integer::IntegerWidth;
use hdlkit::prelude::*;

/// What a float lane does.
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
    /// F2F: a as another float.
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

/// What a float lane does with its operands; the same for all lanes. What an operation does not name does not matter to
/// it.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatControl {
    pub operation: FloatOperation,
    /// 0 to nearest, 1 down, 2 up, 3 toward zero. Add, Multiply, ToFloat, ToInteger, FromInteger; 0 of MultiplyAdd.
    pub rounding: Bits<2>,
    /// Clamp to [+0, 1]: MultiplyAdd, Add, ToFloat, FromInteger.
    pub saturate: Bit,
    /// Take the absolute value, then negate: all but Select; FromInteger: of the integer.
    pub absolute_a: Bit,
    pub negate_a: Bit,
    /// MultiplyAdd, Multiply, Set, MinMax.
    pub absolute_b: Bit,
    pub negate_b: Bit,
    /// MultiplyAdd, Add, Select.
    pub negate_c: Bit,
    /// Set: true if less, equal, greater, unordered (any subset).
    pub compare_less: Bit,
    pub compare_equal: Bit,
    pub compare_greater: Bit,
    pub compare_unordered: Bit,
    /// MinMax: the greater.
    pub maximum: Bit,
    /// ToFloat: round to an integral value.
    pub integral: Bit,
    /// ToFloat, ToInteger: a is a 16-bit float, in bits 15..0.
    pub source_half: Bit,
    /// ToFloat, FromInteger: the result is a 16-bit float, in bits 15..0; the others are 0.
    pub result_half: Bit,
    /// FromInteger.
    pub source_width: IntegerWidth,
    pub source_signed: Bit,
    /// ToInteger: to 16 bits instead of 32; the upper bits are 0.
    pub result_narrow: Bit,
    /// ToInteger.
    pub result_signed: Bit,
}

/// What stage 3 works on.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatTerms {
    /// The second term of the sum, as a float; or the integer to convert, or the result that is ready.
    pub second: Bits<32>,
    /// Two's complement: the exponent of the larger term's bit 34.
    pub exponent: Bits<10>,
    /// The second term is the larger one, and the product is to be shifted.
    pub product_smaller: Bit,
    pub distance: Bits<6>,
    /// The distance is 64 or more.
    pub beyond: Bit,
    /// The smaller term is to be subtracted.
    pub subtract: Bit,
    pub product_negative: Bit,
    pub second_negative: Bit,
    pub product_nan: Bit,
    pub product_infinite: Bit,
    /// The sum is to be rounded to an integer.
    pub integral: Bit,
    /// Rounded to an integer, it is out of all ranges.
    pub past: Bit,
    /// The result is a 16-bit denormal.
    pub denormal: Bit,
}

/// What stage 4 works on, beside the aligned term.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatAddends {
    pub larger: Bits<35>,
    pub subtract: Bit,
    /// Bits 31..25 of an integer that are to be lost.
    pub lost: Bits<7>,
    pub integral: Bit,
    /// A tie is to be rounded to even.
    pub even: Bit,
    /// The larger term's sign, or an infinity's.
    pub negative: Bit,
    pub rest: FloatRest,
}

/// What stages 5 to 7 need to know beside the sum.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatRest {
    /// Two's complement: the exponent of bit 34; behind stage 4 of bit 35.
    pub exponent: Bits<10>,
    /// A zero as result of two terms is negative.
    pub zero_negative: Bit,
    /// There is a second term: what is too small becomes a zero of its own sign.
    pub two_terms: Bit,
    pub nan: Bit,
    pub infinite: Bit,
    pub past: Bit,
    pub denormal: Bit,
    /// Left shift of a reduced angle.
    pub count: Bits<6>,
    pub count_beyond: Bit,
}

/// What stage 5 works on.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatSum {
    pub magnitude: Bits<36>,
    pub negative: Bit,
    pub rest: FloatRest,
}
