//! The C interface, which contains all unsafe code of the driver. All other modules are safe Rust.

pub mod callback;
pub mod calls;
pub mod creations;
pub mod entry;
pub mod images;
pub mod pointer;
pub mod refuse;
pub mod signal;
pub mod table;
