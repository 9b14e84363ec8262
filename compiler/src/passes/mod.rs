//! Passes over the representation and what they find out about it.

pub mod addresses;
pub mod bits;
pub mod copies;
pub mod divergence;
pub mod flow;
pub mod fold;
pub mod fused;
pub mod live;
pub mod loops;
pub mod regions;
pub mod simplify;
pub mod sink;
pub mod spaces;
pub mod structure;
pub mod thread;
