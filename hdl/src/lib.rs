//! The G80 streaming multiprocessor as `rust-hdl` circuits.
//!
//! How they work together: `docs/pipeline.md`; what to read first: `docs/reading.md`. From the outside in:
//!
//! - [`tops`]: every circuit that can be exported, in all its sizes; [`board`] and [`bus`]: the chip on a board and on
//!   standard buses; [`chip`]: the chip, with host interface, block scheduler and counters.
//! - [`streaming_multiprocessor`]: an SM. Its stages: [`issue`] (fetch, decode, warp scheduler, scoreboard), [`operands`]
//!   (registers, predicates, operand collector, read), [`execute`] (integer, float and special function units, writeback),
//!   [`control`] (branches, divergence stack, barriers), [`memory`] (shared, constant and instruction memory, the global
//!   memory unit with its coalescer).
//! - What they share: [`bundles`] that stages hand over, [`ports`] of several circuits, the [`trace`] of an SM,
//!   [`arbiter`], [`count`].
//! - [`big_stack`]: a thread that is large enough to build a circuit in.

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
pub mod ports;
pub mod streaming_multiprocessor;
pub mod tops;
pub mod trace;
