//! Machine code for a design: which nodes are computed together, where values are kept, and the instructions.

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
