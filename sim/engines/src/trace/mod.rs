//! Observing a machine while it runs: records, the ending of a run, and the comparison of records with the golden
//! model.
//!
//! [`flexgrip_trace`] assembles records from the circuits' events; [`lockstep`] checks them against the golden model.
//! Both are independent of the engine that runs the machine; see [`engines`](crate::engines).

pub mod ending;
pub mod file;
pub mod lockstep;

pub use flexgrip_trace::{assembler, error, records, times};
