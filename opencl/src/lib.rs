//! OpenCL on SM 1.0 to 1.3: the driver `libflexgrip_opencl.so`, which OpenCL's loader finds by an `.icd` file.
//!
//! ```text
//! abi        C: the dispatch table and its functions
//! registry   handles; error, info: codes, answers to queries
//! objects    platform and devices, contexts, queues, events, buffers, programs, kernels
//! commands   what is enqueued: launches, transfers, mappings
//! build      OpenCL C and binaries to machine code
//! engine     golden model, circuits, Verilator
//! native     pointers of the application, its callbacks, signals
//! interrupt  Ctrl-C while a call waits, and reports of long kernels
//! ```
//! A call enters in `abi`, becomes safe Rust there, and is checked and executed in the module of its object or command.
//! Commands run on the thread of their queue.

#![warn(missing_docs, clippy::unwrap_used)]

pub mod abi;
pub mod build;
pub mod commands;
pub mod engine;
pub mod error;
pub mod info;
pub mod interrupt;
pub mod native;
pub mod objects;
pub mod registry;
