//! The result of a co-simulation: the comparisons, or the reason why native and Verilog were not equal.

use crate::error::CompileError;
use hdlkit::ecp5::NetlistError;
use hdlkit::verilog::ExportError;
use std::path::PathBuf;
use std::time::Duration;

/// The simulator that runs the Verilog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simulator {
    /// Icarus Verilog: starts at once, runs a few thousand cycles a second, models X.
    Iverilog,
    /// Verilator: takes some ten seconds to build, then is fast.
    Verilator,
    /// Icarus Verilog, on the gates that yosys synthesises from the Verilog for an ECP5.
    Gates,
}

/// The comparisons of a co-simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CosimReport {
    /// The number of cycles.
    pub cycles: u64,
    /// The number of output ports, which are compared in each cycle.
    pub outputs: usize,
    /// The number of output ports that changed during the run. A port that never changes proves little.
    pub outputs_that_changed: usize,
}

/// An output, or a field of one, that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortDifference {
    /// The name, such as `bus.data` or `value[3].valid`.
    pub port: String,
    /// The native value in hexadecimal.
    pub native: String,
    /// The Verilog's value in hexadecimal, with `x` for unknown digits.
    pub verilog: String,
}

/// The reason why native and Verilog were not equal.
#[derive(Debug, thiserror::Error)]
pub enum CosimError {
    /// The export failed.
    #[error("not exported:\n{0}")]
    Export(#[from] ExportError),
    /// The compilation failed.
    #[error("not compiled: {0}")]
    Compile(#[from] CompileError),
    /// The first cycle in which machine code differs, and all of that cycle's differences.
    #[error("cycle {cycle}, machine code: {}", show_compiled(.differences))]
    Compiled {
        /// The first cycle with a difference.
        cycle: u64,
        /// The differences in it.
        differences: Vec<PortDifference>,
    },
    /// The circuit has no outputs.
    #[error("the block has no output to compare")]
    NoOutputs,
    /// yosys synthesised no netlist.
    #[error("no gates: {0}")]
    Netlist(#[from] NetlistError),
    /// A tool cannot be run, for example because it is not installed.
    #[error("cannot run {tool} ({error}); `make tools` installs it")]
    Missing {
        /// The name of the tool.
        tool: &'static str,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// A tool rejects the files.
    #[error("{tool} failed on {}:\n{output}", .dir.display())]
    Tool {
        /// The name of the tool.
        tool: &'static str,
        /// The folder of the files.
        dir: PathBuf,
        /// The output of the tool.
        output: String,
    },
    /// A tool that was killed at the time limit.
    #[error("{tool} did not end on {} within {} s: the Verilog may never settle", .dir.display(), .limit.as_secs())]
    Hangs {
        /// The name of the tool.
        tool: &'static str,
        /// The folder of the files.
        dir: PathBuf,
        /// The time limit.
        limit: Duration,
    },
    /// Files could not be written or read.
    #[error("files of the co-simulation: {0}")]
    Io(#[from] std::io::Error),
    /// The first cycle with a difference, and all of that cycle's differences.
    #[error("cycle {cycle}: {}\nVerilog and stimulus: {}", show(.differences), .dir.display())]
    Mismatch {
        /// The first cycle with a difference.
        cycle: u64,
        /// The differences in it.
        differences: Vec<PortDifference>,
        /// The folder of Verilog and stimulus.
        dir: PathBuf,
    },
}

fn show(differences: &[PortDifference]) -> String {
    let lines: Vec<String> = differences
        .iter()
        .map(|d| format!("`{}` is {} natively and {} in Verilog", d.port, d.native, d.verilog))
        .collect();
    lines.join("; ")
}

fn show_compiled(differences: &[PortDifference]) -> String {
    let lines: Vec<String> = differences
        .iter()
        .map(|d| {
            format!(
                "`{}` is {} natively and {} as machine code",
                d.port, d.native, d.verilog
            )
        })
        .collect();
    lines.join("; ")
}
