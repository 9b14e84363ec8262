//! Blocks with Verilog written by hand: memories, and blocks that are faster as a Rust function than as a kernel.
//!
//! `#[derive(Leaf)]` generates everything that follows from the fields: committing inputs before an edge, publishing
//! outputs, and the hooks of rust-hdl's simulator and of the compiled engine. The author writes only the three methods
//! of [`Leaf`].
//!
//! ```
//! use hdlkit::prelude::*;
//!
//! /// `twice` is double the value of `value` at the last edge, masked by the present `mask`.
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
//! An error that simulation would not show does not compile: an output that follows an input, without the field that
//! requests the update.
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

use super::blank::Blank;

/// The author's description of a block that has `#[derive(Leaf)]`.
///
/// | attribute | the block |
/// |---|---|
/// | none | has registered outputs only, set by [`edge`](Leaf::edge) |
/// | `#[leaf(follows(a, b))]` | has outputs that follow the inputs `a` and `b`, and its state, within the cycle; needs a field `_stale: Stale` |
/// | `#[leaf(combinational)]` | has no clock: its outputs follow all inputs; needs a field `_stale: Stale` |
/// | `memory`, with one of these | is compiled as the memory that `fn primitive(&self) -> Primitive` returns; named as in the next row |
/// | `named_by_place`, with one of these | serves many purposes: its Verilog module is named for the surrounding block and the field |
pub trait Leaf {
    /// The rising clock edge, with the current inputs. True if an output or a register changed, or if another edge with
    /// the same inputs would change one.
    fn edge(&mut self) -> bool {
        false
    }
    /// Sets the outputs that follow inputs within the cycle.
    fn follow(&mut self) {}
    /// The body of the Verilog module.
    fn verilog(&self) -> String;
}

/// True if [`Leaf::follow`] must run: an input that it follows changed, or the last edge changed something. Initially
/// true.
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
