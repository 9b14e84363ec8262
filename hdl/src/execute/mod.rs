//! The execution units of a scalar processor.

pub mod integer;
pub mod multiplier;
pub mod shifter;
