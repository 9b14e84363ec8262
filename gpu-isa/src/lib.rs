//! Machine code of other GPUs as tables: decode, encode, print, assemble, explain, all from one table of data for each
//! instruction set.
//!
//! - [`set`]: the data types of a table.
//! - [`index`]: finds the row of a word.
//! - [`cover`]: how much of the word space the rows cover, and that no two contend for a word.
//! - [`number`]: numbers as text.
//! - `walk`: the one walk over a row's pieces that printing, parsing and explaining share.
//! - [`print`], [`parse`]: a word as text, and back.
//! - [`listing`]: whole programs.
//! - [`sets`]: the tables, nothing but data.

pub mod cover;
pub mod index;
pub mod listing;
pub mod number;
pub mod parse;
pub mod print;
pub mod set;
pub mod sets;
mod walk;

pub use listing::{Decoded, Kind, Line, Listed};
pub use parse::{ParseError, Word};
pub use set::Set;
pub use sets::{set, sets};
