//! Why an engine could not run a launch.

use crate::files::error::FileError;
use crate::files::launch::off_boundary;
use crate::outside::{IoError, ToolError};
use crate::timeline::file::TimelineError;
use crate::trace::error::TraceError;
use crate::waves::error::WavesError;
use flexgrip_export::verilog::VerilogError;
use flexgrip_machine::{ErrorKind, KernelError, Launch, LaunchError};
use thiserror::Error;

/// Why an engine could not run a launch.
#[derive(Debug, Error)]
pub enum RunError {
    /// The launch does not fit the machine.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The kernel went wrong. For callers that treat this as an error; engines report it as
    /// [`Ending::Failed`](crate::trace::ending::Ending).
    #[error(transparent)]
    Kernel(KernelError),
    /// The kernel went wrong at a long instruction off its boundary; the message adds the ways out.
    #[error("{0}: {ways}", ways = off_boundary(.0.pc))]
    OffBoundary(KernelError),
    /// An input file is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// The engine does not support the request.
    #[error("the {engine} engine {reason}")]
    Unsupported {
        /// The engine's name.
        engine: &'static str,
        /// What it does not support, and what it does.
        reason: String,
    },
    /// The circuits broke the rules of their interfaces: a defect in them or in the test bench, not in the kernel.
    #[error("test bench: {0}")]
    Bench(String),
    /// There is no machine of these sizes.
    #[error("{0}")]
    Machine(String),
    /// Waves cannot be written, or not as requested.
    #[error(transparent)]
    Wave(#[from] WavesError),
    /// A timeline cannot be written.
    #[error(transparent)]
    Timeline(#[from] TimelineError),
    /// Like [`RunError::Bench`], in the trace.
    #[error("trace: {0}")]
    Trace(#[from] TraceError),
    /// A tool is missing or failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A file could not be written, or a process could not be started.
    #[error(transparent)]
    Io(#[from] IoError),
}

impl RunError {
    /// The error of a kernel that went wrong in this launch.
    pub fn of_kernel(launch: &Launch, error: KernelError) -> RunError {
        match error.kind {
            ErrorKind::ProgramCounter if launch.off_boundary(error.pc) => RunError::OffBoundary(error),
            _ => RunError::Kernel(error),
        }
    }

    /// For `map_err`: an I/O error, with what was attempted.
    pub fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> RunError {
        let of = IoError::of(what);
        move |error| RunError::Io(of(error))
    }

    /// For `map_err`: a tool could not be started.
    pub fn not_started(tool: &'static str) -> impl FnOnce(std::io::Error) -> RunError {
        let of = ToolError::not_started(tool);
        move |error| RunError::Tool(of(error))
    }
}

impl From<VerilogError> for RunError {
    fn from(error: VerilogError) -> Self {
        match error {
            VerilogError::Machine(error) => RunError::Machine(error),
            VerilogError::Export(_) | VerilogError::Stack(_) => RunError::Bench(error.to_string()),
        }
    }
}
