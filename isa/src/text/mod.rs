//! Instructions as text: the disassembler, the assembler, and colours for editors.

pub(crate) mod assembler;
pub(crate) mod expression;
pub mod grammar;
pub(crate) mod layout;
pub(crate) mod print;
pub(crate) mod statement;
