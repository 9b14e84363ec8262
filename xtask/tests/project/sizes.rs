//! The limits of CONTRIBUTING.md on files and folders.

use crate::{root, sources};
use std::collections::BTreeMap;

/// The maximum number of lines of a file.
const LINES: usize = 800;

/// The maximum number of files of code in a folder, without its `mod.rs`, `lib.rs` or `main.rs`.
const FILES: usize = 12;

/// Tables, and Rust that a program has written.
const LONG: [&str; 2] = [
    "machine/isa/src/table/rows.rs",
    "hdlkit/compiled/tests/random/kernels.rs",
];

/// Folders of files that are alike, each an entry of a list.
const WIDE: [&str; 1] = ["kernels/src/suite"];

#[test]
fn files_and_folders_are_within_their_limits() {
    let found = [sources("rs"), sources("py")].concat();
    assert!(found.len() > 1000, "{} files", found.len());
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    let mut beyond = Vec::new();
    let (mut long, mut wide) = (LONG.to_vec(), WIDE.to_vec());
    for path in found {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        if lines > LINES {
            match long.iter().position(|known| *known == name) {
                Some(at) => drop(long.remove(at)),
                None => beyond.push(format!("{name} has {lines} lines")),
            }
        }
        if !["mod.rs", "lib.rs", "main.rs"].iter().any(|list| path.ends_with(list)) {
            let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
            *folders.entry(folder.to_string()).or_default() += 1;
        }
    }
    for (folder, files) in folders.into_iter().filter(|&(_, files)| files > FILES) {
        match wide.iter().position(|known| *known == folder) {
            Some(at) => drop(wide.remove(at)),
            None => beyond.push(format!("{folder} has {files} files")),
        }
    }
    assert!(
        beyond.is_empty(),
        "more than {LINES} lines or {FILES} files: {beyond:#?}"
    );
    assert!(
        long.is_empty() && wide.is_empty(),
        "no exception needed: {long:?} {wide:?}"
    );
}
