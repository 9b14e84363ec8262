//! A circuit that runs as machine code: its state, its memories, and the blocks that are called.

mod called;
mod code;
mod flip_flops;
mod idle;
mod inspect;
mod machine_code;
mod period;
mod ports;
mod shadow;
pub(crate) mod snapshot;
mod state;
mod words;

pub use code::Code;
pub use inspect::{FlipFlop, MemoryShape};
pub use machine_code::MachineCode;
pub use ports::{port_places, PortPlaces};
pub(crate) use shadow::{Deviation, Shadow};
