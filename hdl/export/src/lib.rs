//! What goes out of the circuits: their Verilog, and the host's map for those who drive them.
//!
//! It needs the circuits' structure only, not the engines that run them, so that `export-verilog` is built in half the time
//! of `flexgrip`.
//!
//! - [`verilog`]: the circuits as Verilog, and what their modules are called.
//! - [`c_header`]: the host's map as a C header.
//! - [`register_map`]: the same as an SVD file and as a page.
//! - [`size_arguments`]: numbers of lanes and SMs on the command lines of all programs.
//! - [`file_output`]: files that are written whole or not at all.

pub mod c_header;
pub mod file_output;
pub mod register_map;
pub mod size_arguments;
pub mod verilog;
