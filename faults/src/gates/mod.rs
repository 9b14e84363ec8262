//! Stuck-at faults of the gates of a unit: a block of the circuits, as [`hdlkit::gates`] has it.
//!
//! [`FaultList`] has both faults of every pin of every gate, flip-flop and port, and says which of them are equivalent and
//! which can have no effect.

mod constants;
pub mod list;

pub use list::{Counts, Fault, FaultList, Pin, Untestable};
