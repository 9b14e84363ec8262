//! The tests of `flexgrip-sim` as one program: linked once, with the machine's code and its Verilog compiled once, and
//! the long tests running in parallel. The tests of one file: `cargo test -p flexgrip-sim --test sim engines::`.

mod common;

mod architecture;
mod bad_input;
mod baselines;
mod board;
mod buses;
mod control_flow;
mod counters;
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
mod pipeline_bars;
mod plain_verilog;
mod program_files;
#[cfg(feature = "simulation")]
mod simulation;
mod unaligned;
mod vhdl_faults;
mod waves;
mod wild_kernels;
