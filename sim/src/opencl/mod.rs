//! Kernels in OpenCL C: compiled from a file, with arguments and results in the forms of the command line.

pub mod argument;
pub mod compare;
pub mod element;
pub mod error;
pub mod npy;
mod npy_header;
pub mod printed;
pub mod source;
