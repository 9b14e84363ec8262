//! The tests of `flexgrip-sim`, as one program: linked once, the machine's code and its Verilog compiled once, and long
//! tests in parallel. To run one file's tests: `cargo test -p flexgrip-sim --test sim engines::`.

mod common;

mod architecture;
mod bad_input;
mod baselines;
mod board;
mod buses;
mod control_flow;
mod counters;
mod dap;
mod debugging;
mod debugging_verilog;
mod documents;
mod dump;
mod engines;
mod first_steps;
mod fuzz;
mod gates;
mod instructions;
mod isa_cli;
mod local_memory;
mod multiple_sms;
mod opencl;
mod other_sets;
mod pipeline_bars;
mod plain_verilog;
mod program_files;
#[cfg(feature = "simulation")]
mod simulation;
mod terminal;
mod timelines;
mod unaligned;
mod vhdl_faults;
mod waves;
mod wild_kernels;
