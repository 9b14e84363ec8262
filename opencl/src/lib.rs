//! OpenCL 1.0 on SM 1.0: the driver `libflexgrip_opencl.so`, which OpenCL's loader finds by an `.icd` file.
//!
//! ```text
//! abi       C: the dispatch table and its functions, pointers of the application, its callbacks
//! registry  handles; error, info: codes, answers to queries
//! device    the platform and its devices; engine: what runs their kernels
//! context, queue, event, buffer, program, kernel    OpenCL's objects and the calls that concern them
//! transfer, map, launch    what is enqueued; region: boxes
//! module    a built program; binary: its container
//! ```
//! A call enters in `abi`, becomes safe Rust there, and is checked and done in the module of its object. Commands run on
//! the thread of their queue.
#![deny(unsafe_code)]

pub mod abi;
pub mod binary;
pub mod buffer;
pub mod context;
pub mod device;
pub mod engine;
pub mod error;
pub mod event;
pub mod info;
pub mod kernel;
pub mod launch;
pub mod map;
pub mod module;
pub mod program;
pub mod queue;
pub mod region;
pub mod registry;
pub mod transfer;
