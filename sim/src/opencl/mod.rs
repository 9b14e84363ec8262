//! Kernels in OpenCL C: compiled from a file, with arguments and results as the command line has them.

pub mod argument;
pub mod compare;
pub mod element;
pub mod error;
pub mod npy;
mod npy_header;
pub mod source;
