//! The compiled engine: a circuit's kernels as machine code, for long runs.
//!
//! The cycle engine runs kernels as they are, block by block, and looks in every pass at what has changed. This one takes
//! the same kernels as the Verilog export does, dissolves the hierarchy, computes what is constant once, and compiles the
//! rest to code that computes every signal of a cycle in one go, in an order in which each is computed once, but for those
//! that follow nothing that has changed. What has no kernel stays what it is in Rust: memories, and blocks whose Verilog is
//! written by hand.
//!
//! | step | folder |
//! |---|---|
//! | from kernels to one graph of words and operations | `design` |
//! | what has to be computed together, and when; machine code of it | `code` |
//! | state, memories, and blocks that are called | `machine` |
//! | all of that, and Verilog, held together | [`cosim`] |
//!
//! It starts from the circuit as it is, registers and memories included, so that it can take over from the cycle engine
//! between two cycles. It shows the outputs of the top block, and of what is inside the signals that it was made to show, for
//! waves. A test holds the two together.

#![warn(missing_docs)]

mod code;
pub mod cosim;
mod design;
mod error;
mod machine;

pub use error::CompileError;
pub use machine::{port_places, Code, MachineCode, PortPlaces};

/// The code in the README, which is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
