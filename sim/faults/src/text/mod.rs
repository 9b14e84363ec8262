//! Text of files and messages: CSV, names, numbers, errors.

pub(crate) mod cells;
pub mod error;
pub(crate) mod named;
pub(crate) mod names;
pub mod numbers;
