//! Writes the book's pages of all sets, and the end of the summary's template.
//!
//! Usage: `gpu-isa-reference ROOT`, where ROOT is the project's folder. `isa-reference` makes the summary of the template.

use flexgrip_gpu_isa::reference::{files, BOOK_FOLDER, SUMMARY_TEMPLATE};
use flexgrip_gpu_isa::sets;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// An error with the file that it belongs to.
fn at(path: &Path, error: io::Error) -> String {
    format!("{}: {error}", path.display())
}

fn write(root: &Path) -> Result<usize, String> {
    let template = root.join(SUMMARY_TEMPLATE);
    let summary = std::fs::read_to_string(&template).map_err(|error| at(&template, error))?;
    // Pages of removed instructions must not stay.
    let folder = root.join(BOOK_FOLDER);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| at(&folder, error))?;
    }
    let files = files(sets(), &summary);
    for file in &files {
        let path = root.join(&file.path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| at(folder, error))?;
        }
        std::fs::write(&path, &file.text).map_err(|error| at(&path, error))?;
    }
    Ok(files.len())
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [root] = arguments.as_slice() else {
        eprintln!("usage: gpu-isa-reference ROOT (the project's folder)");
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
