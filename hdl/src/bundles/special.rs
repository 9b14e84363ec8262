//! The control of the special function units.

use hdlkit::prelude::*;

/// The function that the special function unit computes.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum SpecialOperation {
    /// RCP: 1 / a.
    Reciprocal,
    /// RSQ: 1 / sqrt(a).
    ReciprocalRoot,
    /// LG2: the logarithm to base 2.
    Logarithm,
    /// SIN of the result of RRO.SIN.
    Sine,
    /// COS of the result of RRO.SIN.
    Cosine,
    /// EX2 of the result of RRO.EX2.
    Power,
}

/// The function and the modifiers of its argument and result.
#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct SpecialControl {
    pub operation: SpecialOperation,
    /// Take the absolute value, then negate: acts on the sign bit of any argument.
    pub absolute: Bit,
    pub negate: Bit,
    /// Power: clamp to [+0, 1]. Other functions ignore it.
    pub saturate: Bit,
}
