//! Subcommands that run kernels, or random programs, on engines.

pub mod dap;
pub mod debug;
pub mod fuzz;
pub mod job;
pub mod lockstep;
pub mod results;
pub mod run;
mod screen;
pub mod source;
