//! The circuits themselves as engines, stepped in this process.
//!
//! A reader starts at [`rtl`], which chooses: [`compiled`] makes machine code of the circuits, [`kernels`] runs them as they are
//! written. [`test_bench`] is the host and the memory around any of them, `ports` what it sees of them, cycle by cycle.
//! `simulation` (a feature, for tests and measurements) runs them under rust-hdl's own `Simulation`.

pub mod compiled;
mod core;
pub mod kernels;
pub(crate) mod machine_code;
mod ports;
pub mod rtl;
#[cfg(feature = "simulation")]
pub mod simulation;
pub mod test_bench;
