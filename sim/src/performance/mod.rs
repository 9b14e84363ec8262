//! How long kernels take, and why.
//!
//! Start reading at [`counters`]: where the cycles of each SM went. [`prediction`] predicts cycles without a clock,
//! [`scaling`] measures and predicts side by side, over lanes, warps, SMs and memory latency.

pub mod counters;
pub mod prediction;
pub mod scaling;
