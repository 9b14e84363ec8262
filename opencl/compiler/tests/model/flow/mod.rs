//! Divergent control flow.

mod barriers;
mod depth;
mod graphs;
mod structured;
