//! Memories as blocks that synthesis maps to block RAM or distributed RAM, simulated over a `Vec`.
//!
//! rust-hdl's own memories live in a `BTreeMap` and take their initial contents from it. These have true initial
//! contents (zero, or a given list), attributes for synthesis, and support both rust-hdl's simulation and the cycle
//! engine.
//!
//! | block | read | ports | for |
//! |---|---|---|---|
//! | [`BlockRam`] | next cycle | 1R1W, lanes of write enables, read enable | data memories, one lane's bank |
//! | [`BlockRam3R`] | next cycle | 3R1W, lanes of write enables, read enable | register files |
//! | [`BundleRam`] | next cycle | 1R1W, read enable | records, queues |
//! | [`LutRam`] | same cycle | 1R1W | small state |
//! | [`LutRam2R`] | same cycle | 2R1W | small state, read by two stages |
//!
//! A read in the cycle of a write to the same address returns the old contents. Addresses wrap at the depth. An FPGA's
//! block RAM does not guarantee the old contents, so synthesis adds a comparator and a bypass. A `collision_free` block
//! RAM has neither; with the macro [`POISON`] its Verilog then reads garbage, which exposes any use of it.

mod block_ram;
mod collision;
mod contents;
mod lut_ram;

pub use block_ram::{BlockRam, BlockRam3R, BundleRam};
pub use collision::{collision_free_read, garbage, BLOCK_COLLISION_FREE, POISON};
pub use lut_ram::{LutRam, LutRam2R};
