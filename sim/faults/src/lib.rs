//! Fault-injection campaigns on the GPU's circuits and its golden model: everything about them except the simulation.
//!
//! ```text
//!  sites ── sample ──> faults ── simulation (elsewhere) ──> rows ── statistics ──> report
//!  sites/     │        fault.rs                             results/ statistics/   report/
//!             └─ plan ────┴───────── campaign/ ──────────────┘
//! ```
//!
//! A [`Site`] is a register or memory of the circuits. A [`Fault`] flips bits of a site in one cycle, or forces them
//! for many cycles. A [`Plan`] specifies the kernel, the circuits and the faults; [`Sample`] draws the faults. Each
//! simulated fault gives a [`Row`] with its [`Outcome`]. A [`Campaign`] stores all of this in a folder, in shards if
//! several processes share the work. [`report`](report::report) turns it into one HTML page and CSV tables.
//!
//! [`gates`] handles stuck-at faults of the gates of a unit. It also simulates them: with recorded inputs, a unit can
//! be simulated without the rest of the machine.
//!
//! Files are read with errors that name file, line and column. No input makes this crate panic.

#![warn(missing_docs, clippy::unwrap_used)]

pub mod campaign;
pub mod fault;
pub mod gates;
pub mod models;
pub mod report;
pub mod results;
pub mod sites;
pub mod statistics;
#[cfg(test)]
mod testing;
pub mod text;

pub use campaign::{Campaign, Models, OfGoldenModel, Plan, Sample, Shard};
pub use fault::Fault;
pub use models::{Engine, Model, Parameters, PowerLaw};
pub use results::{FirstRecord, Outcome, Row};
pub use sites::{Kind, Site, Sites, Storage};
pub use text::error::Error;
