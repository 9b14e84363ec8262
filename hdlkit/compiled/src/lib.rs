//! The compiled engine: a circuit's kernels as machine code, for long runs.
//!
//! The cycle engine runs kernels as they are, block by block, and checks in every pass what has changed. This engine
//! takes the same kernels as the Verilog export, dissolves the hierarchy, folds constants, and compiles the rest to code
//! that computes a whole cycle in one go: each signal once, in order, skipping those that depend on nothing that has
//! changed. Parts without a kernel stay Rust: memories, and blocks whose Verilog is written by hand.
//!
//! | step | folder |
//! |---|---|
//! | from kernels to one graph of words and operations | `design` |
//! | which nodes are computed together, and when; their machine code | `code` |
//! | state, memories, and blocks that are called | `machine` |
//! | faults by the thousand, each as what differs from the good machine | `concurrent` |
//! | co-simulation of all of these and Verilog | [`cosim`] |
//!
//! It starts from the circuit's present state, registers and memories included, so it can take over from the cycle engine
//! between two cycles. It shows the top block's outputs, its registers and memories, and those inner signals that it was
//! compiled to show.
//! A test holds the two engines together.

#![warn(missing_docs)]

mod code;
mod concurrent;
pub mod cosim;
mod design;
mod error;
pub mod gates;
mod machine;

pub use concurrent::{Concurrent, Effect, Faulty, Next, Target};
pub use error::CompileError;
pub use machine::{port_places, Code, FlipFlop, MachineCode, MemoryShape, PortPlaces};

/// The README's code, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
