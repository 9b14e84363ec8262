//! Commands: kernel launches and transfers.

pub mod image;
pub mod launch;
pub mod map;
mod print;
pub mod region;
pub mod transfer;
