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
//! - [`explain`]: a word bit by bit.
//! - [`reference`]: the book's pages.
//! - [`isa`]: what the commands see of a set.
//! - [`sets`]: the tables, nothing but data.

pub mod cover;
pub mod explain;
pub mod index;
pub mod isa;
pub mod listing;
pub mod number;
pub mod parse;
pub mod print;
pub mod reference;
pub mod set;
pub mod sets;
mod walk;

pub use isa::InstructionSet;
pub use listing::{Decoded, Kind, Line, Listed};
pub use parse::{ParseError, Word};
pub use set::Set;
pub use sets::{set, sets};
