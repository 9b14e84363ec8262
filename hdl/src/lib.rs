//! The G80 streaming multiprocessor as `rust-hdl` circuits.
//!
//! One file or folder per stage; `gpgpu` is the whole chip. How they work together: `docs/pipeline.md`.

// Kernel conditions are one operator deep, because only those export exactly; deeper conditions are nested.
#![allow(clippy::collapsible_if, clippy::collapsible_match)]

pub mod arbiter;
pub mod big_stack;
pub mod board;
pub mod bundles;
pub mod bus;
pub mod chip;
pub mod control;
pub mod execute;
pub mod foreign;
pub mod issue;
pub mod memory;
pub mod operands;
pub mod ports;
pub mod streaming_multiprocessor;
pub mod tops;
pub mod trace;
