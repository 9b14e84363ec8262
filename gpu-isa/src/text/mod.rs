//! Words as text, and back.
//!
//! - [`number`]: numbers as text.
//! - [`mod@print`], [`parse`]: a word as text, and back.
//! - [`listing`]: whole programs; `ground`: where in them code stands.

mod ground;
pub mod listing;
pub mod number;
pub mod parse;
pub mod print;
