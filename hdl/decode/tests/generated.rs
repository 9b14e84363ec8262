//! The decode circuit's generated files are stale when the ISA table or the control table changes.
//! `cargo xtask update reference` writes them.

use flexgrip_decode::{lines_file, row_file, rows_file, LINES_PATH, ROWS_PATH, ROW_PATH};
use std::path::Path;

/// Compares a tracked file with the text that would be written, or writes it with `FLEXGRIP_UPDATE=1`.
fn compare(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("FLEXGRIP_UPDATE").is_some() {
        std::fs::write(&file, text).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    let tracked = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(tracked == text, "{path} is stale: run `cargo xtask update reference`");
}

#[test]
fn rows_are_from_the_tables() {
    compare(ROW_PATH, &row_file());
    compare(ROWS_PATH, &rows_file());
}

#[test]
fn lines_are_from_the_tables() {
    compare(LINES_PATH, &lines_file());
}
