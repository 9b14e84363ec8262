//! The tests of `flexgrip-sim`, as one program: linked once, the machine's code and its Verilog compiled once, and long
//! tests in parallel. To run one file's tests: `cargo test -p flexgrip-sim --test sim engines::`.

mod common;

mod commands;
mod debugger;
mod equivalence;
mod execution;
mod files;
mod performance;
