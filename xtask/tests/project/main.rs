//! The project as a whole: its packages and documents.

mod architecture;
mod circles;
mod documents;
mod scripts;
mod sizes;

use std::path::{Path, PathBuf};

/// The project's folder.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .expect("the project's folder")
}

/// The project's files with this ending, without folders of programs' output.
fn sources(ending: &str) -> Vec<PathBuf> {
    fn visit(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
        let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !name.starts_with('.') && !["target", "build"].contains(&name.as_str()) {
                    visit(&path, ending, found);
                }
            } else if path.extension().is_some_and(|found| found == ending) {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    visit(&root(), ending, &mut found);
    found
}
