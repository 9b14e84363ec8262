//! The chip around the streaming multiprocessors: the host's interface, what hands out blocks, counters, and the whole.

pub mod block_scheduler;
pub mod clock_register;
pub mod counters;
pub mod gpgpu;
pub mod host_interface;
