//! A float lane's control, and the bundles of the registers between its stages.

use crate::execute::integer::IntegerWidth;
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

/// The control of a float lane; the same for all lanes. An operation ignores the fields that do not name it.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatControl {
    pub operation: FloatOperation,
    /// Rounding mode: 0 to nearest, 1 down, 2 up, 3 toward zero. Add, Multiply, ToFloat, ToInteger, FromInteger; of
    /// MultiplyAdd 0, unless c is 0.
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

/// The register before stage 3.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatTerms {
    /// The second term of the sum, as a float; or the integer to convert, or a result that is already final.
    pub second: Bits<32>,
    /// Two's complement, biased by 127: the exponent of the larger term's bit 34.
    pub exponent: Bits<10>,
    /// The second term is the larger one, so the product is shifted.
    pub product_smaller: Bit,
    /// Right shift of the smaller term, modulo 64.
    pub distance: Bits<6>,
    /// The distance is 64 or more.
    pub beyond: Bit,
    /// Subtract the smaller term.
    pub subtract: Bit,
    pub product_negative: Bit,
    pub second_negative: Bit,
    pub product_nan: Bit,
    pub product_infinite: Bit,
    /// Round the sum to an integer.
    pub integral: Bit,
    /// The value, rounded to an integer, is out of every range.
    pub past: Bit,
    /// The result is a 16-bit denormal.
    pub denormal: Bit,
}

/// The register before stage 4, besides the aligned term.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatAddends {
    /// The term that is not shifted, with the addend that rounds to an integer in bits 1..0.
    pub larger: Bits<35>,
    /// Subtract the aligned term.
    pub subtract: Bit,
    /// Bits 31..25 of an integer that will be lost.
    pub lost: Bits<7>,
    pub integral: Bit,
    /// Round a tie to even.
    pub even: Bit,
    /// The larger term's sign, or an infinity's.
    pub negative: Bit,
    pub rest: FloatRest,
}

/// The data for stages 5 to 7, besides the sum.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatRest {
    /// Two's complement: the exponent of bit 34; after stage 4, of bit 35.
    pub exponent: Bits<10>,
    /// If the sum of two terms is zero, it is negative.
    pub zero_negative: Bit,
    /// There is a second term: on underflow the result is a zero with the sum's sign.
    pub two_terms: Bit,
    /// The result is a NaN, or else an infinity.
    pub nan: Bit,
    pub infinite: Bit,
    /// The same fields as in [`FloatTerms`].
    pub past: Bit,
    pub denormal: Bit,
    /// Left shift of a reduced angle, modulo 64; the shift is 64 or more.
    pub count: Bits<6>,
    pub count_beyond: Bit,
}

/// The register before stage 5.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct FloatSum {
    /// The absolute value of the sum.
    pub magnitude: Bits<36>,
    pub negative: Bit,
    pub rest: FloatRest,
}
