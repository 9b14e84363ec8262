//! Formats numbers for people.

pub use flexgrip_faults::text::numbers::{counted, grouped};
