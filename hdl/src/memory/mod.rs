//! The memories of an SM.

pub mod coalescer;
pub mod constant;
pub mod global;
pub mod instruction;
pub mod lane_ram;
pub mod port_arbiter;
pub mod shared;
