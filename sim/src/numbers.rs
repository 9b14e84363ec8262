//! Formats numbers for people.

pub use flexgrip_faults::numbers::{counted, grouped};
