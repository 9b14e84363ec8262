//! The driver through its C entry points, as OpenCL's loader calls them. All in one program: the platform is the process's.
#![allow(unsafe_code, reason = "the driver's entry points are C functions")]

mod buffers;
mod check;
mod driver;
mod events;
mod faults;
mod fuzz;
mod images;
mod kernels;
mod objects;
mod platform;
mod printf;
mod programs;
mod regions;

// The calls, for all files.
use driver::{call, create, info, no_object, ok, refused};
