//! The errors of engines that could not run a launch.

use crate::files::error::FileError;
use crate::files::launch::{off_boundary, Kernel};
use crate::outside::{IoError, ToolError};
use crate::trace::error::TraceError;
use crate::waves::error::WavesError;
use flexgrip_compiler::placement::nearest;
use flexgrip_export::verilog::VerilogError;
use flexgrip_machine::{ErrorKind, KernelError, Launch, LaunchError};
use flexgrip_trace::timeline::file::TimelineError;
use thiserror::Error;

/// The reason why an engine could not run a launch.
#[derive(Debug, Error)]
pub enum RunError {
    /// The launch does not fit the machine.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The kernel failed. For callers that treat this as an error; engines report it as
    /// [`Ending::Failed`](crate::trace::ending::Ending).
    #[error(transparent)]
    Kernel(KernelError),
    /// The kernel failed at a long instruction off its 8-byte boundary; the message adds the remedies.
    #[error("{0}: {ways}", ways = off_boundary(.0.pc))]
    OffBoundary(KernelError),
    /// The kernel failed; the message has the place in its source.
    #[error("{place}: kernel {kernel}: {error}{more}")]
    Fault {
        /// File and line of the instruction, or the file alone.
        place: String,
        /// The kernel's name.
        kernel: String,
        /// The machine's error.
        error: Box<RunError>,
        /// A hint after a semicolon, such as the buffer that was meant or an option that helps; may be empty.
        more: String,
    },
    /// An input file is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// The engine does not support the request.
    #[error("the {engine} engine {reason}")]
    Unsupported {
        /// The engine's name.
        engine: &'static str,
        /// The unsupported request, and the alternatives.
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
    /// The trace's events contradict each other: a defect, like [`RunError::Bench`].
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
    /// The error of a launch that failed, in the machine's terms.
    pub fn of_launch(launch: &Launch, error: KernelError) -> RunError {
        match error.kind {
            ErrorKind::ProgramCounter if launch.off_boundary(error.pc) => RunError::OffBoundary(error),
            _ => RunError::Kernel(error),
        }
    }

    /// The error of a kernel that failed, with its place in the source.
    pub fn of_kernel(kernel: &Kernel, error: KernelError) -> RunError {
        let place = kernel.source.as_ref().map(|source| source.exact_place(error.pc));
        let regions = &kernel.launch.facts.regions;
        let more = match (error.kind, error.address) {
            (ErrorKind::Endless { .. }, _) => "; --max-cycles sets a higher limit".into(),
            (ErrorKind::GlobalMisaligned, Some(address)) if !regions.is_empty() => {
                format!("; this is {}", nearest(regions, address))
            }
            (ErrorKind::GlobalRange, _) if !regions.is_empty() => {
                "; memory ends after the last buffer's guard; --check names the buffer that was meant".into()
            }
            _ => String::new(),
        };
        RunError::Fault {
            place: place.unwrap_or_else(|| kernel.path.display().to_string()),
            kernel: kernel.launch.name.clone(),
            error: Box::new(RunError::of_launch(&kernel.launch, error)),
            more,
        }
    }

    /// Creates an I/O error with the action that failed, for `map_err`.
    pub fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> RunError {
        let of = IoError::of(what);
        move |error| RunError::Io(of(error))
    }

    /// Creates the error of a tool that could not be started, for `map_err`.
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
