//! OpenCL's objects, and the calls that create and query them.

pub mod buffer;
pub mod contents;
pub mod context;
pub mod device;
pub mod event;
pub mod image;
pub mod images;
pub mod kernel;
pub mod program;
pub mod progress;
pub mod queue;
pub mod storage;
