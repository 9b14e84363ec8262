//! The circuits themselves as engines, stepped in this process.
//!
//! Start reading at [`rtl`], which chooses: [`compiled`] compiles the circuits to machine code, [`kernels`] runs their
//! kernels. [`test_bench`] is the host and the memory around either; [`interface`] is its view of a machine, cycle by
//! cycle, and `ports` finds its signals in the circuits; [`snapshot`] is the whole state of a run at the beginning of a
//! cycle. `simulation` (a feature, for tests and measurements) runs the circuits under rust-hdl's own `Simulation`.

pub mod compiled;
pub mod core;
pub mod interface;
pub mod kernels;
mod last_issue;
pub mod machine_code;
pub mod ports;
pub mod rtl;
#[cfg(feature = "simulation")]
pub mod simulation;
pub mod snapshot;
pub mod surroundings;
pub mod test_bench;
