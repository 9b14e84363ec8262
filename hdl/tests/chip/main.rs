//! The chip as a whole: its lint, rust-hdl's own simulator, the block scheduler over its SMs, and all blocks against their
//! Verilog.

mod block_scheduler;
mod cosim;
mod lint;
mod simulation;
