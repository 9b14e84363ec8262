//! The bundles of the registers between the stages of a float lane.

use hdlkit::prelude::*;

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
    /// A sum of zero is negative.
    pub zero_negative: Bit,
    /// There is a second term: if the sum underflows, the result is a zero with the sum's sign.
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
