//! SM 1.0 (NVIDIA G80) machine code as **one declarative table**, [`table::ROWS`], and what follows from it:
//!
//! - [`decode`] and [`encode`]: instruction words to typed [`Instruction`]s and back;
//! - the disassembler: an [`Instruction`]'s `Display`, in the style of the vendor's tool.
//!
//! This crate is data and functions about encodings and text; what an operation computes is the business of others.

mod field;
mod instruction;
mod operation;
mod print;
pub mod table;

pub use field::Field;
pub use instruction::{decode, encode, DecodeError, Instruction};
pub use operation::*;
pub use table::{Execution, Form, Row, Unit};
