//! The table of instructions: the parts of a row, and all rows.
//!
//! ```text
//! field ──> slot ──────┐           ┌──> rows: the table of capability 1.0
//! pattern, manual ─────┼──> row ──> parts
//!   └─────> fields ────────────────┴──> later: rows that capabilities 1.1 to 1.3 add
//! ```

mod absent;
mod capability;
pub(crate) mod field;
pub mod fields;
pub mod ignored;
mod later;
pub mod manual;
mod parts;
mod pattern;
mod row;
mod rows;
mod slot;

pub use absent::{Absent, ABSENT};
pub use capability::{Capability, UnknownCapability};
pub use later::LATER_ROWS;
pub use pattern::{Form, Pattern};
pub use row::{Execution, Guard, Row, Suffix, Unit, CC_ENABLE, CC_REGISTER, CONDITION, CONDITION_REGISTER, MARKER};
pub use rows::{ROWS, SPECIAL_REGISTERS};
pub use slot::{IndirectFields, Location, Mark, Role, Slot};
use std::ops::RangeInclusive;

/// All rows, each with the capabilities that have it: [`ROWS`], which begin at 1.0, then [`LATER_ROWS`].
pub(crate) fn rows_with_capabilities() -> impl Iterator<Item = (&'static Row, RangeInclusive<Capability>)> + Clone {
    let early = ROWS.iter().map(|row| (row, Capability::V1_0..=row.until));
    early.chain(LATER_ROWS.iter().map(|row| (row, row.since..=row.until)))
}

/// The rows of the instructions of a machine of this capability.
pub fn rows_at(capability: Capability) -> impl Iterator<Item = &'static Row> + Clone {
    rows_with_capabilities().filter_map(move |(row, has)| has.contains(&capability).then_some(row))
}

/// The rows of all capabilities: [`ROWS`], then [`LATER_ROWS`].
pub fn all_rows() -> impl Iterator<Item = &'static Row> + Clone {
    ROWS.iter().chain(LATER_ROWS)
}
