//! The compiler of OpenCL C in this process.

use flexgrip_compiler::clang::{Clang, ClangError};
use std::sync::OnceLock;

/// The clang of this process, searched for once.
///
/// # Errors
/// No clang works.
pub fn clang() -> Result<&'static Clang, ClangError> {
    static CLANG: OnceLock<Result<Clang, ClangError>> = OnceLock::new();
    CLANG.get_or_init(Clang::find).as_ref().map_err(ClangError::clone)
}

/// True if there is a clang.
pub fn available() -> bool {
    clang().is_ok()
}
