//! The G80 streaming multiprocessor as `rust-hdl` circuits.

pub mod arbiter;
pub mod bundles;
pub mod decode;
pub mod execute;
pub mod fetch;
pub mod host_map;
pub mod predicate_file;
pub mod register_file;
pub mod scoreboard;
pub mod warp_scheduler;
