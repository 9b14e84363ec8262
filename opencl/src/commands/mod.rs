//! What is enqueued: kernels, and bytes that move.

pub mod launch;
pub mod map;
pub mod region;
pub mod transfer;
