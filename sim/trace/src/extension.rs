//! File formats by extension: the one rule for all files of all commands.

use std::path::Path;

/// The extension in lower case; empty if there is none. Some systems and cameras write `.NPY` and `.VCD`.
#[must_use]
pub fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capital_letters_do_not_matter() {
        for (name, expected) in [
            ("a/b.vcd", "vcd"),
            ("B.VcD", "vcd"),
            ("a.vcd.gz", "gz"),
            ("vcd", ""),
            (".vcd", ""),
            ("", ""),
        ] {
            assert_eq!(extension(Path::new(name)), expected, "{name}");
        }
    }
}
