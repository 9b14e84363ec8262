//! Tests of global memory: the unit of an SM, the arbiter between SMs, the atomic unit, and the bridges to buses.

mod atomic_unit;
mod axi;
mod global_memory;
mod memory_port;
mod port_arbiter;
mod wishbone;
