//! Random kernels in OpenCL C, executed by the compiler and the golden model, and by the CPU's OpenCL driver: all
//! buffers must be equal, bit for bit. A kernel that shows a difference is reduced and written to a file.
//!
//! ```text
//! generate   a number ──> a kernel as a tree
//! compare    several kernels ──> runs on both implementations, differences
//! shrink     a kernel that differs ──> a smaller one
//! report     a kernel that differs ──> a file
//! workers    processes on all cores: a driver that crashes ends only one of them
//! ```

#![warn(missing_docs, clippy::unwrap_used)]

pub mod compare;
pub mod generate;
pub mod report;
pub mod shrink;
pub mod tree;
pub mod types;
pub mod workers;
