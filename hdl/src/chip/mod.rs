//! The chip around the streaming multiprocessors: host interface, block scheduler, counters, and the top level.

pub mod block_scheduler;
pub mod clock_register;
pub mod counters;
pub mod gpgpu;
pub mod host_interface;
