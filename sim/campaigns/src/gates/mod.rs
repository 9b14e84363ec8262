//! Stuck-at faults of the gates of a unit, with inputs recorded while a kernel runs on the circuits.
//!
//! [`record`](record::record) runs a kernel and records the unit's ports, and [`windows`](windows::windows) finds the
//! cycles of a warp's instructions in the unit. [`run`](campaign::run) simulates faults with both; the simulation
//! itself is in the crate `flexgrip-faults`.

pub mod campaign;
pub mod record;
pub mod windows;
mod words;
