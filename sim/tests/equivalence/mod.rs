//! Runs the same kernels on several engines, chips and forms of the circuits, which must agree.

mod board;
mod buses;
mod engines;
mod fuzz;
mod gates;
mod idle;
mod opencl_kernels;
mod plain_verilog;
#[cfg(feature = "simulation")]
mod simulation;
