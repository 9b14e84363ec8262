//! Cycles, rates and counters.

mod baselines;
mod counters;
mod pipeline_bars;
