//! The ISA reference, generated from the table: a page for each instruction with all its forms, as Markdown for the
//! book and as plain text for the terminal, and the accompanying pages.
//!
//! `make docs` writes the book's pages; a test compares the committed files with this module's output.
//!
//! [`crate::explain`] is also here: a single word bit by bit.

mod book;
mod diagram;
mod document;
pub(crate) mod explain;
mod names;
mod page;

pub use book::{files, summary_list, File, BOOK_FOLDER};
pub use names::{heading, instructions};
pub use page::{example, text_overview, text_page, UnknownInstruction};
