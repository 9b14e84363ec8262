//! Text of files and messages: CSV, names, errors.

pub(crate) mod cells;
pub mod error;
pub(crate) mod named;
pub(crate) mod names;
