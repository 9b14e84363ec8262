//! The components of a circuit and their inspection: signals and registers, structure, words, leaves without a kernel.
//!
//! [`#[circuit]`](macro@crate::circuit) makes a struct with named fields a circuit with a kernel. It expands to
//! `#[derive(LogicBlock, Cycle, Blank)]`, the field `_activity: Activity` that `Cycle` needs, and the clock.
//!
//! The port `pub clock: Signal<In, Clock>` is connected to every part that has a clock: registers, memories, blocks,
//! and arrays of these. A register keeps its value unless the kernel assigns its `d`. So the kernel needs neither
//! `dff_setup!` nor `clock!`; if it has them, nothing changes.
//!
//! ```
//! use hdlkit::prelude::*;
//!
//! /// The value two cycles before.
//! #[circuit]
//! struct Delay {
//!     pub clock: Signal<In, Clock>,
//!     pub value: Signal<In, Bits<8>>,
//!     pub earlier: Signal<Out, Bits<8>>,
//!     held: [DFF<Bits<8>>; 2],
//! }
//!
//! impl Logic for Delay {
//!     #[hdl_gen]
//!     fn update(&mut self) {
//!         self.held[0].d.next = self.value.val();
//!         self.held[1].d.next = self.held[0].q.val();
//!         self.earlier.next = self.held[1].q.val();
//!     }
//! }
//!
//! let mut engine = CycleEngine::new(Box::new(Delay::default()));
//! engine.block.value.next = bits(7);
//! for earlier in [0, 0, 7] {
//!     engine.settle();
//!     assert_eq!(engine.block.earlier.val(), earlier);
//!     engine.tick();
//! }
//! ```
//!
//! A part that is not blank at power-up, or is a list, is declared with its value: `#[blank(LutRam::new(contents))]`.
//! The value may refer to constants such as `Self::COUNT`.
//!
//! The attribute must be before other derives, such as `#[derive(Clone, Debug)]`: they must see the field that it adds.
//! A constructor that names every field names `_activity: Activity::default()` too, or ends in `..Default::default()`.
//!
//! A part with a clock in a circuit without one does not compile.
//!
//! ```compile_fail,E0277
//! use hdlkit::prelude::*;
//!
//! #[circuit]
//! struct Held {
//!     pub value: Signal<Out, Bit>,
//!     held: [DFF<Bit>; 2],
//! }
//!
//! impl Logic for Held {
//!     #[hdl_gen]
//!     fn update(&mut self) {
//!         self.value.next = self.held[0].q.val();
//!     }
//! }
//! ```

mod array;
mod blank;
mod clocks;
mod leaf;
mod primitive;
mod signal;
mod structure;
mod words;

pub use array::SignalArray;
pub use blank::Blank;
pub use clocks::{without_clock, Clocked, ClockedPart, Clockless, Clocks, OwnClocks};
pub use leaf::{Leaf, Stale};
pub use primitive::{Called, Follows, Kind, Primitive};
pub use signal::{Copied, Directed, Kept, Registered, Signal, Uncopied, DFF};
pub use structure::{Structure, Visitor};
pub use words::{Ports, Words};
