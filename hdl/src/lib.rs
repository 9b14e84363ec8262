//! The G80 streaming multiprocessor as `rust-hdl` circuits.
//!
//! `docs/pipeline.md` describes the pipeline, `docs/reading.md` an order for reading. From the outside in:
//!
//! - [`tops`]: every circuit that can be exported, in every size; [`board`] and [`bus`]: the chip on a board and on
//!   standard buses; [`chip`]: the chip, with host interface, block scheduler and counters.
//! - [`streaming_multiprocessor`]: an SM. Its stages: [`issue`] (fetch, decode, warp scheduler, scoreboard),
//!   [`operands`] (registers, predicates, operand collector, read), [`execute`] (integer, float and special function
//!   units, writeback), [`control`] (branches, divergence stack, barriers), [`memory`] (shared, constant and
//!   instruction memory, the global memory unit with its coalescer).
//! - Shared: [`bundles`] of signals between stages, [`stage_ports`] between them, [`ports`] of several circuits, the
//!   [`trace`] ports of an SM, [`arbiter`], [`count`]; [`parameters`]: sizes, compute capability and protection.
//! - [`big_stack`]: a thread with a stack large enough to build a circuit.

#![warn(clippy::unwrap_used)]

pub mod arbiter;
pub mod big_stack;
pub mod board;
pub mod bundles;
pub mod bus;
pub mod chip;
pub mod control;
pub mod count;
pub mod execute;
pub mod issue;
pub mod memory;
pub mod operands;
mod optional;
pub mod parameters;
pub mod ports;
pub mod stage_ports;
pub mod streaming_multiprocessor;
pub mod tops;
pub mod trace;
