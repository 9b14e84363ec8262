//! The memories of an SM.

pub mod constant;
pub mod instruction;
pub mod shared;
