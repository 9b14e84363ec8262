//! Compiled kernels, run on the golden model, against PTX run thread by thread.

mod calls;
mod clang;
mod code;
mod flow;
mod fuzz;
mod harness;
mod kernels;
mod operations;
mod reference;
mod spills;
mod structured;
mod text;
