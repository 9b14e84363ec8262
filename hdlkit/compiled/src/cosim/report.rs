//! The result of a co-simulation: what was compared, or why native and Verilog were not found equal.

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
    /// Icarus Verilog, on the gates that yosys makes of the Verilog for an ECP5.
    Gates,
}

/// What was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CosimReport {
    /// Cycles run.
    pub cycles: u64,
    /// Output ports compared in each cycle.
    pub outputs: usize,
    /// Output ports that changed during the run. One that never changes proves little.
    pub outputs_that_changed: usize,
}

/// An output, or a field of one, that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// As `bus.data` or `value[3].valid`.
    pub port: String,
    /// Hexadecimal.
    pub native: String,
    /// Hexadecimal, with `x` for unknown digits.
    pub verilog: String,
}

/// Why native and Verilog were not found equal.
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
        /// The cycle.
        cycle: u64,
        /// Its differences.
        differences: Vec<Difference>,
    },
    /// There is nothing to compare.
    #[error("the block has no output to compare")]
    NoOutputs,
    /// yosys made no netlist.
    #[error("no gates: {0}")]
    Netlist(#[from] NetlistError),
    /// A tool that cannot be run; it may not be installed.
    #[error("cannot run {tool} ({error}); `make tools` installs it")]
    Missing {
        /// The tool.
        tool: &'static str,
        /// Why it does not run.
        error: std::io::Error,
    },
    /// A tool rejects the files.
    #[error("{tool} failed on {}:\n{output}", .dir.display())]
    Tool {
        /// The tool.
        tool: &'static str,
        /// Where the files are.
        dir: PathBuf,
        /// Its output.
        output: String,
    },
    /// A tool that was killed at the time limit.
    #[error("{tool} did not end on {} within {} s: the Verilog may never settle", .dir.display(), .limit.as_secs())]
    Hangs {
        /// The tool.
        tool: &'static str,
        /// Where the files are.
        dir: PathBuf,
        /// How long it ran.
        limit: Duration,
    },
    /// Files could not be written or read.
    #[error("files of the co-simulation: {0}")]
    Io(#[from] std::io::Error),
    /// The first cycle with a difference, and all of that cycle's differences.
    #[error("cycle {cycle}: {}\nVerilog and stimulus: {}", show(.differences), .dir.display())]
    Mismatch {
        /// The cycle.
        cycle: u64,
        /// Its differences.
        differences: Vec<Difference>,
        /// Where Verilog and stimulus are.
        dir: PathBuf,
    },
}

fn show(differences: &[Difference]) -> String {
    let lines: Vec<String> = differences
        .iter()
        .map(|d| format!("`{}` is {} natively and {} in Verilog", d.port, d.native, d.verilog))
        .collect();
    lines.join("; ")
}

fn show_compiled(differences: &[Difference]) -> String {
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
