//! The arguments of `--batch`.

use std::path::PathBuf;

/// Maximum number of runs in a batch, so a mistyped range cannot fill memory.
pub(super) const MOST_RUNS: u64 = 1_000_000;

/// An argument of `--batch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file, or a folder of files.
    Files(PathBuf),
    /// The first and last seed.
    Seeds(u64, u64),
}

/// Parses an argument of `--batch`: a seed `7`, a range of seeds `1-64`, or a path.
pub fn input(text: &str) -> Result<Input, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(first) || !is_number(last) {
        return Ok(Input::Files(text.into()));
    }
    let seed = |text: &str| {
        let seed = text.parse();
        seed.map_err(|_| format!("`{text}` is not a seed; expected at most {}", u64::MAX))
    };
    match (seed(first)?, seed(last)?) {
        (first, last) if first > last => Err(format!(
            "no seeds from {first} to {last}; expected the smaller one first"
        )),
        (first, last) if last - first >= MOST_RUNS => Err(format!("more than {MOST_RUNS} seeds")),
        (first, last) => Ok(Input::Seeds(first, last)),
    }
}
