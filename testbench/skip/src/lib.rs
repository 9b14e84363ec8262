//! What a test does without the tool that it needs: it says that it is skipped, or fails where tools are required.
//!
//! `make test` installs the tools first and requires them; a bare `cargo test` does with what there is.

use std::fmt::Display;

/// Set if no test may be skipped.
pub const REQUIRE_TOOLS: &str = "FLEXGRIP_REQUIRE_TOOLS";

/// Says that a test, or a part of one, is skipped, and why.
///
/// # Panics
/// If [`REQUIRE_TOOLS`] is set.
#[track_caller]
pub fn skip(reason: impl Display) {
    assert!(std::env::var_os(REQUIRE_TOOLS).is_none(), "{reason}");
    println!("skipped: {reason}");
}

/// What was looked for; `None` if it was not found, after [`skip`] with the error.
///
/// # Panics
/// As [`skip`].
#[track_caller]
pub fn found_or_skip<T, E: Display>(found: Result<T, E>) -> Option<T> {
    found.map_err(skip).ok()
}
