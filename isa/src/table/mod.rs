//! **The table**: every SM 1.0 instruction as one [`Row`] of data, and what rows are made of.

pub mod control;
pub(crate) mod field;
pub mod ignored;
pub mod manual;
mod rows;

pub use rows::*;
