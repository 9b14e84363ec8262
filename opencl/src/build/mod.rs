//! Building: from OpenCL C or a binary to kernels in machine code.

pub mod binary;
pub mod compiler;
pub mod module;
