//! Skips a test that lacks a tool: prints that the test is skipped, or fails if tools are required. Also finds the
//! folder of data that is never part of the project.
//!
//! `make test` installs the tools first and requires them; a plain `cargo test` uses the installed ones.

#![warn(missing_docs, clippy::unwrap_used)]

use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The environment variable that makes skipping a test an error.
pub const REQUIRE_TOOLS: &str = "FLEXGRIP_REQUIRE_TOOLS";

/// Prints that a test, or a part of a test, is skipped, and why.
///
/// # Panics
/// Panics if [`REQUIRE_TOOLS`] is set.
#[track_caller]
pub fn skip(reason: impl Display) {
    assert!(std::env::var_os(REQUIRE_TOOLS).is_none(), "{reason}");
    println!("skipped: {reason}");
}

/// Returns the value that was found. If there was an error, skips with it and returns `None`.
///
/// # Panics
/// Like [`skip`].
#[track_caller]
pub fn found_or_skip<T, E: Display>(found: Result<T, E>) -> Option<T> {
    found.map_err(skip).ok()
}

/// The folder of recorded vectors, real kernels and other data from outside the project: `$FLEXGRIP_SHARED`, by default
/// `shared` next to the project. It may not exist.
pub fn shared() -> PathBuf {
    std::env::var_os("FLEXGRIP_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    )
}
