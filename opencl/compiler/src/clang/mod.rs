//! Front end: OpenCL C to PTX. clang runs in a separate process; LLVM is not linked.
//!
//! ```text
//! find      search for clang
//! options   OpenCL's build options ──> clang's
//! builtins  OpenCL's functions for SM 1.0, as bitcode: compiled once for each clang and cached
//! extensions  the device's version and extensions, for clang and for queries
//! process   runs clang
//! arguments the declarations of parameters, which clang omits from the PTX
//! group_size  reqd_work_group_size, which clang omits from the PTX
//! representation  scans values in the text of LLVM IR
//! compares  comparisons of two-element vectors, by element if clang cannot compile them
//! tables    initial values of tables, if clang omits padding
//! unwritten uninitialised variables, for a checker
//! text      the input of clang: the source after a line marker with its name
//! refused   unsupported features: only the kernels that use them are refused, not the whole source
//! messages  clang's messages, errors first, in the user's terms
//! ```
//! Messages and lines name the user's source, never a temporary file.

mod arguments;
mod builtins;
mod compares;
#[cfg(test)]
mod declarations;
mod extensions;
mod find;
mod group_size;
mod messages;
mod options;
mod process;
mod refused;
mod representation;
mod tables;
mod text;
mod unwritten;

pub use extensions::{extensions, version};
pub use find::Version;
pub use options::{BuildOptions, OptionError, Standard};

use crate::Options;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// Returns a digest of the source of OpenCL's float functions, in hexadecimal. Measurements are recorded with it.
#[must_use]
pub fn builtins_digest() -> String {
    builtins::digest()
}

/// Instructions for installing clang 19, for messages.
const INSTALL: &str = "install one, on Debian with `apt-get install clang-19`, or name one in FLEXGRIP_CLANG";

/// An error of the front end.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClangError {
    /// No clang works.
    #[error("found no clang {oldest} or newer with the target nvptx: {tried}; {INSTALL}", oldest = find::OLDEST)]
    NotFound {
        /// The programs that were tried, and why each does not work.
        tried: String,
    },
    /// The source has errors.
    #[error("{log}")]
    Source {
        /// clang's messages, with the source's name, lines and columns.
        log: String,
    },
    /// Clang could not be run, or failed for a reason other than errors in the source.
    #[error("{program}: {message}", program = program.display())]
    Failed {
        /// The path of clang.
        program: PathBuf,
        /// The error, or clang's output.
        message: String,
    },
    /// The source's name, or a path in the options, cannot be passed to clang.
    #[error("{0:?} cannot be a source's name: it has a line break or a zero byte")]
    Name(String),
}

/// An OpenCL C source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<'a> {
    /// The name in messages and lines. It need not be a file: it is not opened.
    pub name: &'a str,
    /// The text, in UTF-8 or an encoding like Latin-1; clang accepts bytes that are not UTF-8 in comments and strings.
    pub text: &'a [u8],
}

/// The output of clang.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ptx {
    /// PTX with `.loc` lines.
    pub text: String,
    /// Clang's warnings; empty if there are none.
    pub log: String,
    /// Options for the back end. `contract` is always true: a fused multiply-add in this PTX comes from `mad` or a
    /// contracted expression, never from `fma`, which is computed with integers.
    pub options: Options,
}

/// A clang that works.
#[derive(Debug)]
pub struct Clang {
    path: PathBuf,
    version: Version,
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
        find::find(std::env::var_os("FLEXGRIP_CLANG"), std::env::var_os("PATH"))
    }

    /// The path of the program.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The version of the program.
    #[must_use]
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// True if OpenCL's functions are already compiled. If not, the next [`Clang::ptx`] compiles them, which takes one
    /// or two seconds.
    #[must_use]
    pub fn is_prepared(&self) -> bool {
        let known = self.builtins.lock().unwrap_or_else(PoisonError::into_inner);
        known.is_some() || builtins::is_cached(self)
    }

    /// Compiles a source together with OpenCL's functions.
    ///
    /// # Errors
    /// Errors in the source, with clang's messages, or a failure to run clang.
    pub fn ptx(&self, source: &Source, options: &BuildOptions) -> Result<Ptx, ClangError> {
        let bitcode = self.builtins()?;
        process::ptx(self, source, options, bitcode.path())
    }

    /// Returns the builtins' bitcode, which is compiled by the first call.
    fn builtins(&self) -> Result<builtins::Bitcode, ClangError> {
        let mut known = self.builtins.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bitcode) = known.as_ref() {
            return Ok(bitcode.clone());
        }
        let bitcode = builtins::bitcode(self)?;
        *known = Some(bitcode.clone());
        Ok(bitcode)
    }
}
