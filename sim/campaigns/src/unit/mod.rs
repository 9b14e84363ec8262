//! A unit: a block of the circuits as gates, with stuck-at faults of its pins.
//!
//! [`unit`] converts a block of the machine to gates. [`pins`] has the faults of its pins, and injects them into the
//! whole machine, in which the gates replace the unit's circuit.

pub mod error;
mod gates;
pub mod pins;

pub use gates::{unit, FOLDER};
