//! The tests of `flexgrip-sim` as a single program: it is linked once, the machine's code and Verilog are compiled
//! once, and long tests run in parallel. To run the tests of a file: `cargo test -p flexgrip-sim --test sim engines::`.

mod common;

mod commands;
mod debugger;
mod equivalence;
mod execution;
mod faults;
mod files;
mod performance;
