//! Pointers and callbacks that the application passes to the driver, and the signals of the process.
//!
//! These modules and [`abi`](crate::abi) contain all unsafe code of the driver. All other modules are safe Rust.

pub mod callback;
pub mod pointer;
pub mod signal;
