//! The front end of an SM: instruction fetch, decode, and the warp scheduler with its scoreboard and credits.

pub mod credits;
pub mod decode;
pub mod fetch;
pub mod scoreboard;
pub mod warp_scheduler;
