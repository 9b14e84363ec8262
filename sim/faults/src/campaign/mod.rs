//! Campaigns: samples of faults, plans, shards, and the folder of plan, faults and results.

pub mod folder;
pub mod plan;
pub mod sample;
pub mod shard;

pub use folder::Campaign;
pub use plan::Plan;
pub use sample::{Models, OfGoldenModel, Sample};
pub use shard::Shard;
