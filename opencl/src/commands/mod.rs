//! Commands: kernels, and transfers of bytes.

pub mod launch;
pub mod map;
pub mod region;
pub mod transfer;
