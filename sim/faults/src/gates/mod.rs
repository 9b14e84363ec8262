//! Stuck-at faults of the gates of a unit, a block of the circuits as defined in [`hdlkit::gates`].
//!
//! ```text
//! Unit ──> FaultList ────────────┐
//!  └─ with recorded inputs ──> Golden ──> simulate ──> detections
//!      Stimulus                golden.rs  simulation.rs, group.rs
//! ```
//! [`FaultList`] has both faults of every pin of every gate, flip-flop and port, with equivalent and untestable faults.
//! [`Golden`] is the unit without a fault; its outputs must equal the outputs of the circuits in the same run.
//! [`simulate`] simulates a machine for each fault, with the same inputs in every cycle: effects of a fault on the rest
//! of the circuits are not fed back into the unit.

pub mod classes;
mod constants;
mod counts;
pub mod golden;
pub mod grade;
mod group;
pub mod journal;
pub mod list;
pub mod results;
pub mod simulation;
mod tables;

pub use counts::UnitCounts;
pub use golden::{Golden, Stimulus, Unlike};
pub use group::Window;
pub use list::{Counts, FaultList, Untestable};
pub use simulation::{excited, simulate, simulate_groups, Detection, Options};
