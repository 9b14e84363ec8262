//! The bundles of the registers between the stages of the double-precision unit.

use hdlkit::prelude::*;

/// The data for stages 3 to 10 that do not depend on the sum.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DoubleRest {
    pub rounding: Bits<2>,
    /// Round as if the result were positive.
    pub rounds_positive: Bit,
    /// The result needs no arithmetic: it takes the place of the sum.
    pub ready: Bit,
    /// The operation is F2I.
    pub to_integer: Bit,
    /// The result has 32 bits.
    pub short: Bit,
    /// F2I: the result is signed.
    pub signed: Bit,
    /// The result is a NaN or, for F2I, a NaN's integer.
    pub nan: Bit,
    /// A sum of zero is negative.
    pub zero_negative: Bit,
}

/// The register before stage 3.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DoubleTerms {
    /// The result, if it is ready; or the integer to convert.
    pub chosen: Bits<64>,
    /// The significand of the second term, c.
    pub second: Bits<53>,
    /// Take `chosen` instead of the two terms, unshifted.
    pub is_chosen: Bit,
    /// The second term has the larger exponent, so the product is shifted.
    pub product_smaller: Bit,
    /// Right shift of the smaller term, modulo 128; 128 or more.
    pub distance: Bits<7>,
    pub beyond: Bit,
    /// The biased exponent of the larger term's bit 107, 1 or more.
    pub exponent: Bits<12>,
    /// Subtract the smaller term.
    pub subtract: Bit,
    /// The larger term's sign.
    pub negative: Bit,
    /// The addend that rounds the sum to an integer once the two bits below are dropped.
    pub half: Bits<2>,
    /// Round the sum to an integer.
    pub integral: Bit,
    pub rest: DoubleRest,
}

/// The data for stages 5 and 6, besides the terms.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DoubleAddends {
    pub subtract: Bit,
    /// The larger term's sign.
    pub negative: Bit,
    /// The same fields as in [`DoubleTerms`].
    pub integral: Bit,
    /// The sum is halfway between two integers: round to even.
    pub tie: Bit,
    pub scale: DoubleScale,
    pub rest: DoubleRest,
}

/// The position of the sum.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct DoubleScale {
    /// The biased exponent of bit 109, as of a double.
    pub exponent: Bits<12>,
    /// The left shift that makes the exponent the least one of the result's format, at most 127; 0 for an integer, and
    /// for a result that is ready.
    pub limit: Bits<7>,
}
