//! Words as text, and back.
//!
//! - [`number`]: numbers as text.
//! - [`mod@print`], [`parse`]: a word as text, and back.
//! - [`listing`]: whole programs; `ground`: discovery of code in them; [`functions`]: programs of several functions.
//! - [`control`]: NVIDIA's control codes.

pub mod control;
pub mod functions;
mod ground;
pub mod listing;
pub mod number;
pub mod parse;
pub mod print;
