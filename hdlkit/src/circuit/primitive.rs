//! What the compiler takes from Rust as it is: memories, and blocks whose Verilog is written by hand.

use rust_hdl_core::prelude::VCDValue;

/// A block that compiled code calls.
pub trait Called {
    /// Takes the inputs from `words`, settles, and puts the outputs there.
    fn settle(&mut self, words: &mut [u64]);
    /// Takes the inputs and does the clock edge; if it changed something, true, and the outputs are those of the next
    /// cycle.
    fn tick(&mut self, words: &mut [u64]) -> bool;
    /// Puts the outputs as they are into `words`.
    fn outputs(&self, words: &mut [u64]);
}

/// A leaf of the circuit that is not computed from a kernel. What steps by the cycle becomes one by
/// [`Primitive::opaque`] or [`Primitive::combinational`].
pub struct Primitive(pub Kind);

/// What a [`Primitive`] is.
pub enum Kind {
    /// A memory with these words.
    Memory(Vec<VCDValue>),
    /// A memory of plain words with registered read data: its words, and what each read port shows.
    Registered(Vec<u64>, Vec<u64>),
    /// A block that is called, and what its outputs follow.
    Opaque(Box<dyn Called + Send>, Follows),
}

/// Which of a block's inputs its outputs follow within the cycle.
#[derive(Clone, Copy)]
pub enum Follows {
    /// All; there is no state.
    All,
    /// Those of these names; of an array its name.
    Only(&'static [&'static str]),
}
