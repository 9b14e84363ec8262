//! Errors of running a kernel on the CPU.

use thiserror::Error;

/// The part of the error message that says how to install a driver for the CPU.
const INSTALL: &str = "install one, on Debian with `apt-get install pocl-opencl-icd`";

/// Errors of running a kernel on the CPU.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HostError {
    /// The loader or a driver for the CPU is missing; the text is the reason.
    #[error("found no OpenCL driver for this computer's processor: {0}; {INSTALL}")]
    NotFound(String),
    /// The source does not compile; the text is the driver's log.
    #[error("{0}")]
    Build(String),
    /// Source, options, kernel name or arguments are invalid.
    #[error("{0}")]
    Argument(String),
    /// An OpenCL function returned an error code.
    #[error("OpenCL on the processor: {call} failed with {code}")]
    Call {
        /// Name of the function.
        call: &'static str,
        /// Error code, as defined in OpenCL's headers.
        code: i32,
    },
}
