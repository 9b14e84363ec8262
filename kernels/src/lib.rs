//! The project's own kernel suite: for each kernel its launch, its inputs, and its expected results in global memory.
//!
//! A plain function computes each kernel's results from its purpose, for the whole array or thread by thread. Nothing
//! is taken from a model or a simulation, and this crate depends on neither. `kernel.sass` in a kernel's folder is
//! written by hand; all other files there, except `sobel`'s picture, are generated from here by `generate-kernels` (see
//! [`files`]). Everything is deterministic: random words come from seeds in the source ([`random`]).

#![warn(missing_docs, clippy::unwrap_used)]

pub mod files;
pub mod random;

mod g80;
mod kernel;
mod memory;
mod pgm;
mod suite;

pub use kernel::{Kernel, Tolerance};
pub use memory::CANARY;
pub use suite::KERNELS;
