//! G80 arithmetic, to the bit, as pure functions on `u32` with condition codes.
//!
//! This is the one place that says what a number operation of the machine gives. The golden model calls these
//! functions; the circuits are compared with them. They are written from the specification of the G80's arithmetic
//! and tested against its vectors, never from a circuit, and know nothing of instructions, registers or warps.
//!
//! * [`integer`]: addition, multiplication, shifts, logic, comparison, integer conversion.
//!
//! Every function is total: any bits in, defined bits out, no panic.

pub mod integer;

mod condition;

pub use condition::{Cc, Flagged, Width};
