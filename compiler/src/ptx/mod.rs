//! PTX text and its syntax tree.
//!
//! The syntax is that of NVIDIA's *Parallel Thread Execution ISA*. Any mnemonic with any modifiers is accepted: what SM 1.0
//! lacks is refused by a later stage, which knows why.

pub mod ast;
