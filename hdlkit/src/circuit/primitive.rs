//! Parts that the compiler leaves in Rust: memories, and blocks whose Verilog is written by hand.

use rust_hdl_core::prelude::VCDValue;
use std::any::Any;

/// A block that compiled code calls.
pub trait Called {
    /// Reads the inputs from `words`, settles, and writes the outputs there.
    fn settle(&mut self, words: &mut [u64]);
    /// Reads the inputs and does the clock edge. If the edge changed something, returns true with the outputs of the next
    /// cycle.
    fn tick(&mut self, words: &mut [u64]) -> bool;
    /// Writes the present outputs to `words`.
    fn outputs(&self, words: &mut [u64]);
    /// A copy with its state.
    fn copy(&self) -> Box<dyn Called + Send>;
    /// The block itself, for a debugger that knows its type and looks into it.
    fn block(&self) -> &dyn Any;
    /// The same, to change what it holds.
    fn block_mut(&mut self) -> &mut dyn Any;
}

/// A leaf of the circuit that has no kernel. A block that steps by the cycle becomes one through [`Primitive::opaque`] or
/// [`Primitive::combinational`].
pub struct Primitive(pub Kind);

/// The kind of a [`Primitive`].
pub enum Kind {
    /// A memory with these words, and the data at each registered read port.
    Memory(Vec<VCDValue>, Vec<VCDValue>),
    /// The same of plain words.
    Registered(Vec<u64>, Vec<u64>),
    /// A block that is called, and the inputs that its outputs follow.
    Opaque(Box<dyn Called + Send>, Follows),
}

/// The inputs that a block's outputs follow within the cycle.
#[derive(Clone, Copy)]
pub enum Follows {
    /// All; there is no state.
    All,
    /// Those of these names; arrays by the array's name.
    Only(&'static [&'static str]),
}
