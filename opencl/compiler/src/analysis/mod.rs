//! Analyses of the intermediate representation, and of any graph of blocks.

pub mod bits;
pub mod divergence;
pub mod flow;
pub mod live;
pub mod loops;
pub mod regions;
pub mod stack;
