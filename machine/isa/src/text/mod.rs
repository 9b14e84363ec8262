//! Instructions as text: the disassembler, the assembler, and syntax colouring for editors.

pub(crate) mod assembler;
pub(crate) mod bytes;
mod expression;
pub mod grammar;
pub(crate) mod layout;
mod operand;
mod piece;
pub(crate) mod print;
mod statement;
pub(crate) mod suggestions;
