//! Integration into a system on chip: bridges between the chip's own ports and standard buses, and chips that include
//! them. Port tables and timing: `docs/integration.md`. Monitors and a memory for tests are in `testbench/`.

pub mod axi4_lite_slave;
pub mod axi4_master;
pub mod gpgpu_axi;
pub mod gpgpu_wishbone;
pub mod wishbone_master;
