//! From code to issue: fetch, decode, the warp scheduler with its scoreboard and credits.

pub mod credits;
pub mod decode;
pub mod fetch;
pub mod scoreboard;
pub mod warp_scheduler;
