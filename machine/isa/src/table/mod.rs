//! The table of instructions: the parts of a row, and all rows.
//!
//! ```text
//! field ──> slot ──────┐
//! pattern, manual ─────┼──> row ──> rows: the table
//!   └─────> fields ────────────────┘
//! ```

mod absent;
pub(crate) mod field;
pub mod fields;
pub mod ignored;
pub mod manual;
mod pattern;
mod row;
mod rows;
mod slot;

pub use absent::{Absent, ABSENT};
pub use pattern::{Form, Pattern};
pub use row::{
    Capability, Execution, Guard, Row, Suffix, Unit, CC_ENABLE, CC_REGISTER, CONDITION, CONDITION_REGISTER, MARKER,
};
pub use rows::{ROWS, SPECIAL_REGISTERS};
pub use slot::{IndirectFields, Location, Mark, Role, Slot};
