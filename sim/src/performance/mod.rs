//! How long kernels take, and why.
//!
//! A reader starts at [`counters`]: where the cycles of each SM went. [`prediction`] says what a kernel takes without a clock,
//! [`scaling`] measures and predicts side by side, over lanes, warps, SMs and the memory's latency.

pub mod counters;
pub mod prediction;
pub mod scaling;
