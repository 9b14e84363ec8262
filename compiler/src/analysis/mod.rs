//! What is found out about the representation, and about any graph of blocks.

pub mod bits;
pub mod divergence;
pub mod flow;
pub mod live;
pub mod loops;
pub mod regions;
pub mod stack;
