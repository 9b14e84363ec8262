//! The circuits themselves as engines, stepped in this process.
//!
//! Start reading at [`rtl`], which chooses: [`compiled`] compiles the circuits to machine code, [`kernels`] runs their
//! kernels themselves. [`test_bench`] is the host and the memory around any of them; `ports` is its view of them, cycle
//! by cycle; [`snapshot`] is all of a run at one of them. `simulation` (a feature, for tests and measurements) runs them under rust-hdl's own `Simulation`.

pub mod compiled;
pub(crate) mod core;
pub mod kernels;
mod last_issue;
pub mod machine_code;
pub(crate) mod ports;
pub mod rtl;
#[cfg(feature = "simulation")]
pub mod simulation;
pub mod snapshot;
pub mod surroundings;
pub mod test_bench;
