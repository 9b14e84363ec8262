//! Runs the same kernels on several engines, chips and forms of the circuits, which must agree.

mod board;
mod buses;
mod engines;
mod faults;
mod fuzz;
mod gate_faults;
mod gates;
mod grading;
mod idle;
mod instruction_faults;
mod known_flips;
mod opencl_kernels;
mod plain_verilog;
mod protection;
mod pruning;
#[cfg(feature = "simulation")]
mod simulation;
#[cfg(feature = "soak")]
mod verilog_faults;
