//! The project as a whole: its packages and documents.

mod architecture;
mod circles;
mod documents;
mod sizes;

use std::path::{Path, PathBuf};

/// The project's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .expect("the project's folder")
}
