//! Files with kernels that show a difference.

use crate::compare::{source, Outcome};
use crate::tree::Kernel;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Name of the outcome: a single word, used in file names.
#[must_use]
pub fn kind(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Same => "same",
        Outcome::Differs(_) => "differs",
        Outcome::Contradicts(_) => "contradicts",
        Outcome::Refused(_) => "refused",
        Outcome::Failed(_) => "failed",
    }
}

/// Message of the outcome, with one or more lines.
fn words(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Same => "",
        Outcome::Differs(text) | Outcome::Contradicts(text) | Outcome::Refused(text) | Outcome::Failed(text) => text,
    }
}

/// The command that runs this kernel again.
#[must_use]
pub fn command(seed: u64, number: u64) -> String {
    format!("make opencl-random SEED={seed} FIRST={number} COUNT=1")
}

/// Writes a kernel to a file, with seed, command and message, and returns the file's path.
///
/// # Errors
/// The file cannot be written.
pub fn write(folder: &Path, seed: u64, number: u64, outcome: &Outcome, kernel: &Kernel) -> Result<PathBuf> {
    let path = folder.join(format!("{}-{seed}-{number}.cl", kind(outcome)));
    let mut text = format!("// seed {seed}, kernel {number}: {}\n", kind(outcome));
    for line in words(outcome).lines() {
        text += &format!("// {line}\n");
    }
    text += &format!("// again: {}\n", command(seed, number));
    text += &source(std::slice::from_ref(kernel));
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    #[test]
    fn file_contains_the_command_that_repeats_it() {
        let folder = tempfile::tempdir().unwrap();
        let outcome = Outcome::Differs("results: byte 8\nmore".into());
        let path = write(folder.path(), 7, 3, &outcome, &generate::kernel(7, 3)).unwrap();
        assert!(path.ends_with("differs-7-3.cl"));
        let text = std::fs::read_to_string(path).unwrap();
        let start = "// seed 7, kernel 3: differs\n// results: byte 8\n// more\n\
                     // again: make opencl-random SEED=7 FIRST=3 COUNT=1\n#pragma";
        assert!(text.starts_with(start), "{text}");
        assert!(text.contains("kernel void k3("), "{text}");
        let error = write(&folder.path().join("none"), 7, 3, &outcome, &generate::kernel(7, 3));
        assert!(error.unwrap_err().to_string().starts_with("cannot write"));
    }
}
