//! Compiled kernels, run on the golden model, against PTX run thread by thread.

mod calls;
mod clang;
mod code;
mod depth;
mod flow;
mod fuzz;
mod harness;
mod kernels;
mod limits;
mod operations;
mod reference;
mod spills;
mod structured;
mod text;
