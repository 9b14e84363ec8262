//! Generator of the hardware decoder from the ISA table, in `hdl/src/issue/decode/`: `row.rs`, the requests of a row;
//! `rows.rs`, a kernel that identifies the row of a word; and `lines.rs`, a kernel that drives the units' lines from the
//! word's fields.
//!
//! A row's needs are expressed here as flags: a few that follow from its slots (`uses_a`, `shared_a`, ...), its control
//! (`table.rs`), and the conditions that make a word of it undefined. If the table needs a feature that the hand-written
//! part of the decoder does not have, the generator stops with a message that names the row.
//!
//! No program depends on this package: its test compares the three files with the generator's output, and
//! `cargo xtask update reference` makes the test write them.

#![warn(missing_docs, clippy::unwrap_used)]

mod control;
mod entries;
mod entry;
mod flags;
mod lines;
mod operands;
mod row_kernel;
mod rows;
mod source;
mod table;
mod words;

pub use lines::{lines_file, LINES_PATH};
pub use rows::{row_file, rows_file, ROWS_PATH, ROW_PATH};
