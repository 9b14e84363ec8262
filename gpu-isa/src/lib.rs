//! Machine code of other GPUs as tables: decode, encode, print, assemble, explain, all from one table of data for each
//! instruction set.
//!
//! - [`mod@row`]: the data types of a table's rows; [`mod@set`]: a set with its table, and the lookups in it.
//! - [`mod@vector`]: operands of vector machines.
//! - [`index`]: finds the row of a word.
//! - [`cover`]: the share of the word space that rows match, and the check that no two match one word.
//! - `walk`: the traversal of a row's pieces that printing, parsing and explaining share.
//! - [`text`]: numbers, words and whole programs as text, and back.
//! - [`circuit`]: the specification of a set's decoder circuit.
//! - [`gxp`]: compiled shaders of the PS Vita.
//! - [`mod@reference`]: the book's pages; a word bit by bit.
//! - [`isa`]: the interface of a set for the commands.
//! - [`mod@sets`]: the tables, which are only data.

#![warn(missing_docs, clippy::unwrap_used)]

pub mod circuit;
pub mod cover;
pub mod field;
pub mod gxp;
pub mod index;
pub mod isa;
pub mod number;
pub mod reference;
pub mod row;
pub mod set;
pub mod sets;
pub mod text;
pub mod vector;
mod walk;

pub use isa::InstructionSet;
pub use set::Set;
pub use sets::{of_architecture, set, set_names, sets};
pub use text::control::{lines::control_lines, Notation};
pub use text::decode::Decoded;
pub use text::failure::ParseError;
pub use text::functions::{Assembled, Function};
pub use text::listed::{Kind, Line, Listed};
pub use text::parse::Word;
