//! The circuits themselves as engines, stepped in this process.
//!
//! Start reading at [`rtl`], which chooses: [`compiled`] compiles the circuits to machine code, [`kernels`] runs their
//! kernels themselves. [`test_bench`] is the host and the memory around any of them; `ports` is its view of them, cycle
//! by cycle. `simulation` (a feature, for tests and measurements) runs them under rust-hdl's own `Simulation`.

pub mod compiled;
mod core;
pub mod kernels;
pub(crate) mod machine_code;
pub(crate) mod ports;
pub mod rtl;
#[cfg(feature = "simulation")]
pub mod simulation;
pub mod test_bench;
