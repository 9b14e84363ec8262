//! Writes the files generated from the ISA tables: the book's pages of all sets and its summary, and for SM 1.0 the
//! editor grammar.
//!
//! Usage: `isa-reference ROOT`, where ROOT is the project's folder.

#![warn(clippy::unwrap_used)]

use flexgrip_gpu_isa::reference::{book_summary, files, BOOK_FOLDER, SUMMARY_TEMPLATE};
use flexgrip_gpu_isa::sets;
use flexgrip_isa::reference as sm10;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// Formats an error with its path.
fn at(path: &Path, error: io::Error) -> String {
    format!("{}: {error}", path.display())
}

fn write(root: &Path) -> Result<usize, String> {
    let template = root.join(SUMMARY_TEMPLATE);
    let template = std::fs::read_to_string(&template).map_err(|error| at(&template, error))?;
    // Pages of removed instructions are also deleted.
    for folder in [sm10::BOOK_FOLDER, BOOK_FOLDER] {
        let folder = root.join(folder);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(|error| at(&folder, error))?;
        }
    }
    let mut all = sm10::files();
    all.extend(files(sets()));
    all.push(book_summary(sets(), &template));
    for file in &all {
        let path = root.join(&file.path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| at(folder, error))?;
        }
        std::fs::write(&path, &file.text).map_err(|error| at(&path, error))?;
    }
    Ok(all.len())
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [root] = arguments.as_slice() else {
        eprintln!("usage: isa-reference ROOT (the project's folder)");
        return ExitCode::from(2);
    };
    match write(Path::new(root)) {
        Ok(count) => {
            println!("{count} files written");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
