//! Words as text, and back.
//!
//! - [`number`]: numbers as text.
//! - [`mod@print`], [`parse`]: a word as text, and back.
//! - [`listing`]: whole programs; [`functions`]: those of several functions.
//! - [`control`]: NVIDIA's control codes in them.

pub mod control;
pub mod functions;
pub mod listing;
pub mod number;
pub mod parse;
pub mod print;
