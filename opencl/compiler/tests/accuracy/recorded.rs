//! Runs over all inputs (`make builtins-exhaustive`): their record, and its part of docs/builtins.md.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The record.
pub const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../baselines/builtins.toml");

/// All floats.
pub const INPUTS: u64 = 1 << 32;

/// A function of one float over all of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The largest error, in units in the last place.
    pub ulp: f64,
    /// Where it is, as hexadecimal bits.
    pub at: String,
    /// When.
    pub date: String,
    /// The clang.
    pub clang: String,
    /// The builtins' source, see `clang::builtins_digest`.
    pub digest: String,
}

pub type Records = BTreeMap<String, Record>;

/// The records; none if the file is not there.
pub fn read() -> Records {
    let text = std::fs::read_to_string(FILE).unwrap_or_default();
    toml::from_str(&text).unwrap_or_else(|error| panic!("{FILE}: {error}"))
}

/// The page's part. Records of another source than that of `digest` are of an earlier one.
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
