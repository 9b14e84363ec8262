//! The time that kernels take, measured and predicted.
//!
//! Start reading at [`counters`], the account of each SM's cycles. [`prediction`] predicts cycles without a clock,
//! [`accesses`] counts memory transactions by instruction, and [`scaling`] compares measurement and prediction over
//! lanes, warps, SMs and memory latency.

pub mod accesses;
pub mod counters;
pub mod prediction;
pub mod scaling;
