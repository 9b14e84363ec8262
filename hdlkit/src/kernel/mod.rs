//! Kernels read, resolved and typed: the input of the exporter, the lint, waves and machine code.
//!
//! | step | file |
//! |---|---|
//! | the syntax, from the text that `hdl_gen` makes of a kernel | `notation` |
//! | signals, children and kernels of every block | [`scope`] |
//! | layouts and values | [`shape`] |
//! | the meaning of a name in a kernel | [`resolve`] |
//! | expressions with widths | [`expression`], `translate` |
//! | statements, loops unrolled | [`statement`], [`unroll`](mod@unroll) |
//! | statements as their author wrote them, for messages | [`source_text`] |

pub mod expression;
mod index;
mod notation;
pub mod resolve;
pub mod scope;
pub mod shape;
pub mod source_text;
pub mod statement;
pub(crate) mod translate;
pub mod unroll;

pub(crate) use index::Loops;
pub use notation::{no_parts, read, Link, Part};
pub use rust_hdl_core::ast::Verilog;
pub use rust_hdl_core::logic::{
    logic_connect_fn as connect, logic_connect_join_fn as connect_join, logic_connect_link_fn as connect_link,
};

/// A comment in a kernel that the export keeps: `comment!("Stall while the port is busy");`.
#[macro_export]
macro_rules! comment {
    ($text:literal) => {};
}
