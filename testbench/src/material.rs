//! Material from outside the project: recorded vectors, real kernels. It is never part of the project.

use std::path::{Path, PathBuf};

/// The folder of this material: `$FLEXGRIP_SHARED`, by default `shared` next to the project. It may not exist.
pub fn shared() -> PathBuf {
    std::env::var_os("FLEXGRIP_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
        PathBuf::from,
    )
}
