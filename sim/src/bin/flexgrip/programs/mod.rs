//! Subcommands for programs and instructions, as text and as words.

pub mod asm;
pub mod compile;
pub mod disasm;
pub mod explain;
pub mod isa;
