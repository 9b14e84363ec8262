//! A compiler from OpenCL C to SM 1.0, through the PTX that clang emits.
//!
//! ```text
//! clang    OpenCL C ──> PTX, with OpenCL's functions in it
//! ptx      text ──> syntax tree
//! ir       ──> control-flow graph over virtual registers
//! passes   simplified graph, without copies and dead code
//! analysis divergence, reconvergence regions, loops, liveness, known bits
//! lower    ──> machine IR: operations on virtual words; predicates in condition codes
//! registers ──> register allocation, spilling
//! emit     ──> block layout, typed instructions, program
//! ```
//! A construct that cannot be compiled is a [`CompileError`] with its place. No input may cause a panic or wrong code.

#![warn(missing_docs, clippy::unwrap_used)]

pub mod analysis;
pub mod clang;
mod compiled;
pub mod emit;
pub mod error;
mod index_space;
pub mod ir;
pub mod launch;
mod launch_error;
pub mod lower;
pub mod machine_ir;
mod options;
pub mod passes;
mod pipeline;
pub mod placement;
pub mod printf;
pub mod ptx;
pub mod registers;
#[cfg(test)]
mod testing;

pub use compiled::Compiled;
pub use error::{CompileError, SourceLine, SourceLocation};
pub use flexgrip_isa::{Capability, ConstantBlock, KernelEntry, Program};
pub use options::Options;
pub use pipeline::{compile, compile_with};
