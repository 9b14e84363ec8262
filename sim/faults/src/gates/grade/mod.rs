//! Grades a kernel as a self-test: the stuck-at faults of a unit that it detects, and the first instruction to detect
//! each.
//!
//! [`GradedFault`] is the result of one prime fault, [`Grade`] the results of all, [`Summary`] the coverage.

mod files;
mod graded;
mod summary;

pub use graded::{First, Grade, GradedFault, InstructionRow, Observe, ProgramLine, Status};
pub use summary::{Coverage, Number, Summary};

#[cfg(test)]
mod tests;
