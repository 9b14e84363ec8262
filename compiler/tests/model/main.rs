//! Compiled kernels, run on the golden model, against PTX run thread by thread.

mod calls;
mod flow;
mod harness;
mod kernels;
mod reference;
mod spills;
