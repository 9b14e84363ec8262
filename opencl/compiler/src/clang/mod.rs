//! Front end: OpenCL C to PTX. clang runs in a separate process; LLVM is not linked.
//!
//! ```text
//! find      search for clang
//! options   OpenCL's build options ──> clang's
//! builtins  OpenCL's functions for SM 1.0, as bitcode: compiled once for each clang and cached
//! extensions  the device's version and extensions, for clang and for queries
//! program   a clang on this machine: its path and version
//! process   runs clang
//! source    a source, and its PTX
//! llvm_ir   what the PTX lacks and LLVM IR has: parameters, tables, uninitialised variables; comparisons
//! text      the input of clang: the source after a line marker with its name
//! refused   unsupported features: only the kernels that use them are refused, not the whole source
//! messages  clang's messages, errors first, in the user's terms
//! ```
//! Messages and lines name the user's source, never a temporary file.

mod builtins;
#[cfg(test)]
mod declarations;
mod error;
mod extensions;
mod find;
mod llvm_ir;
mod messages;
mod options;
mod process;
mod program;
mod refused;
mod source;
mod text;

pub use error::ClangError;
pub use extensions::{extensions, version};
pub use options::{BuildOptions, OptionError, Standard};
pub use program::Version;
pub use source::{Ptx, Source};

use program::ClangProgram;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Returns a digest of the source of OpenCL's float functions, in hexadecimal. Measurements are recorded with it.
#[must_use]
pub fn builtins_digest() -> String {
    builtins::digest()
}

/// A clang that works.
#[derive(Debug)]
pub struct Clang {
    program: ClangProgram,
    /// The builtins' bitcode, after its first use.
    builtins: Mutex<Option<builtins::Bitcode>>,
}

impl Clang {
    /// Finds clang. If `FLEXGRIP_CLANG` is set, only that program is tried; otherwise the first of `clang-19`, the
    /// other `clang-NN` on the path, newest first, and `clang` that works.
    ///
    /// # Errors
    /// No clang works.
    pub fn find() -> Result<Clang, ClangError> {
        let program = find::find(std::env::var_os("FLEXGRIP_CLANG"), std::env::var_os("PATH"))?;
        Ok(Clang {
            program,
            builtins: Mutex::default(),
        })
    }

    /// The path of the program.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.program.path()
    }

    /// The version of the program.
    #[must_use]
    pub fn version(&self) -> &Version {
        self.program.version()
    }

    /// True if OpenCL's functions are already compiled. If not, the next [`Clang::ptx`] compiles them, which takes one
    /// or two seconds.
    #[must_use]
    pub fn is_prepared(&self) -> bool {
        let known = self.builtins.lock().unwrap_or_else(PoisonError::into_inner);
        known.is_some() || builtins::is_cached(&self.program)
    }

    /// Compiles a source together with OpenCL's functions.
    ///
    /// # Errors
    /// Errors in the source, with clang's messages, or a failure to run clang.
    pub fn ptx(&self, source: &Source, options: &BuildOptions) -> Result<Ptx, ClangError> {
        let bitcode = self.builtins()?;
        process::ptx(&self.program, source, options, bitcode.path())
    }

    /// Returns the builtins' bitcode, which is compiled by the first call.
    fn builtins(&self) -> Result<builtins::Bitcode, ClangError> {
        let mut known = self.builtins.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bitcode) = known.as_ref() {
            return Ok(bitcode.clone());
        }
        let bitcode = builtins::bitcode(&self.program)?;
        *known = Some(bitcode.clone());
        Ok(bitcode)
    }
}
