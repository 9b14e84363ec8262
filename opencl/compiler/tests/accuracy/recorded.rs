//! The record of runs over all inputs (`make builtins-exhaustive`), and its part of docs/builtins.md.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Path of the record.
pub const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../baselines/builtins.toml");

/// Number of all floats.
pub const INPUTS: u64 = 1 << 32;

/// Result of a function of one float for all inputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The largest error, in units in the last place.
    pub ulp: f64,
    /// Input of the largest error, as hexadecimal bits.
    pub at: String,
    /// Date of the run.
    pub date: String,
    /// Version of clang.
    pub clang: String,
    /// Digest of the builtins' source, see `clang::builtins_digest`.
    pub digest: String,
}

pub type Records = BTreeMap<String, Record>;

/// Reads the records; empty if the file does not exist.
pub fn read() -> Records {
    let text = std::fs::read_to_string(FILE).unwrap_or_default();
    toml::from_str(&text).unwrap_or_else(|error| panic!("{FILE}: {error}"))
}

/// Returns the section of the page. Records with another digest are marked as measured with an earlier source.
pub fn section(records: &Records, digest: &str, functions: usize) -> String {
    let done = match records.len() {
        some if some < functions => format!("So far {some} of {functions} are done"),
        all => format!("All {all} are done"),
    };
    let mut text = format!(
        "\n## All inputs\n\n\
         `make builtins-exhaustive` tests all floats, {INPUTS} of them, for each function of one float, and finds errors that samples\n\
         miss. It resumes where it was stopped, and skips functions listed here with the current source and clang; `ONLY=sqrt,exp`\n\
         selects functions, whether they are listed or not. {done}:\n\n\
         | function | largest error | at | date | functions' source |\n|---|---|---|---|---|\n"
    );
    for (name, record) in records {
        let source = if record.digest == digest { "current" } else { "earlier" };
        let _ = writeln!(
            text,
            "| {name} | {:.4} | {} | {} | {source} |",
            record.ulp, record.at, record.date
        );
    }
    text
}
