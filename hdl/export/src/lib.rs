//! The circuits' exports: their Verilog, and the host's map for software.
//!
//! The crate needs only the circuits' structure, not the engines that run them, so `export-verilog` builds in half the
//! time of `flexgrip`.
//!
//! - [`verilog`]: the circuits as Verilog, and their modules' names.
//! - `decoder`: the decoders of other instruction sets as Verilog, with the feature of that name.
//! - [`c_header`]: the host's map as a C header.
//! - [`register_map`]: the host's map as an SVD file and as a page.
//! - [`size_arguments`]: numbers of lanes and SMs on the command lines of all programs.

#![warn(missing_docs, clippy::unwrap_used)]

pub mod c_header;
#[cfg(feature = "decoders")]
pub mod decoder;
pub mod register_map;
pub mod size_arguments;
pub mod verilog;
