//! The compiled engine: a circuit's kernels as machine code, for long runs.
//!
//! The cycle engine runs kernels as they are, block by block, and checks for changes in every pass. This engine takes
//! the same kernels as the Verilog export, flattens the hierarchy, folds constants, and compiles the result to code
//! that computes a whole cycle in one pass: each signal once, in order, skipping signals that depend on no changed
//! value. Parts without a kernel stay Rust: memories, and blocks with Verilog written by hand.
//!
//! | step | folder |
//! |---|---|
//! | from kernels to one graph of words and operations | `design` |
//! | clusters of nodes that are computed together; their machine code | `code` |
//! | state, memories, and blocks that are called | `machine` |
//! | concurrent fault simulation, each fault as differences from the good machine | `concurrent` |
//! | co-simulation of all of these and Verilog | [`cosim`] |
//!
//! It starts from the circuit's current state, registers and memories included, so it can take over from the cycle
//! engine between two cycles. It shows the top block's outputs, its registers and memories, and those inner signals
//! that it was compiled to show. A test compares the two engines.

#![warn(missing_docs, clippy::unwrap_used)]

mod code;
mod concurrent;
pub mod cosim;
mod design;
mod error;
pub mod gates;
mod machine;

pub use code::Counts;
pub use concurrent::{Concurrent, Effect, Faulty, MemoryUse, Next};
pub use design::Target;
pub use error::CompileError;
pub use machine::{port_places, Code, FlipFlop, MachineCode, MemoryShape, PortPlaces};

/// The README's code, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
