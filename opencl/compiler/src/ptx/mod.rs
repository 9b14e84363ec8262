//! Parser and printer of PTX.
//!
//! The syntax follows NVIDIA's *Parallel Thread Execution ISA*. Any mnemonic with any modifiers is accepted: a later
//! stage refuses instructions that SM 1.0 lacks, and gives the reason.
//!
//! ```
//! use flexgrip_compiler::ptx::ast::{Item, Statement};
//! use flexgrip_compiler::ptx::parse;
//!
//! let module = parse(".version 4.2 .target sm_20 .address_size 32 .visible .entry k() { exit; }")?;
//! let Item::Function(kernel) = &module.items[0] else { panic!() };
//! assert_eq!((kernel.name.text, kernel.entry), ("k", true));
//!
//! let error = parse(".visible .entry k() { mov.u32 %r1 %tid.x; }").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "1:35: expected `,` or `;`, found `%tid.x`
//!     .visible .entry k() { mov.u32 %r1 %tid.x; }
//!                                       ^^^^^^"
//! );
//! # Ok::<(), flexgrip_compiler::ptx::Error>(())
//! ```

pub mod ast;
mod cursor;
mod error;
mod lexer;
mod names;
mod operand;
mod parser;
mod print;
mod statement;

pub use error::{Error, ErrorKind};
pub use names::is_special;
pub use parser::parse;
