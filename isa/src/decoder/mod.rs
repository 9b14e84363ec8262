//! The rows of the hardware's decoder, written from the table.

mod rows;

pub use rows::*;
