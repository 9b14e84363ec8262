//! Kernels in OpenCL C for an SM 1.0 GPU, by way of the PTX that clang emits.
//!
//! - [`ptx`]: PTX text to a syntax tree, and the tree back to text.

pub mod ptx;
