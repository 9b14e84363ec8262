//! The reasons why an OpenCL kernel is not compiled or run.

use flexgrip_compiler::clang::{ClangError, OptionError};
use flexgrip_compiler::launch::ArgumentError;
use flexgrip_compiler::placement::TooLarge;
use flexgrip_engines::files::error::FileError;
use flexgrip_opencl_host::HostError;
use thiserror::Error;

/// An error of OpenCL.
#[derive(Debug, Error)]
pub enum OpenClError {
    /// A file is wrong: a source, or the contents of a buffer.
    #[error(transparent)]
    File(#[from] FileError),
    /// Clang rejects the source, or is missing. Clang's messages contain `error:` themselves.
    #[error("{}", .0.to_string().trim_end())]
    Clang(#[from] ClangError),
    /// Wrong build options.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// Arguments or sizes that do not match the kernel.
    #[error(transparent)]
    Arguments(#[from] ArgumentError),
    /// Buffers beyond the address range.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The kernel has written outside its buffers.
    #[error("{0}")]
    Overwritten(String),
    /// There is no kernel with this name, or the source has several and none was named.
    #[error("{0}")]
    Kernel(String),
    /// The processor's own OpenCL is missing, or rejects a source or arguments that this one accepts.
    #[error("{}", .0.to_string().trim_end())]
    Host(#[from] HostError),
    /// An option that conflicts with others.
    #[error("{0}")]
    Usage(String),
}

impl OpenClError {
    /// True if the command line is wrong, not the source.
    pub fn is_usage(&self) -> bool {
        !matches!(
            self,
            OpenClError::File(_)
                | OpenClError::Clang(_)
                | OpenClError::Host(_)
                | OpenClError::TooLarge(_)
                | OpenClError::Overwritten(_)
        )
    }
}
