//! Parts without machine code: memories, and blocks with Verilog written by hand.

use rust_hdl_core::prelude::VCDValue;
use std::any::Any;

/// A block that compiled code calls.
pub trait Called {
    /// Reads the inputs from `words`, settles, and writes the outputs there.
    fn settle(&mut self, words: &mut [u64]);
    /// Reads the inputs and does the clock edge. If the edge changed something, returns true, with the outputs of the
    /// next cycle in `words`.
    fn tick(&mut self, words: &mut [u64]) -> bool;
    /// Writes the current outputs to `words`.
    fn outputs(&self, words: &mut [u64]);
    /// A copy of the block with its state.
    fn copy(&self) -> Box<dyn Called + Send>;
    /// The block itself, for a debugger that knows its type.
    fn block(&self) -> &dyn Any;
    /// The block itself, to change its state.
    fn block_mut(&mut self) -> &mut dyn Any;
}

/// A leaf of the circuit without a kernel. A block that steps by the cycle becomes one through [`Primitive::opaque`] or
/// [`Primitive::combinational`].
pub struct Primitive(pub Kind);

/// The kind of a [`Primitive`].
pub enum Kind {
    /// A memory: its words, and the data at each registered read port.
    Memory(Vec<VCDValue>, Vec<VCDValue>),
    /// Like `Memory`, with plain words.
    Registered(Vec<u64>, Vec<u64>),
    /// A block that compiled code calls, and the inputs that its outputs follow.
    Opaque(Box<dyn Called + Send>, Follows),
}

/// The inputs that a block's outputs follow within the cycle.
#[derive(Clone, Copy)]
pub enum Follows {
    /// All inputs; the block has no state.
    All,
    /// The inputs with these names; arrays by the array's name.
    Only(&'static [&'static str]),
}
