//! The makings of a circuit and how to inspect it: signals and registers, structure, words, leaves without a kernel.
//!
//! [`#[circuit]`](macro@crate::circuit) on a struct makes it one; how its clock reaches its parts is [`Clocked`].

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
