//! Tests of cycles, rates and counters.

mod baselines;
mod counters;
mod cycle_table;
mod pipeline_bars;
