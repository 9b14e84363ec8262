//! Runs SM 1.0 kernels: on the golden model, on the circuits, and on the circuits' Verilog.
//!
//! pub use list follows
mod big_stack;
pub mod board;
pub mod engines;
pub mod error;
pub mod files;
pub mod fuzz;
pub mod isa_commands;
pub mod numbers;
pub mod outside;
pub mod performance;
pub mod progress;
pub mod report;
pub mod trace;
pub mod waves;
