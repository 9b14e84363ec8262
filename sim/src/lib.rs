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

#[path = "engines/native/test_bench.rs"]
pub mod bench;
#[path = "board/client.rs"]
pub mod board;
#[path = "engines/counters.rs"]
pub mod counters;
#[path = "files/dump.rs"]
pub mod dump;
#[path = "engines/engine.rs"]
pub mod engine;
#[path = "trace/events.rs"]
pub mod events;
#[path = "files/expectation.rs"]
pub mod expectation;
#[path = "files/error.rs"]
pub mod file_error;
#[path = "files/output.rs"]
pub mod file_output;
pub mod fuzz;
#[path = "waves/gtkwave_filter.rs"]
pub mod gtkwave_filter;
#[path = "files/hex.rs"]
pub mod hex_file;
#[path = "engines/host.rs"]
pub mod host;
pub mod isa_commands;
#[path = "engines/verilog/iverilog.rs"]
pub mod iverilog;
#[path = "board/lane_test.rs"]
pub mod lane_test;
#[path = "files/launch.rs"]
pub mod launch_file;
#[path = "trace/lockstep.rs"]
pub mod lockstep;
#[path = "engines/native/machine_code.rs"]
mod machine_code;
#[path = "engines/model.rs"]
pub mod model_engine;
#[path = "engines/native/ports.rs"]
mod ports;
#[path = "performance/prediction.rs"]
pub mod prediction;
#[path = "files/program.rs"]
pub mod program;
pub mod progress;
#[path = "files/realign.rs"]
pub mod realign;
#[path = "trace/assembler.rs"]
pub mod records;
pub mod report;
#[path = "engines/native/rtl.rs"]
pub mod rtl;
#[path = "performance/scaling.rs"]
pub mod scaling;
#[path = "board/simulated_board.rs"]
pub mod simulated_board;
#[cfg(feature = "simulation")]
#[path = "engines/native/simulation.rs"]
pub mod simulation;
#[path = "engines/verilog/verilator.rs"]
pub mod verilator;
#[path = "waves/signals.rs"]
pub mod verilog;
#[path = "files/vhdl.rs"]
pub mod vhdl_file;
#[path = "waves/output.rs"]
mod wave_output;
#[path = "waves/save.rs"]
pub mod wave_view;
