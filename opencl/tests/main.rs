//! The driver through its C entry points, as called by OpenCL's loader. All tests are in one program, because they
//! share the process's platform.
#![allow(unsafe_code, reason = "the driver's entry points are C functions")]

mod capability;
mod check;
mod driver;
mod events;
mod faults;
mod fuzz;
mod images;
mod kernels;
mod memory;
mod objects;
mod platform;
mod printf;
mod programs;

// Macros for calls, used by all files.
use driver::{call, create, info, no_object, ok, refused};
