//! The G80 streaming multiprocessor as `rust-hdl` circuits.

pub mod bundles;
pub mod host_map;
