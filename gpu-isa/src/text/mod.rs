//! Words as text, and back.
//!
//! - [`mod@print`], [`parse`]: a word as text, and back.
//! - [`failure`]: errors of texts that are not instructions.
//! - [`decode`]: the next word of a program; `ground`: discovery of code in programs.
//! - [`listing`]: whole programs; `comments` in them; [`functions`]: programs of several functions.
//! - [`control`]: NVIDIA's control codes.

mod comments;
pub mod control;
pub mod decode;
pub mod failure;
pub mod functions;
mod ground;
pub mod listed;
pub mod listing;
pub mod parse;
pub mod print;
