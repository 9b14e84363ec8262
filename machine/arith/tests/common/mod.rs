//! The folder of data that is not part of the repository.

use std::path::PathBuf;

/// `FLEXGRIP_SHARED`, by default `../shared` beside the workspace.
pub fn shared() -> PathBuf {
    std::env::var_os("FLEXGRIP_SHARED")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")))
}
