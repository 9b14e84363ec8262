//! Extensions to rust-hdl 0.46 for any rust-hdl project, independent of GPUs.
//!
//! From the ground up; each module uses only those listed above it:
//!
//! - [`output`]: files that are written completely or not at all, notes, numbers as text.
//! - [`bits`]: fast `Bits<N>` and `WideBits<N>` that `#[hdl_gen]` kernels accept.
//! - [`mod@circuit`]: the components of a circuit: small `Signal`s, the register `DFF`, structure, and the parts that
//!   stay Rust when the rest becomes machine code.
//! - [`engine`]: the cycle engine, which steps a single-clock design by the clock cycle and skips unchanged blocks.
//! - [`memory`]: RAMs as blocks, with true initial contents and attributes for synthesis.
//! - [`kernel`]: the front end for kernels: parsed, resolved and typed, for every use other than running them.
//! - [`verilog`]: readable Verilog, one module per distinct body, every operand at the right width.
//! - [`lint`]: static checks for kernels that would simulate differently from their Verilog.
//! - [`waves`]: VCD files, cut to scopes and cycles.
//! - [`tools`]: external programs, and whether they are installed.
//! - [`ecp5`]: yosys's script for an ECP5, and the netlist that yosys synthesises from a circuit.
//! - [`gates`]: a circuit, or a block in it, as gates of two inputs, multiplexers and flip-flops with names.
//!
//! Machine code of the circuits, and co-simulation with their own Verilog, are in `hdlkit-compiled`: a program that
//! only describes and exports circuits is built without a code generator.
//!
//! Kernels start with `use hdlkit::prelude::*`, which is rust-hdl's prelude with this crate's `Bits`, `Signal` and
//! `DFF`.

#![warn(missing_docs, clippy::unwrap_used)]

pub mod bits;
pub mod circuit;
pub mod ecp5;
pub mod engine;
pub mod gates;
pub mod kernel;
pub mod lint;
pub mod memory;
pub mod output;
pub mod tools;
pub mod verilog;
pub mod waves;

pub use circuit::{Blank, Leaf, Ports, Primitive, Stale, Structure, Visitor};
pub use engine::{Activity, Circuit, Cycle, CycleEngine};
pub use hdlkit_macros::{
    circuit, hdl_fn, hdl_gen, hdl_part, interface, Blank, Cycle, CycleInterface, Leaf, Ports, Structure,
};

/// The README's code, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

// The derives name `::hdlkit`, also inside this crate.
extern crate self as hdlkit;

/// The imports of a file of circuits.
pub mod prelude {
    pub use crate::bits::{
        bit_cast, bit_cast_narrow, bit_cast_wide, bit_cast_within_wide, bits, clog2, mask, Bits, Fill, ToBits, WideBits,
    };
    pub use crate::circuit::{Blank, Directed, Leaf, Ports, Primitive, Signal, SignalArray, Stale, Structure, DFF};
    pub use crate::comment;
    pub use crate::dff_setup;
    pub use crate::engine::{Activity, Cycle, CycleEngine};
    pub use crate::memory::{BlockRam, BlockRam3R, BundleRam, LutRam, LutRam2R};
    pub use hdlkit_macros::{
        circuit, hdl_fn, hdl_gen, hdl_part, interface, Blank, Cycle, CycleInterface, Leaf, Ports, Structure,
    };
    pub use rust_hdl_core::clock;
    pub use rust_hdl_core::prelude::*;
}
