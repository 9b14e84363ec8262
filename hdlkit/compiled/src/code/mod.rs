//! Code generation for a design: clusters of nodes, placement of values, and instructions.

mod edge;
mod emit;
mod flags;
mod functions;
mod instructions;
mod lookup;
mod plan;
mod program;
mod vectors;

pub(crate) use flags::Flags;
pub use program::Counts;
pub(crate) use program::{compile, Function, Program};
