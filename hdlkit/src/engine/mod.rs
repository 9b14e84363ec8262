//! The cycle engine: steps a single-clock design one clock cycle at a time.
//!
//! rust-hdl's `Simulation` evaluates every block in every pass of every clock edge. A design with one clock needs only
//! two steps:
//!
//! ```text
//! settle   combinational logic to its fixed point; a block with unchanged inputs and state is skipped
//! tick     the rising edge: every register loads its input, every memory does its access
//! ```
//!
//! [`#[circuit]`](macro@crate::circuit) gives a block these two steps. Written out it is `#[derive(Cycle)]` with
//! `#[derive(LogicBlock)]` and a field `_activity: Activity`, in which the engine records whether the block has work to
//! do. `#[derive(CycleInterface)]` does the same for a `LogicInterface`. Leaves with state (registers, memories)
//! implement [`Cycle`] by hand.
//!
//! The exported kernels are the simulated ones; a test checks this engine against `Simulation`.

mod called;
mod cycle;
mod run;

pub use cycle::{does_not_settle, Activity, Cycle, PASS_LIMIT};
pub use run::{Circuit, CycleEngine};
