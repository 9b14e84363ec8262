//! Blocks whose Verilog is written by hand: memories, and what is faster as a Rust function than as a kernel.
//!
//! `#[derive(Leaf)]` writes all that follows from the fields: which inputs are taken over before an edge, which outputs are
//! published, what rust-hdl's simulator and the compiled engine call. Left to the author are the three methods of [`Leaf`].
//!
//! ```
//! use hdlkit::prelude::*;
//!
//! /// `twice` is what `value` was at the last edge, twice, as far as `mask` lets it through now.
//! #[derive(Clone, Debug, LogicBlock, Leaf, Ports, Blank)]
//! #[leaf(follows(mask))]
//! pub struct Doubler {
//!     pub clock: Signal<In, Clock>,
//!     pub value: Signal<In, Bits<16>>,
//!     pub mask: Signal<In, Bits<16>>,
//!     pub twice: Signal<Out, Bits<16>>,
//!     _held: Bits<16>,
//!     _stale: Stale,
//! }
//!
//! impl Leaf for Doubler {
//!     fn edge(&mut self) -> bool {
//!         let before = std::mem::replace(&mut self._held, self.value.val() + self.value.val());
//!         self._held != before
//!     }
//!     fn follow(&mut self) {
//!         self.twice.next = self._held & self.mask.val();
//!     }
//!     fn verilog(&self) -> String {
//!         "reg [15:0] held;\ninitial held = 16'd0;\nassign twice = held & mask;\n\
//!          always @(posedge clock)\n    held <= value + value;\n".into()
//!     }
//! }
//! ```
//!
//! What would go unseen in a simulation does not compile: an output that follows an input, without the memory of when to.
//!
//! ```compile_fail
//! use hdlkit::prelude::*;
//!
//! #[derive(Clone, Debug, LogicBlock, Leaf, Ports, Blank)]
//! #[leaf(follows(mask))]
//! pub struct Masked {
//!     pub clock: Signal<In, Clock>,
//!     pub mask: Signal<In, Bits<16>>,
//!     pub masked: Signal<Out, Bits<16>>,
//! }
//! # impl Leaf for Masked {
//! #     fn verilog(&self) -> String { String::new() }
//! # }
//! ```

use super::Blank;

/// What a block's author says of it, beside `#[derive(Leaf)]`.
///
/// | attribute | the block |
/// |---|---|
/// | none | has registered outputs only, which [`edge`](Leaf::edge) sets |
/// | `#[leaf(follows(a, b))]` | has outputs that follow the inputs `a` and `b`, and its state, within the cycle; needs a field `_stale: Stale` |
/// | `#[leaf(combinational)]` | has no clock: its outputs follow all inputs; needs a field `_stale: Stale` |
/// | `memory`, beside one of these | is a memory to the compiled engine: a method `fn primitive(&self) -> Primitive` says which. Named by place |
/// | `named_by_place`, beside one of these | serves many purposes: its Verilog module is named for the block that it is in, and its name there |
pub trait Leaf {
    /// The rising clock edge, with the inputs as they stand. True if an output or a register changed, or another such edge
    /// would change one.
    fn edge(&mut self) -> bool {
        false
    }
    /// Sets the outputs that follow inputs within the cycle.
    fn follow(&mut self) {}
    /// The body of its Verilog module.
    fn verilog(&self) -> String;
}

/// Whether [`Leaf::follow`] must run: inputs that it follows moved, or the last edge changed something. At first it must.
#[derive(Clone, Copy, Debug)]
pub struct Stale(pub bool);

impl Default for Stale {
    fn default() -> Self {
        Stale(true)
    }
}

impl Blank for Stale {
    fn blank() -> Self {
        Stale::default()
    }
}
