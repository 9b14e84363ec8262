//! Builds FPGA designs: yosys for the size, nextpnr for the speed, and the boards.
//!
//! The program `fpga` ([`place::place`]) builds a board's whole design; `synthesis` ([`synthesis::synthesise`]) reports
//! each module's size. The boards' top modules are in `synth/`, next to this crate, their pins in `constraints/`.
//!
//! | file | contents |
//! |---|---|
//! | `tool.rs` | finds and runs the tools, which are separate programs |
//! | `cells.rs` | FPGA families: yosys's command for them, and the resources of its cells |
//! | `synthesis.rs` | a top module, synthesised with its hierarchy, as a table by module |
//! | `board.rs` | the boards: device, pins, clock |
//! | `netlist.rs` | netlists and placements as JSON |
//! | `sites.rs` | placement of block RAMs and multipliers |
//! | `refine/` | placement of everything else, after nextpnr's |
//! | `routing.rs` | detects that the router makes no progress |
//! | `place.rs` | a board's whole design: synthesised flat, placed, routed, packed |
//! | `baseline.rs` | its figures against limits and recorded figures |

#![warn(missing_docs, clippy::unwrap_used)]

pub mod baseline;
pub mod board;
pub mod cells;
mod netlist;
pub mod place;
pub mod refine;
pub mod routing;
pub mod sites;
pub mod synthesis;
pub mod tool;
