//! Results of faults: outcomes, and rows of files.

pub mod outcome;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod row;

pub use outcome::Outcome;
pub use row::{FirstRecord, Row};
