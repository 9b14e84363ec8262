//! Machine code for a design: what is computed together, where it is kept, and the instructions.

mod activity;
mod emit;
mod groups;
mod layout;
mod program;

pub(crate) use groups::{group_of_port, groups};
pub(crate) use layout::size;
pub(crate) use program::{compile, Program};
