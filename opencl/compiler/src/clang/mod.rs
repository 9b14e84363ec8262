//! Front end: OpenCL C to PTX, by clang in a process of its own; nothing of LLVM is linked.
//!
//! ```text
//! find      search for clang
//! options   OpenCL's build options ──> clang's
//! builtins  OpenCL's functions for SM 1.0, as bitcode: compiled once for each clang and cached
//! extensions  the device's version and extensions, for clang and for queries
//! process   runs clang
//! arguments parameters as the source declares them, which clang leaves out of the PTX
//! group_size  reqd_work_group_size, which clang leaves out of the PTX
//! representation  where a value in LLVM's text ends
//! compares  vectors of two compared by element, where clang cannot compare them as a whole
//! tables    values of tables, where clang leaves out padding
//! unwritten uninitialised variables, for a checker
//! text      what clang reads: the source's bytes under its name
//! refused   features for which only the kernels that use them are refused, not the whole source
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

/// A digest of the source of OpenCL's functions of numbers, in hexadecimal: it identifies the source that a measurement
/// of them belongs to.
#[must_use]
pub fn builtins_digest() -> String {
    builtins::digest()
}

/// How clang 19 is installed.
const INSTALL: &str = "install one, on Debian with `apt-get install clang-19`, or name one in FLEXGRIP_CLANG";

/// The reason why there is no PTX.
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
    /// Clang could not be run, or one of its own stages failed: not a mistake in the source.
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
    /// The name in messages and lines. It need not be a file: nothing is read from it.
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
    /// Options for the back end. A fused multiply-add in this PTX comes from `mad` or a contracted expression, never
    /// from `fma`, which is computed in integers: so it may always be a multiply-add that truncates the product.
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
    /// The clang that `FLEXGRIP_CLANG` names, and no other; without it the first that works of `clang-19`, other
    /// `clang-NN` on the path, newest first, and `clang`.
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

    /// True if OpenCL's functions are compiled already. If not, the next [`Clang::ptx`] compiles them, which takes one
    /// or two seconds.
    #[must_use]
    pub fn is_prepared(&self) -> bool {
        let known = self.builtins.lock().unwrap_or_else(PoisonError::into_inner);
        known.is_some() || builtins::is_cached(self)
    }

    /// Compiles a source, with OpenCL's functions in it.
    ///
    /// # Errors
    /// Mistakes in the source, with clang's text, or a clang that does not run.
    pub fn ptx(&self, source: &Source, options: &BuildOptions) -> Result<Ptx, ClangError> {
        let bitcode = self.builtins()?;
        process::ptx(self, source, options, bitcode.path())
    }

    /// The builtins' bitcode: made now, unless it was made before.
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
