//! Divergent control flow.

mod depth;
mod graphs;
mod structured;
