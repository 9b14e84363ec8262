//! The generated files of the kernels' folders: their contents, writing them, and finding stale ones.

use crate::kernel::{Kernel, Tolerance};
use crate::suite::KERNELS;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The program of each kernel.
const SOURCE: &str = "kernel.sass";

/// The other folders of this crate, next to the folders of kernels.
const CRATE_FOLDERS: [&str; 2] = ["src", "tests"];

/// The files of a kernel's folder that the generator does not write.
pub fn sources(kernel: &Kernel) -> impl Iterator<Item = &'static str> {
    [SOURCE].into_iter().chain(kernel.picture)
}

/// The generated files of a kernel's folder: text by file name.
pub fn files(kernel: &Kernel) -> BTreeMap<&'static str, String> {
    let mut files = BTreeMap::from([
        ("launch.toml", launch_file(kernel)),
        ("global.hex", hex_file(&kernel.memory)),
        (
            "expected.txt",
            lines(kernel.expected.iter().map(|(at, word)| format!("{at:05x} {word:08x}"))),
        ),
    ]);
    if !kernel.constants.is_empty() {
        files.insert("constant1.hex", hex_file(&kernel.constants));
    }
    files.extend(kernel.expected_picture.clone());
    files
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.fold(String::new(), |text, line| text + &line + "\n")
}

fn hex_file(words: &[u32]) -> String {
    lines(words.iter().map(|word| format!("{word:08x}")))
}

fn launch_file(kernel: &Kernel) -> String {
    let Kernel {
        name,
        summary,
        registers,
        grid,
        block,
        params,
        ..
    } = kernel;
    let shared_bytes = kernel.shared_bytes();
    let constants = if kernel.constants.is_empty() {
        ""
    } else {
        r#"
[[memory]]
space = "constant"
bank = 1
address = 0
file = "constant1.hex"
"#
    };
    let compare = match kernel.tolerance {
        None => r#""u32""#.to_string(),
        Some(Tolerance { ulp, absolute }) => format!("\"f32\"\nulp = {ulp}\nabsolute = {absolute:?}"),
    };
    format!(
        r#"# Made by generate-kernels.
name = "{name}"
summary = "{summary}"
program = "{SOURCE}"
registers = {registers}
shared_bytes = {shared_bytes}
grid = {grid:?}
block = {block:?}
params = {params:?}

[[memory]]
space = "global"
address = 0
file = "global.hex"
{constants}
[[expect]]
space = "global"
file = "expected.txt"
exact = true
compare = {compare}
"#
    )
}

/// Writes the generated files of all kernels into their folders below `root`, creating missing folders.
///
/// # Errors
/// A folder or file cannot be written; the error names it.
pub fn write(root: &Path) -> Result<()> {
    for kernel in KERNELS.map(|make| make()) {
        let folder = root.join(kernel.name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        for (name, text) in files(&kernel) {
            let path = folder.join(name);
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    Ok(())
}

/// Compares the kernels' folders below `root` with the output of [`write`]. Returns a line for each difference: a
/// missing, stale or unknown file, or an unknown folder.
///
/// # Errors
/// An existing folder or file cannot be read; the error names it.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let kernels = KERNELS.map(|make| make());
    let mut wrong = Vec::new();
    let known: BTreeSet<&str> = kernels.iter().map(|kernel| kernel.name).chain(CRATE_FOLDERS).collect();
    for (name, is_folder) in entries(root)? {
        if is_folder && !known.contains(name.as_str()) {
            wrong.push(format!("{} is not a kernel's folder", root.join(name).display()));
        }
    }
    for kernel in &kernels {
        let folder = root.join(kernel.name);
        let files = files(kernel);
        let there: BTreeMap<String, bool> = if folder.is_dir() {
            entries(&folder)?
        } else {
            BTreeMap::new()
        };
        for name in files
            .keys()
            .copied()
            .chain(sources(kernel))
            .filter(|&name| !there.contains_key(name))
        {
            wrong.push(format!("{} is missing", folder.join(name).display()));
        }
        for name in there.keys() {
            let path = folder.join(name);
            match files.get(name.as_str()) {
                Some(text) => {
                    let found = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
                    if found != text.as_bytes() {
                        wrong.push(format!("{} is stale", path.display()));
                    }
                }
                None if sources(kernel).any(|source| source == name) => {}
                None => wrong.push(format!("{} does not belong to the kernel", path.display())),
            }
        }
    }
    Ok(wrong)
}

/// The entries of a folder by name, each with true for a folder.
fn entries(folder: &Path) -> Result<BTreeMap<String, bool>> {
    let context = || format!("cannot read the folder {}", folder.display());
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).with_context(context)? {
        let entry = entry.with_context(context)?;
        found.insert(entry.file_name().to_string_lossy().into_owned(), entry.path().is_dir());
    }
    Ok(found)
}
