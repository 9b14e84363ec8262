//! Tests of global memory: the unit of an SM, the arbiter between SMs, the atomic unit, and the bridges to buses; of the locks
//! of shared memory, and of the check bits of protected memories.

mod atomic_unit;
mod axi;
mod check_bits;
mod global_memory;
mod locks;
mod memory_port;
mod port_arbiter;
mod wishbone;
