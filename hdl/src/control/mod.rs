//! Control flow: the branch unit with its divergence stack, and barriers.

pub mod barrier;
pub mod branch;
pub mod divergence_stack;
