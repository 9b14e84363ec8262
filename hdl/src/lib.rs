//! The G80 streaming multiprocessor as `rust-hdl` circuits.
//!
//! One file a stage; `gpgpu` is the whole chip. How they work together: `docs/pipeline.md`.

// A kernel's conditions stay one operator deep, which is what exports exactly; nesting says the same.
#![allow(clippy::collapsible_if, clippy::collapsible_match)]

pub mod arbiter;
pub mod barrier;
pub mod big_stack;
pub mod block_scheduler;
pub mod board;
pub mod bundles;
pub mod bus;
pub mod clock_register;
pub mod counters;
pub mod decode;
pub mod divergence_stack;
pub mod execute;
pub mod fetch;
pub mod gpgpu;
pub mod host_interface;
pub mod memory;
pub mod operand_collector;
pub mod predicate_file;
pub mod read;
pub mod register_file;
pub mod scoreboard;
pub mod streaming_multiprocessor;
pub mod tops;
pub mod trace;
pub mod warp_scheduler;
pub mod writeback;
