//! The error type of the programs: it includes the error types of all modules.

use crate::board::error::BoardError;
use crate::debug::adapter::Gone;
use crate::debug::session::DebugError;
use crate::opencl::error::OpenClError;
use flexgrip_campaigns::compact::error::CompactError;
use flexgrip_campaigns::error::CampaignError;
use flexgrip_campaigns::unit::error::UnitError;
use flexgrip_engines::error::RunError;
use flexgrip_engines::files::dump::DumpError;
use flexgrip_engines::files::error::FileError;
use flexgrip_engines::outside::IoError;
use flexgrip_engines::waves::error::WavesError;
use thiserror::Error;

/// An error as a program prints it after `error:`. The error types of the modules give their callers more detail.
#[derive(Debug, Error)]
pub enum Error {
    /// An input file is wrong.
    #[error(transparent)]
    File(#[from] FileError),
    /// Part of global memory cannot be shown as requested.
    #[error(transparent)]
    Dump(#[from] DumpError),
    /// An engine could not run a launch.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Waves cannot be written or shown.
    #[error(transparent)]
    Waves(#[from] WavesError),
    /// A board or its line failed, or a kernel does not fit the board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// An OpenCL kernel cannot be compiled or run.
    #[error(transparent)]
    OpenCl(#[from] OpenClError),
    /// A debugger's command cannot be executed.
    #[error(transparent)]
    Debug(#[from] DebugError),
    /// The connection to an editor's debugger has failed.
    #[error(transparent)]
    Editor(#[from] Gone),
    /// A fault campaign cannot continue.
    #[error(transparent)]
    Faults(#[from] CampaignError),
    /// Faults of gates cannot be listed or simulated.
    #[error(transparent)]
    Gates(#[from] UnitError),
    /// A self-test cannot be compacted.
    #[error(transparent)]
    Compact(#[from] CompactError),
    /// Options that exclude each other in a way that the parser of the command line cannot detect.
    #[error("{0}")]
    Usage(String),
    /// A file could not be written, or a process could not be started.
    #[error(transparent)]
    Io(#[from] IoError),
}

impl From<flexgrip_faults::Error> for Error {
    fn from(error: flexgrip_faults::Error) -> Self {
        Error::Faults(error.into())
    }
}

impl Error {
    /// True if the program was used wrongly: the exit code is 2, not 1.
    pub fn is_usage(&self) -> bool {
        match self {
            Error::Usage(_)
            | Error::Waves(WavesError::Window(_))
            | Error::Run(RunError::Wave(WavesError::Window(_))) => true,
            Error::OpenCl(error) => error.is_usage(),
            _ => false,
        }
    }
}
