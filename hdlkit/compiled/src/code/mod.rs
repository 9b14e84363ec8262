//! Code generation for a design: clusters of nodes, placement of values, and instructions.

mod activity;
mod arms;
mod chunks;
mod edge;
mod emit;
mod flags;
mod functions;
mod groups;
mod layout;
mod memo;
mod order;
mod packs;
mod program;
mod vectors;

pub(crate) use flags::Flags;
pub(crate) use program::{compile, Function, Program};
