//! The compiler of OpenCL C that this process has.

use flexgrip_compiler::clang::{Clang, ClangError};
use std::sync::OnceLock;

/// The clang of this process, or why there is none: searched once.
///
/// # Errors
/// No clang works.
pub fn clang() -> Result<&'static Clang, ClangError> {
    static CLANG: OnceLock<Result<Clang, ClangError>> = OnceLock::new();
    CLANG.get_or_init(Clang::find).as_ref().map_err(ClangError::clone)
}

/// Whether there is a clang.
pub fn available() -> bool {
    clang().is_ok()
}
