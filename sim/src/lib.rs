//! Runs SM 1.0 kernels: on the golden model, on the circuits, and on the circuits' Verilog.
//!
//! - [`launch_file`]: kernels on disk, [`expectation`]: checking their results;
//! - [`program`], [`hex_file`], [`vhdl_file`]: programs in files;
//! - [`engine`]: the [`Engine`](engine::Engine) trait and its implementations: [`model_engine`], [`rtl`],
//!   [`verilator`], [`iverilog`], `simulation`;
//! - [`host`], [`bench`]: how a host launches a kernel on a clocked machine, and the native test bench;
//! - [`board`]: the host of a board at the end of a serial line; [`simulated_board`]: such a board, without one; [`lane_test`]:
//!   the host of a board with a lane alone;
//! - [`events`], [`records`]: from the circuits' trace to the records that all engines give;
//! - [`lockstep`]: any engine against the model, record by record;
//! - [`verilog`]: the circuits as Verilog, for [`verilator`] and for everybody else;
//! - [`wave_view`]: save files for GTKWave; [`gtkwave_filter`]: what it asks to show numbers as words;
//! - [`counters`]: what the SMs counted; [`dump`]: what they left, as files;
//! - [`prediction`]: how many cycles a kernel takes, without a clock; [`scaling`]: that and the machine, side by side;
//! - [`progress`]: what a long run does, on the terminal; [`report`]: the outcome for people and for programs.

pub mod bench;
pub mod board;
pub mod counters;
pub mod dump;
pub mod engine;
pub mod events;
pub mod expectation;
pub mod file_error;
pub mod file_output;
pub mod fuzz;
pub mod gtkwave_filter;
pub mod hex_file;
pub mod host;
pub mod isa_commands;
pub mod iverilog;
pub mod lane_test;
pub mod launch_file;
pub mod lockstep;
mod machine_code;
pub mod model_engine;
mod ports;
pub mod prediction;
pub mod program;
pub mod progress;
pub mod realign;
pub mod records;
pub mod report;
pub mod rtl;
pub mod scaling;
pub mod simulated_board;
#[cfg(feature = "simulation")]
pub mod simulation;
pub mod verilator;
pub mod verilog;
pub mod vhdl_file;
mod wave_output;
pub mod wave_view;
