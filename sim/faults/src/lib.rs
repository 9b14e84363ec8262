//! Fault-injection campaigns on the GPU's circuits and its golden model: everything about them except the simulation.
//!
//! ```text
//!  sites ── sample ──> faults ── simulation (elsewhere) ──> rows ── statistics ──> report
//!  site.rs  sample.rs  fault.rs                             row.rs  statistics/    report/
//!             └─ plan.rs ─┴──────── campaign.rs ──────────────┘
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

#![warn(missing_docs)]

pub mod campaign;
mod cells;
pub mod error;
pub mod fault;
pub mod gates;
pub mod law;
mod named;
pub mod numbers;
pub mod outcome;
pub mod parameters;
#[cfg(feature = "parquet")]
pub mod parquet;
mod pattern;
pub mod plan;
pub mod report;
pub mod row;
pub mod sample;
pub mod shard;
pub mod site;
pub mod sites;
pub mod statistics;
#[cfg(test)]
mod testing;

pub use campaign::Campaign;
pub use error::Error;
pub use fault::{Engine, Fault, Model};
pub use law::PowerLaw;
pub use outcome::Outcome;
pub use parameters::Parameters;
pub use plan::Plan;
pub use row::{FirstRecord, Row};
pub use sample::{Models, OfGoldenModel, Sample};
pub use shard::Shard;
pub use site::{Kind, Site, Storage};
pub use sites::Sites;
