//! Readable Verilog-2005 from rust-hdl circuits.
//!
//! rust-hdl's own export writes one module per instance, under names with `$`, with copies of every clock, and computes
//! some expressions at Verilog's widths instead of Rust's. This export visits the same public syntax and writes Verilog
//! in the style of hand-written code: one module per distinct body, flip-flops as registers of the surrounding module,
//! plain assignments for unconditional logic, and every operand at the width that makes Verilog compute the same as
//! Rust.
//!
//! | step | file |
//! |---|---|
//! | a kernel parsed, resolved and typed | [`kernel`](crate::kernel) |
//! | independent parts of a kernel | `group` |
//! | signals for expressions without a direct form | `lower` |
//! | text of expressions and lines | `print` |
//! | a module's names, logic, always blocks, parts and registers | `writer`, `logic`, `procedure`, `parts` |
//! | text that is written by hand | `handwritten` |
//! | a module; all of them | `module`, `export` |
//!
//! Anything that cannot be expressed exactly is an error that names block, statement and reason; nothing is exported
//! then.

mod export;
mod group;
mod handwritten;
mod logic;
mod lower;
mod module;
pub mod names;
mod parts;
mod print;
mod procedure;
mod writer;

pub use crate::kernel::unroll::Problem;
pub use export::{export, ExportError, ExportOptions, OfPath};
pub(crate) use module::NO_KERNEL;
