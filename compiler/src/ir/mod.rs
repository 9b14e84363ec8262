//! The intermediate representation: a control-flow graph over virtual registers.

pub mod build;
mod instructions;
pub mod print;
pub mod types;
pub mod verify;

pub use types::*;
