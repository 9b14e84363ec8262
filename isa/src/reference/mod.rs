//! What is written about instructions: the reference of all of them, and a single word explained.

pub(crate) mod explain;
mod page;

pub use page::*;
