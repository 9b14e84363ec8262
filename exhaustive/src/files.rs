//! Evidence in files: hashes of texts, and writing that leaves no partial file.

use sha2::{Digest, Sha256};
use std::io::{self, Write};
use std::path::Path;

/// SHA-256 of texts, in hexadecimal digits.
pub fn hash<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a temporary file in the same folder and then renames it, so that no partial file is ever seen. Creates missing
/// folders.
///
/// # Errors
/// A folder or the file cannot be created or written.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
