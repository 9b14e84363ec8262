//! What rust-hdl 0.46 lacks and any rust-hdl project could use. Knows nothing of GPUs.
//!
//! - [`bits`]: fast `Bits<N>` and `WideBits<N>` that `#[hdl_gen]` kernels take.
//! - [`cycle`]: the cycle engine: a single-clock design stepped by the clock cycle, skipping what did not change.
//! - [`kernel`]: a kernel's syntax as data.
//! - [`structure`]: what a circuit consists of, for all that looks at it.
//! - [`blank`]: defaults for blocks with constants and generic arrays.
//! - [`signal`]: small `Signal`s, and the register `DFF` of them.
//! - [`memory`]: RAMs as blocks, with true initial contents and attributes for synthesis.
//! - [`verilog`]: readable Verilog, one module per distinct body, every operand at the right width.
//! - [`lint`]: kernels that would simulate differently from their Verilog, found without simulating.
//! - [`primitive`]: what stays Rust when the rest becomes machine code: memories, blocks that are called.
//! - [`ecp5`]: yosys's script for an ECP5.
//! - [`wave`]: VCD files, cut to scopes and cycles.
//!
//! Machine code of the circuits, and their co-simulation with their own Verilog, are in `hdlkit-compiled`: what only describes
//! and exports circuits is built without a compiler.
//!
//! Kernels start with `use hdlkit::prelude::*`, which is rust-hdl's prelude with `Bits`, `Signal` and `DFF` in place
//! of its own.

pub mod bits;
pub mod circuit;
pub mod ecp5;
pub mod engine;
pub mod kernel;
pub mod lint;
pub mod memory;
pub mod verilog;
pub mod waves;

pub use circuit::{Blank, Leaf, Ports, Primitive, Structure, Visitor};
pub use engine::{Activity, Circuit, Cycle, CycleEngine};
pub use hdlkit_macros::{hdl_gen, Blank, Cycle, CycleInterface, Ports, Structure};

// The derives name `::hdlkit`, also inside this crate.
extern crate self as hdlkit;

/// Everything that a file with circuits needs.
pub mod prelude {
    pub use crate::bits::{
        bit_cast, bit_cast_narrow, bit_cast_wide, bit_cast_within_wide, bits, clog2, Bits, ToBits, WideBits,
    };
    pub use crate::circuit::{Blank, Directed, Leaf, Ports, Primitive, Signal, Structure, DFF};
    pub use crate::comment;
    pub use crate::dff_setup;
    pub use crate::engine::{Activity, Cycle, CycleEngine};
    pub use crate::memory::{BlockRam, BlockRam3R, LutRam, LutRam2R};
    pub use hdlkit_macros::{hdl_gen, Blank, Cycle, CycleInterface, Ports, Structure};
    pub use rust_hdl_core::clock;
    pub use rust_hdl_core::prelude::*;
}
