//! Design: a circuit's kernels as one graph of words, without hierarchy.

mod elaborate;
mod execute;
mod gates;
pub(crate) mod graph;
mod parts;
mod resolve;
pub(crate) mod tables;
mod target;

pub(crate) use elaborate::elaborate;
pub(crate) use graph::mask;
pub(crate) use parts::{field, words_of, Design, Initial, Memory, Register, Source, Word};
pub use target::Target;
