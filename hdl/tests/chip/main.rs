//! Tests of the whole chip: the lint, rust-hdl's own simulator, the block scheduler with its SMs, and all blocks
//! against their Verilog.

mod block_scheduler;
mod cosim;
mod lint;
mod simulation;
