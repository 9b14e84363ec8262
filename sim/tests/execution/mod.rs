//! Tests the effects of instructions: kernels of a few lines on the circuits, checked by the memory that they leave.

mod capability;
mod control_flow;
mod doubles;
mod instructions;
mod local_memory;
mod locks;
mod multiple_sms;
mod shared_memory;
mod unaligned;
mod vhdl_faults;
mod wild_kernels;
