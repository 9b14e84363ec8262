//! Front end for kernels: parsed, resolved and typed, for the exporter, the lint, waves and machine code.
//!
//! | step | file |
//! |---|---|
//! | the syntax, from the text that `hdl_gen` makes of a kernel | [`syntax`], `syntax/notation` |
//! | the clocks that `#[circuit]` connects | `syntax/clocks` |
//! | the syntax in rust-hdl's types, for rust-hdl | `syntax/rust_hdl` |
//! | signals, children and kernels of every block | [`scope`] |
//! | layouts and values | [`shape`] |
//! | the meaning of a name in a kernel | [`resolve`] |
//! | expressions with widths | [`expression`], `translate`, `functions` |
//! | statements, loops unrolled | [`statement`], [`unroll`](mod@unroll) |
//! | `if` and `match` | `choices` |
//! | locals while loops are unrolled | `locals` |
//! | calls of functions and parts replaced by their statements | `inline` |
//! | statements as their author wrote them, for messages | [`source_text`](syntax::source_text) |
//!
//! A statement that a kernel does not support is an error at its line.
//!
//! ```compile_fail
//! use hdlkit::prelude::*;
//!
//! #[circuit]
//! struct Half {
//!     pub value: Signal<In, Bits<8>>,
//!     pub half: Signal<Out, Bits<8>>,
//! }
//!
//! impl Logic for Half {
//!     #[hdl_gen]
//!     fn update(&mut self) {
//!         while self.half.val() > self.value.val() {} // unsupported statement in an HDL kernel
//!         self.half.next = self.value.val() >> 1;
//!     }
//! }
//! ```

mod choices;
pub mod expression;
mod functions;
mod index;
mod inline;
mod locals;
pub mod resolve;
pub mod scope;
pub mod shape;
pub mod statement;
pub mod syntax;
pub(crate) mod translate;
pub mod unroll;

pub use rust_hdl_core::ast::Verilog;
pub use rust_hdl_core::logic::{
    logic_connect_fn as connect, logic_connect_join_fn as connect_join, logic_connect_link_fn as connect_link,
};
pub use syntax::notation::{
    has_kernel, no_parts, read, read_function, type_of, Constant, Known, Link, OfConstant, OfSynth, PartSyntax, Probe,
    Text,
};

/// A comment in a kernel that the export keeps: `comment!("Stall while the port is busy");`.
#[macro_export]
macro_rules! comment {
    ($text:literal) => {};
}
