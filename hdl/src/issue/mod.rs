//! From code to issue: fetch, decode, the warp scheduler and its scoreboard.

pub mod decode;
pub mod fetch;
pub mod scoreboard;
pub mod warp_scheduler;
