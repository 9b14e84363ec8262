//! The way into a system on chip: bridges between the chip's own ports and standard buses, chips with them, and for test
//! benches monitors that hold a bus to its rules and slaves to answer it. Port tables and timing: `docs/integration.md`.

pub mod axi4_lite_slave;
pub mod axi4_master;
pub mod gpgpu_axi;
pub mod gpgpu_wishbone;
pub mod monitor;
pub mod ports;
pub mod slave;
pub mod wishbone_master;
