//! Compiled kernels, run on the golden model, against PTX run thread by thread.

mod calls;
mod clang;
mod code;
mod flow;
mod harness;
mod kernels;
mod operations;
mod reference;
mod spills;
mod structured;
