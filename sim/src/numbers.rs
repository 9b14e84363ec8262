//! Numbers formatted for people.

pub use flexgrip_faults::numbers::{counted, grouped};
