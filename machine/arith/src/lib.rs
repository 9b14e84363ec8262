//! Bit-exact arithmetic of the G80, and the additions of compute capabilities 1.1 to 1.3, as pure functions on `u32`
//! and `u64` with condition codes.
//!
//! This is the only definition of the machine's arithmetic. The golden model calls these functions; the circuits are
//! compared with them. They are written from the specification of the G80's arithmetic and tested against its vectors,
//! never from a circuit, and are independent of instructions, registers and warps.
//!
//! * [`integer`]: addition, multiplication, shifts, logic, comparison, integer conversion.
//! * [`float`]: float addition, multiplication, comparison, selection.
//! * [`convert`]: between floats and integers, and between floats.
//! * [`special`]: reciprocal, roots, logarithm, sine, cosine, powers of two, and the range reduction before them.
//! * [`double`]: double-precision arithmetic and conversions (1.3).
//! * [`atomic`]: atomic operations on memory (1.1; of 64 bits 1.2).
//!
//! Every function is total: any bits in, defined bits out, no panic.

#![warn(missing_docs, clippy::unwrap_used)]

pub mod atomic;
pub mod convert;
pub mod double;
pub mod float;
pub mod integer;
pub mod special;

mod condition;
mod number;
mod rounding;

pub use condition::{Cc, Flagged, Width};
