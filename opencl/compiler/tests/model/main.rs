//! Compiled kernels on the golden model, against an interpreter of PTX.

mod calls;
mod code;
mod flow;
mod harness;
mod kernels;
mod limits;
mod operations;
mod reading;
mod reference;
mod spills;
