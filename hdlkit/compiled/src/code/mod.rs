//! Code generation for a design: clusters of nodes, placement of values, and instructions.

mod activity;
mod edge;
mod emit;
mod functions;
mod groups;
mod layout;
mod packs;
mod program;
mod vectors;

pub(crate) use layout::size;
pub(crate) use program::{compile, Program};
