//! Stuck-at faults of the gates of a unit: a block of the circuits, as [`hdlkit::gates`] has it.
//!
//! ```text
//! Unit ──> FaultList ────────────┐
//!  └─ with recorded inputs ──> Golden ──> simulate ──> detections
//!      Stimulus                golden.rs  simulation.rs, group.rs
//! ```
//! [`FaultList`] has both faults of every pin of every gate, flip-flop and port, and says which of them are equivalent and
//! which can have no effect. [`Golden`] is the unit without a fault: its outputs have to be those that the circuits had in the
//! same run. [`simulate`] has a machine for each fault, with the same inputs in every cycle: what a fault does to the rest of the
//! circuits does not come back to the unit.

pub mod classes;
mod constants;
mod counts;
pub mod golden;
pub mod grade;
mod group;
pub mod list;
pub mod results;
pub mod simulation;
mod tables;

pub use counts::UnitCounts;
pub use golden::{Golden, Stimulus, Unlike};
pub use group::Window;
pub use list::{Counts, FaultList, Untestable};
pub use simulation::{excited, simulate, Detection, Options};
