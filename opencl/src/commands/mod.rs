//! Commands: kernels, and transfers of bytes.

pub mod image;
pub mod launch;
pub mod map;
mod print;
pub mod region;
pub mod transfer;
