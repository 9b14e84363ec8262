//! Output of programs: files that are written completely or not at all, notes on standard error, numbers as text.

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

/// The number with commas between groups of three digits: `5,000`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with a noun, whose plural is formed with `s`: `1 fault`, `5,000 faults`.
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
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

    #[test]
    fn digits_are_in_groups_of_three() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (123_456, "123,456"),
            (1_234_567, "1,234,567"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(grouped(number), expected);
        }
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(
            [0, 1, 2_000].map(|number| counted(number, "fault")),
            ["0 faults", "1 fault", "2,000 faults"]
        );
    }
}
