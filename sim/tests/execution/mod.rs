//! What instructions do: kernels of a few lines on the circuits, checked by what they leave in memory.

mod control_flow;
mod instructions;
mod local_memory;
mod multiple_sms;
mod unaligned;
mod vhdl_faults;
mod wild_kernels;
