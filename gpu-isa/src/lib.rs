//! Machine code of other GPUs as tables: decode, encode, print, assemble, explain, all from one table of data for each
//! instruction set.
//!
//! - [`set`]: the data types of a table.
//! - [`index`]: finds the row of a word.

pub mod index;
pub mod set;

pub use set::Set;
