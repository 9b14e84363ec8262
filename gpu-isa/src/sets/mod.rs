//! The tables of the instruction sets: nothing but data.

pub mod maxwell;
