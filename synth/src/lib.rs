//! From Verilog to a bitstream: yosys for what the machine takes, nextpnr for how fast it is, the boards it runs on.
//!
//! The program `fpga` ([`place::place`]) builds a board's whole design, `synthesis` ([`synthesis::synthesise`]) tells what
//! each module takes. The boards' top modules lie beside this crate, in `synth/`, their pins in `constraints/`.
//!
//! | file | what |
//! |---|---|
//! | `tool.rs` | finds and runs the tools, which are programs of their own |
//! | `cells.rs` | families of FPGAs: yosys's command for them, and what its cells count |
//! | `synthesis.rs` | a top module, synthesised with its hierarchy kept, as a table by module |
//! | `board.rs` | the boards: device, pins, clock |
//! | `netlist.rs` | netlists and placements as JSON |
//! | `sites.rs` | where block RAMs and multipliers go |
//! | `refine/` | where all else goes, once nextpnr has placed it |
//! | `place.rs` | a board's whole design: synthesised flat, placed, routed, packed |
//! | `baseline.rs` | its figures against limits and those recorded |

pub mod baseline;
pub mod board;
pub mod cells;
mod netlist;
pub mod place;
pub mod refine;
pub mod sites;
pub mod synthesis;
pub mod tool;
