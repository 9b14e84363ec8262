//! Analyses of the intermediate representation, and of graphs of blocks in general.

pub mod bits;
pub mod divergence;
pub mod flow;
pub mod live;
pub mod loops;
pub mod regions;
pub mod stack;
