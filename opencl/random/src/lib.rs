//! Random kernels in OpenCL C, run by our compiler on the golden model and by the processor's own OpenCL: all buffers must be
//! the same, bit for bit. A kernel that shows a difference is made smaller and written to a file.
//!
//! ```text
//! generate   a number ──> kernel, as a tree
//! compare    several kernels ──> both implementations, what differs
//! shrink     a kernel that differs ──> a smaller one
//! report     ──> a file with it
//! workers    programs of their own on all cores; a driver that crashes takes one of them down
//! ```

pub mod compare;
pub mod generate;
pub mod report;
pub mod shrink;
pub mod tree;
pub mod types;
pub mod workers;
