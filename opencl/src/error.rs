//! Errors of calls, by OpenCL's error codes.

use opencl_sys::cl_int;
use std::fmt;

/// An OpenCL error code, such as `CL_INVALID_VALUE`; never `CL_SUCCESS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(pub cl_int);

/// The result of a call.
pub type Result<T> = std::result::Result<T, Code>;

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpenCL error {}", self.0)
    }
}

/// Returns the code as an error unless a condition holds.
pub fn ensure(condition: bool, code: cl_int) -> Result<()> {
    condition.then_some(()).ok_or(Code(code))
}

/// Prints a message of the driver on the standard error output (`docs/opencl.md`).
pub fn say(message: &str) {
    eprintln!("flexgrip OpenCL: {message}");
}
