//! Why an OpenCL kernel is not compiled or run.

use flexgrip_compiler::clang::{ClangError, OptionError};
use flexgrip_compiler::launch::ArgumentError;
use flexgrip_compiler::placement::TooLarge;
use flexgrip_opencl_host::HostError;
use thiserror::Error;

/// An error; those of files are [`crate::files::error::FileError`]s.
#[derive(Debug, Error)]
pub enum OpenClError {
    /// Clang refuses the source, or there is none. Clang's messages say `error:` themselves.
    #[error("{}", .0.to_string().trim_end())]
    Clang(#[from] ClangError),
    /// Build options.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// Arguments or sizes do not fit the kernel.
    #[error(transparent)]
    Arguments(#[from] ArgumentError),
    /// Buffers that addresses do not reach.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The kernel has written outside its buffers.
    #[error("{0}")]
    Overwritten(String),
    /// No kernel of this name, or the choice among several is missing.
    #[error("{0}")]
    Kernel(String),
    /// The processor's own OpenCL is missing, or refuses what ours takes.
    #[error("{}", .0.to_string().trim_end())]
    Host(#[from] HostError),
    /// An option that does not go with the others.
    #[error("{0}")]
    Usage(String),
}

impl OpenClError {
    /// Whether the program was used wrongly.
    pub fn is_usage(&self) -> bool {
        !matches!(
            self,
            OpenClError::Clang(_) | OpenClError::Host(_) | OpenClError::TooLarge(_) | OpenClError::Overwritten(_)
        )
    }
}
