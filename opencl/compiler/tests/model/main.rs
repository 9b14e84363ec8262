//! Compiled kernels, run on the golden model, against PTX run thread by thread.

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
