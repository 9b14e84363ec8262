//! Files that are written completely or not at all, and notes on standard error.

use std::io::{self, Write};
use std::path::Path;

/// Writes a temporary file in the folder of `path` and renames it, so no partial file is ever visible. Creates missing
/// folders.
///
/// # Errors
/// A folder or file cannot be created or written.
pub fn write_atomically(path: &Path, contents: &(impl AsRef<[u8]> + ?Sized)) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(folder)?;
    file.write_all(contents.as_ref())?;
    // Temporary files are private; this one must have ordinary permissions.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Prints a line on standard error. Ignores errors: the user may have closed it.
pub fn note(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_replaces_files_and_makes_folders() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b.txt");
        write_atomically(&path, "one").unwrap();
        write_atomically(&path, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(std::fs::read_dir(folder.path().join("a")).unwrap().count(), 1);
        assert!(write_atomically(&path.join("c"), "").is_err());
    }
}
